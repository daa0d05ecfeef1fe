// An event as a form, and the form as parameters of the API.

package desk

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/people/access"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// A form has the values of a form by the names of its fields.
type form map[string]string

// fields are the fields of the form of an event, in their order, with the keys of their labels.
var fields = []label{
	{"title", "desk.title"},
	{"date", "desk.date"},
	{"starts", "desk.starts"},
	{"ends", "desk.ends"},
	{"venue", "site.where"},
	{"free", "desk.free"},
	{"cost", "site.cost"},
	{"description", "desk.description"},
	{"image", "desk.picture"},
	{"tell", "desk.tell"},
	{"last", "desk.last-day"},
	{"days", "desk.last-day"},
	{"repeat", "desk.repeat"},
	{"until", "desk.until"},
	{"dates", "site.next-dates"},
	{"weekdays", "desk.weekdays"},
	{"weeks", "desk.weeks"},
	{"leave", "desk.takes"},
	{"more", "desk.more"},
	{"categories", "desk.categories"},
	{"tags", "desk.tags"},
	{"organizer", "site.organizer"},
	{"website", "site.website"},
	{"virtual_url", "desk.online"},
	{"password", "site.password"},
	{"open", "desk.no-password"},
	{"publish", "desk.publish-at"},
	{"zone", "desk.zone"},
	{"slug", "desk.slug"},
	{"hide", "desk.hide"},
	{"sticky", "desk.sticky"},
	{"featured", "site.featured"},
}

// labels are the keys of the labels of all fields.
var labels = map[string]string{
	"name":    "desk.record-name",
	"reason":  "desk.reason",
	"state":   "desk.status",
	"email":   "desk.email",
	"address": "desk.street",
	"zip":     "desk.zip",
	"city":    "desk.city",
	"country": "desk.country",
	"phone":   "desk.phone",
	"sender":  "desk.your-name",
	"months":  "desk.feed-months",
}

func init() {
	for _, f := range fields {
		labels[f.Name] = f.Key
	}
}

// fieldOf are the fields of the form in which a member of the API is changed, where they have
// other names.
var fieldOf = map[string]string{
	"start_date":          "date",
	"end_date":            "ends",
	"all_day":             "starts",
	"hide_from_listings":  "hide",
	"timezone":            "zone",
	"recurrence":          "repeat",
	"date_utc":            "publish",
	"status":              "title",
	"event_status_reason": "reason",
	"rescheduled":         "tell",
	"image":               "picture",
}

// sentForm returns the values that were sent.
func (p *page) sentForm() form {
	sent := form{}
	for _, f := range fields {
		sent[f.Name] = typed(p.input(f.Name))
	}
	takes := items(p.input("takes"), ",") // dates that take place are ticked
	for _, day := range items(p.input("offered"), ",") {
		if !slices.Contains(takes, day) {
			sent["leave"] += "," + day
		}
	}
	for _, name := range []string{"date", "last", "until"} {
		sent[name] = p.locale().ISODay(sent[name])
	}
	sent["publish"] = p.isoMoment(sent["publish"])
	for _, name := range []string{"starts", "ends"} {
		sent[name] = p.locale().ISOTime(sent[name])
	}
	// These fields stand there several times, some of them empty.
	for _, name := range []string{"dates", "leave", "more"} {
		days := items(sent[name], ",")
		for i, day := range days {
			days[i] = p.isoMoment(day)
		}
		slices.Sort(days)
		sent[name] = strings.Join(slices.Compact(days), ",")
	}
	sent["sure"] = p.input("sure")
	return sent
}

