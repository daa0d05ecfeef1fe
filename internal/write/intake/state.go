// The state of events: cancelled, postponed, or with a new date.

package intake

import (
	"cmp"
	"strings"
	"time"

	"almanac/store"
)

// readState reads the state of an event, its reason and its previous start. Other sites have the
// state in their data for search engines.
func (rd *reader) readState(d *draft) {
	data := d.object("json_ld")
	isWhole := rd.isWhole(d)
	ended := map[string]string{"EventCancelled": store.Canceled, "EventPostponed": store.Postponed}
	switch said := d.text("event_status"); {
	case said == "scheduled" || said == store.Canceled || said == store.Postponed || rd.exact && said != "":
		d.members["event_status"] = said
	case said != "":
		d.complain("event_status", "must be scheduled, canceled or postponed, not %.40q", said)
	case data.has("eventStatus"):
		said = data.text("eventStatus")
		d.members["event_status"] = ended[said[strings.LastIndexByte(said, '/')+1:]]
	}
	if d.has("event_status_reason") || isWhole {
		d.members["event_status_reason"] = d.text("event_status_reason")
	}
	var start store.Wall
	switch said := d.text("previous_start_date"); {
	case said != "" && start.UnmarshalText([]byte(said)) != nil:
		d.complain("previous_start_date", "must be a date as 2031-05-10 20:00:00, not %.40q", said)
	case said == "" && !d.has("previous_start_date") && !isWhole && !data.has("eventStatus"):
		return
	case said == "" && data.has("eventStatus"):
		zone, err := rd.Zones.Load(cmp.Or(d.file.Timezone, rd.Site.Name()))
		if err != nil {
			return // readTimes told it
		}
		at, wrong := time.Parse(time.RFC3339, data.text("previousStartDate"))
		if wrong == nil {
			start = store.WallOf(zone.Wall(at))
		}
	}
	d.file.PreviousStart = &start
}

// isWhole reports whether a member that the record lacks is empty: a list of this program leaves
// out a reason, a previous start and an address of an online event if there is none.
func (rd *reader) isWhole(d *draft) bool {
	return d.has("event_status") && !d.partial && rd.item.Form != CalendarForm
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
