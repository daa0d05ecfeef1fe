// The state of events: cancelled, postponed, or with a new date.

package intake

import (
	"fmt"
	"strings"
	"time"

	"almanac/internal/write"
	"almanac/store"
)

// announce sets the state of an event, its reason and its previous start. Other sites have the
// state in their data for search engines. A list of this program leaves out a reason and a
// previous start if there is none.
func (im *importer) announce(r *record, e *store.Event) error {
	before := e.State
	data := r.object("json_ld")
	whole := r.has("event_status") && !r.partial && im.item.Form != CalendarForm
	ended := map[string]string{"EventCancelled": store.Canceled, "EventPostponed": store.Postponed}
	switch said := r.text("event_status"); {
	case said == "scheduled" || said == store.Canceled || said == store.Postponed || im.exact && said != "":
		e.State = write.StateOf(said)
	case said != "":
		return r.inField(
			"event_status",
			"",
			fmt.Errorf("event_status must be scheduled, canceled or postponed, not %.40q", said),
		)
	case data.has("eventStatus"):
		said = data.text("eventStatus")
		e.State = ended[said[strings.LastIndexByte(said, '/')+1:]]
	}
	if r.has("event_status_reason") || whole || e.State != before {
		var err error
		if e.StateReason = r.text("event_status_reason"); !im.exact {
			e.StateReason, err = write.StateReason(e.StateReason)
		}
		if err != nil {
			return r.inField("event_status_reason", "event_status_reason ", err)
		}
	}
	switch said := r.text("previous_start_date"); {
	case said != "" && e.PreviousStart.UnmarshalText([]byte(said)) != nil:
		return r.inField(
			"previous_start_date",
			"",
			fmt.Errorf(
				"previous_start_date must be a date as 2031-05-10 20:00:00, not %.40q",
				said,
			),
		)
	case said == "" && (r.has("previous_start_date") || whole):
		e.PreviousStart = 0
	case said == "" && data.has("eventStatus"):
		return im.previousStart(data, e)
	}
	return nil
}

// previousStart sets the previous start of an event of another site; data is for search engines.
func (im *importer) previousStart(data *record, e *store.Event) error {
	e.PreviousStart = 0
	zone, err := im.Zones.Load(e.Timezone)
	if at, wrong := time.Parse(time.RFC3339, data.text("previousStartDate")); wrong == nil &&
		err == nil {
		e.PreviousStart = store.WallOf(zone.Wall(at))
	}
	return err
}

// onlyState reports whether the record is a message that cancels an event (RFC 5546, section
// 3.2.5), which has no title. Then it hides all members that are not about that.
func (r *record) onlyState() bool {
	if r.text("event_status") != store.Canceled || r.has("title") {
		return false
	}
	r.partial = true
	r.only = Words(
		"global_id event_status date_utc modified_utc start_date end_date timezone all_day calendar",
	)
	return true
}