// typed returns a text without spaces around it, and with the ends of lines that stored texts have.
func typed(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

// items returns the parts of a text.
func items(text, separator string) []string {
	all := strings.Split(text, separator)
	for i, part := range all {
		all[i] = strings.TrimSpace(part)
	}
	return slices.DeleteFunc(all, func(part string) bool {
		return part == ""
	})
}

// isoMoment returns a day, or a day with a time behind it, as fields for dates have it: a browser
// without such fields sends what was typed, in the order of the language. Other texts stay.
func (p *page) isoMoment(text string) string {
	l := p.locale()
	for i, r := range text {
		if r != ' ' && r != 'T' {
			continue
		}
		if moment := l.ISODay(text[:i]) + "T" + l.ISOTime(text[i+1:]); isMoment(moment) {
			return moment
		}
	}
	return l.ISODay(text)
}

// isMoment reports whether a text is a day and a time as fields for both have them.
func isMoment(text string) bool {
	_, err := time.Parse(momentLayout, text)
	return err == nil
}

// isDay reports whether a text is a day as fields for dates have it.
func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// Layouts of the fields for dates and times (HTML, section 2.3.5).
const (
	timeLayout   = "15:04"
	momentLayout = "2006-01-02T15:04"
)

// formOf returns the form of a stored event.
func (p *page) formOf(v *store.View, e *store.Event) form {
	start := e.Start.Time()
	end := e.End.Time()
	f := form{
		"title":       e.Title,
		"date":        start.Format(time.DateOnly),
		"description": strings.ReplaceAll(e.Description, "\r\n", "\n"),
		"slug":        plainSlug(e.Slug),
		"zone":        e.Timezone,
		"website":     e.Website,
		"virtual_url": e.VirtualURL,
		"categories":  joined(e.Categories),
		"hide":        ticked[e.HideFromListings],
		"sticky":      ticked[e.Sticky],
		"featured":    ticked[e.Featured],
	}
	days := end.Truncate(24*time.Hour).Sub(start.Truncate(24*time.Hour)) / (24 * time.Hour)
	if !e.AllDay {
		f["starts"] = start.Format(timeLayout)
		if end.After(start) {
			f["ends"] = end.Format(timeLayout)
		}
		if days == 1 && f["ends"] < f["starts"] {
			days = 0 // past midnight
		}
	}
	if days > 0 {
		f["last"] = end.Format(time.DateOnly)
	}
	if e.Recurrence != nil {
		p.setSeries(f, v.Series(e.Recurrence.Series), e.Recurrence.Start)
	}
	if e.Image != 0 {
		f["image"] = digits(e.Image)
	}
	switch typed := e.Cost.Typed(); {
	case typed == "0" || typed == "Free":
		f["free"] = "1"
	case typed == "" || e.Cost.Symbol != "" && e.Cost.IsBare():
		f["cost"] = e.Cost.Text(p.Renderer(v).Currency)
	default:
		f["cost"] = typed
	}
	if e.Status == store.Future || e.Status != store.Publish && e.Date.After(p.Now) {
		f["publish"] = p.Zone.Wall(e.Date).Format(momentLayout)
	}
	names := func(k store.Kind, ids []int64) string {
		var all []string
		for _, id := range ids {
			r := v.Get(k, id)
			if r == nil || api.IsTrash(r) || pages.NameOf(r) == "" {
				continue
			}
			if access.MayName(p.Caller, r) || e.Proposal.IsMade(k, id) {
				all = append(all, pages.NameOf(r))
			}
		}
		return strings.Join(all, separators[k])
	}
	f["venue"] = names(store.Venues, e.Venues)
	f["organizer"] = names(store.Organizers, e.Organizers)
	f["tags"] = names(store.Tags, e.Tags)
	for _, field := range fields {
		f[field.Name] = strings.TrimSpace(f[field.Name])
	}
	return f
}

// separators stand between names in a field: names of organizers have commas.
var separators = map[store.Kind]string{
	store.Venues:     "; ",
	store.Organizers: "; ",
	store.Tags:       ", ",
}

// plainSlug returns a stored slug as people write it.
func plainSlug(slug string) string {
	if text, err := url.PathUnescape(slug); err == nil {
		return text
	}
	return slug
}

// ticked has the value of a box by its state.
var ticked = map[bool]string{true: "1"}

// joined writes ids with commas.
func joined(ids []int64) string {
	var all []string
	for _, id := range ids {
		all = append(all, digits(id))
	}
	return strings.Join(all, ",")
}

// members returns the members of the API that differ between two forms. Fields that are as they
// were are left out, so that an event of a series keeps what it has of its series, and a text that
// the form shows in another way stays.
func (f form) members(was form) map[string]any {
	sent := map[string]any{}
	changed := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return f[name] != was[name]
		})
	}
	for field, member := range map[string]string{
		"title":       "title",
		"description": "description",
		"slug":        "slug",
		"website":     "website",
		"virtual_url": "virtual_url",
		"zone":        "timezone",
	} {
		if changed(field) {
			sent[member] = f[field]
		}
	}
	for field, member := range map[string]string{
		"hide":     "hide_from_listings",
		"sticky":   "sticky",
		"featured": "featured",
	} {
		if changed(field) {
			sent[member] = f[field] != ""
		}
	}
	if changed("date", "starts", "ends", "last") {
		f.setTimes(sent)
	}
	if f["tell"] == tellNow {
		sent["rescheduled"] = true
	}
	switch {
	case !changed("free", "cost"):
	case f["free"] != "" && f["cost"] == "":
		sent["cost"] = "0"
	default:
		sent["cost"] = f["cost"]
	}
	if changed("image") {
		sent["image"] = f["image"]
		if f["image"] == "" {
			sent["image"] = false
		}
	}
	if changed("categories") {
		sent["categories"] = list(items(f["categories"], ","))
	}
	if changed("tags") {
		sent["tags"] = list(items(f["tags"], ","))
	}
	if f["open"] != "" {
		sent["password"] = nil
	} else if f["password"] != "" {
		sent["password"] = f["password"]
	}
	if comes := f.recurrence(was); comes != nil {
		sent["recurrence"] = comes
	}
	if changed("publish") && f["publish"] != "" {
		sent["date"] = strings.Replace(f["publish"], "T", " ", 1)
	}
	return sent
}

// setTimes sets start and end. Without a time the event takes whole days. The last day is the one
// that was typed, else that of as many days as the form keeps. Else an end that is earlier in the
// day is on the next day.
func (f form) setTimes(sent map[string]any) {
	date := f["date"]
	last := f["last"]
	if last == "" {
		last = date
		days, _ := strconv.Atoi(f["days"])
		if f["days"] == "" && f["ends"] != "" && f["ends"] < f["starts"] {
			days = 2
		}
		if first, err := time.Parse(time.DateOnly, date); err == nil && days > 1 {
			last = first.AddDate(0, 0, days-1).Format(time.DateOnly)
		}
	}
	ends := cmp.Or(f["ends"], f["starts"])
	sent["all_day"] = f["starts"] == ""
	sent["start_date"] = strings.TrimSpace(date + " " + f["starts"])
	sent["end_date"] = strings.TrimSpace(last + " " + ends)
}

// list returns texts as a list of the API.
func list(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}
