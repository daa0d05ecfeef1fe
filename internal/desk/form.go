// An event as a form, and the form as parameters of the API.

package desk

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/cost"
	"almanac/internal/pages"
	"almanac/internal/rrule"
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
		sent[f.Name] = typed(p.In.Text(f.Name))
	}
	if offered := p.In.Text("offered"); offered != "" { // dates that take place are ticked
		ticked := items(p.In.Text("takes"), ",")
		for _, day := range items(offered, ",") {
			if !slices.Contains(ticked, day) {
				sent["leave"] += "," + day
			}
		}
	}
	for _, name := range []string{"date", "last", "until"} {
		sent[name] = p.locale().ISODay(sent[name])
	}
	sent["publish"] = p.isoMoment(sent["publish"])
	for _, name := range []string{"starts", "ends"} {
		sent[name] = p.locale().ISOTime(sent[name])
	}
	for _, name := range []string{"dates", "leave", "more"} { // fields that stand there several times, some of them empty
		days := slices.DeleteFunc(
			strings.Split(sent[name], ","),
			func(day string) bool {
				return day == ""
			},
		)
		for i, day := range days {
			days[i] = p.isoMoment(day)
		}
		slices.Sort(days)
		sent[name] = strings.Join(slices.Compact(days), ",")
	}
	sent["sure"] = p.In.Text("sure")
	return sent
}

// typed returns a text without spaces around it, and with the ends of lines that stored texts have.
func typed(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
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
			if r := v.Get(k, id); r != nil &&
				(access.MayName(p.Caller, r) || e.Proposal.IsMade(k, id)) &&
				!api.IsTrash(r) &&
				pages.NameOf(r) != "" {
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

// Values of the field that says whether visitors are told of a new date. A postponed event asks
// for one of them.
const (
	tellNow   = "1"
	tellNever = "no"
)

// checkTell asks whether a postponed event with a new date takes place then: its page said that no
// date is known. Where no date changed, there is nothing to tell.
func (p *page) checkTell(e *store.Event, f, was form) {
	isMoved := f["date"] != was["date"] || f["starts"] != was["starts"] || f["zone"] != was["zone"]
	switch {
	case isPostponed(e) && isMoved && f["tell"] != tellNow && f["tell"] != tellNever:
		p.reject("tell", "desk.tell-postponed")
	case f["tell"] == tellNow && !isMoved:
		p.reject("tell", "desk.tell-nothing")
	}
}

// isPostponed reports whether the stored event, nil for a new one, waits for a date.
func isPostponed(e *store.Event) bool {
	return e != nil && e.State == store.Postponed
}

// checkCost complains about a cost beside the tick that there is none. Words that say the same are
// none: they are stored as they were typed.
func (p *page) checkCost(f form) {
	typed, err := cost.Parse(f["cost"])
	if f["free"] != "" && f["cost"] != "" && (err != nil || !typed.IsFreeForAll()) {
		p.reject("cost", "desk.free-or-cost")
	}
}

// checkFolds complains about fields that nothing would be made of, because another one is empty or
// says something else.
func (p *page) checkFolds(f, was form) {
	how := f["repeat"]
	days := f["dates"]
	until := ""
	if f["until"] != was["until"] {
		until = f["until"]
	}
	isWeekly := how == "fortnightly" || how == "weekly" || strings.HasPrefix(how, "FREQ=WEEKLY")
	isMonthly := how == "monthly" || strings.HasPrefix(how, "FREQ=MONTHLY")
	switch {
	case how == "" && f["weekdays"]+f["weeks"]+f["more"]+until+days != "":
		p.reject("repeat", "desk.how-often")
	case f["weekdays"] != "" && !isWeekly, f["weeks"] != "" && !isMonthly,
		how == "dates" && until != "", how != "dates" && days != "":
		p.reject("repeat", "desk.other-repeat")
	case how == "dates" && days == "" && was["first"] == "":
		p.reject("repeat", "desk.no-dates")
	}
	if f["open"] != "" && f["password"] != "" {
		p.reject("password", "desk.password-or-none")
	}
}

// yearsNear is how many years a date is at most away from today that nobody is asked about.
const yearsNear = 10

// Days returns the days of a form, which the answer is about whether they are meant.
func (f form) Days() string {
	return f["date"] + "/" + f["last"] + "/" + f["until"]
}

// checkYear asks once whether the days of an event that becomes public are meant, if they are over
// or far away: that may be a slip. Past dates of a series are usual.
func (p *page) checkYear(f form) {
	last := cmp.Or(f["last"], f["date"])
	if until := f["until"]; isDay(until) && until > last {
		last = until
	}
	first, err := time.Parse(time.DateOnly, f["date"])
	if err != nil || !isDay(last) || f["sure"] == f.Days() {
		return
	}
	today := p.Zone.Wall(p.Now)
	if zone, err := caltime.LoadZone(f["zone"]); err == nil {
		today = zone.Wall(p.Now)
	}
	years := today.Year() - first.Year()
	if first.AddDate(years, 0, 0).After(today) {
		years--
	}
	end, _ := time.Parse(time.DateOnly, last)
	isPast := f["repeat"] == "" && last < today.Format(time.DateOnly)
	switch {
	case end.After(today.AddDate(yearsNear, 0, 0)):
		p.reject("sure", "desk.far-ahead", "{date}", p.locale().Full(end))
	case years >= yearsNear || isPast && years > 1:
		p.reject("sure", "desk.is-past", "{ago}", p.Language.Count("desk.years-ago", years))
	case isPast:
		days := max(1, int(today.Sub(end)/(24*time.Hour)))
		p.reject("sure", "desk.is-past", "{ago}", p.Language.Count("desk.days-ago", days))
	}
}

// checkTimes complains about dates and times that do not exist or contradict each other, if the
// form has others than it had: the API would take some of them for something else.
func (p *page) checkTimes(f, was form) {
	isOther := func(name string) bool {
		return f[name] != was[name]
	}
	if was["date"] != "" &&
		!slices.ContainsFunc(
			[]string{"date", "starts", "ends", "last", "until", "dates", "more", "publish"},
			isOther,
		) {
		return
	}
	first := time.Time{}
	isFirst := false
	if f["date"] == "" {
		p.reject("date", "desk.no-date")
	} else {
		first, isFirst = p.checkDay("date", f["date"])
	}
	for _, name := range []string{"last", "until"} {
		if f[name] != "" {
			ofSeries := name == "until" &&
				was["first"] != "" // which may have begun before the event
			if day, ok := p.checkDay(name, f[name]); ok && isFirst && day.Before(first) &&
				!ofSeries {
				p.reject(name, "desk.day-before")
			}
		}
	}
	for _, moment := range items(f["more"], ",") {
		if !isMoment(moment) {
			p.reject("more", "desk.odd-date")
		}
	}
	if days, err := strconv.Atoi(f["days"]); f["days"] != "" &&
		(err != nil || days < 1 || days > daysMost) {
		p.complain("days")
	}
	for _, day := range items(f["dates"], ",") {
		p.checkDay("repeat", day)
	}
	times := true
	for _, name := range []string{"starts", "ends"} {
		if _, err := time.Parse(timeLayout, f[name]); f[name] != "" && err != nil {
			p.reject(name, "desk.odd-time")
			times = false
		}
	}
	switch {
	case f["starts"] == "" && f["ends"] != "":
		p.reject("starts", "desk.no-start")
	case times && f["ends"] != "" && f["ends"] < f["starts"] &&
		(f["last"] == f["date"] || f["last"] == "" && hoursOverNight(f["starts"], f["ends"]) > 12):
		p.reject("ends", "desk.end-before")
	}
	if f["publish"] != "" && !isMoment(f["publish"]) {
		p.complain("publish")
	}
}

// checkDay returns the day of a field, or complains that there is none.
func (p *page) checkDay(field, text string) (day time.Time, ok bool) {
	day, err := time.Parse(time.DateOnly, text)
	if err == nil {
		return day, true
	}
	at := max(0, len(text)-len("-31"))
	month := text[:at]
	number := text[at:]
	first, err := time.Parse("2006-01", month)
	if err == nil && slices.Contains([]string{"-29", "-30", "-31"}, number) {
		count := p.locale().Number(first.AddDate(0, 1, -1).Day())
		p.reject(field, "desk.short-month", "{month}", p.locale().Month(first), "{count}", count)
	} else {
		p.reject(field, "desk.odd-date")
	}
	return day, false
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

// list returns texts as a list of the API.
func list(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

// daysMost is how many days the form keeps for an event that is like another one.
const daysMost = 3660

// hoursOverNight returns how long an event takes that ends on the day after the first one. Longer
// than half a day is rather a slip: then the last day is to be named, too.
func hoursOverNight(starts, ends string) float64 {
	start, _ := time.Parse(timeLayout, starts)
	end, _ := time.Parse(timeLayout, ends)
	return 24 - start.Sub(end).Hours()
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

// repeats are the choices of how an event comes again, with the keys of their texts.
var repeats = []label{
	{"", "desk.once"},
	{"weekly", "desk.weekly"},
	{"fortnightly", "desk.fortnightly"},
	{"monthly", "desk.monthly"},
	{"monthday", "desk.monthday"},
	{"yearly", "desk.yearly"},
	{"dates", "desk.chosen-dates"},
}

// recurrence returns the member of the API for how the event comes again: by a rule, less dates
// that are left out, or on chosen dates.
func (f form) recurrence(was form) any {
	if was["first"] != "" {
		return f.changedSeries(was)
	}
	rule := f.rule()
	added := items(f["dates"], ",")
	left := items(f["leave"], ",")
	switch {
	case f["repeat"] == "dates" && len(added) > 0:
		return map[string]any{"rule": nil, "rdates": list(added)}
	case rule != "" && len(left) > 0:
		return map[string]any{"rule": rule, "exdates": list(left)}
	case rule != "":
		return rule
	}
	return nil
}

// walkedMost is how many dates of a rule are walked through for its last day.
const walkedMost = 2000

// setSeries sets what the form has of the series of an event, which was made for a date: the rule
// without its end, the last day, the dates that are left out and, outside of the fields, those
// that were added.
func (p *page) setSeries(f form, s *store.Series, date store.Wall) {
	if s == nil || !p.MayReadSeries(s) {
		return
	}
	moments := func(dates []store.Wall) string {
		var all []string
		for _, w := range dates {
			all = append(all, w.Time().Format(momentLayout))
		}
		return strings.Join(all, ",")
	}
	f["first"] = date.Time().Format(momentLayout)
	f["leave"] = moments(s.EXDates)
	f["added"] = moments(s.RDates)
	f["repeat"] = "dates"
	if rule, err := rrule.ParseRule(s.Rule); s.Rule != "" && err == nil {
		f["repeat"] = endless(s)
		if rule.Until.Form != 0 {
			f["until"] = store.Wall(rule.Until.Seconds).Time().Format(time.DateOnly)
		}
		ruled := *s
		ruled.RDates = nil
		ruled.EXDates = nil
		if all := p.DatesFrom(&ruled, s.Event.Start, walkedMost); rule.Count+int(
			rule.Until.Form,
		) > 0 &&
			len(all) > 0 &&
			len(all) < walkedMost {
			f["until"] = all[len(all)-1].Time().Format(time.DateOnly)
		}
	}
}

// changedSeries returns the member of the API for the series of a stored event, with the parts
// that differ; nil is none. Dates move with the event.
func (f form) changedSeries(was form) any {
	sent := map[string]any{}
	changed := func(name string) bool {
		return f[name] != was[name]
	}
	if changed("repeat") || changed("until") || f["weekdays"] != "" || f["weeks"] != "" {
		if rule := f.rule(); rule != "" {
			sent["rule"] = rule
		}
	}
	shift := time.Duration(0)
	first, _ := time.Parse(momentLayout, was["first"])
	if start, err := time.Parse(momentLayout, f["date"]+"T"+f["starts"]); err == nil &&
		(changed("date") || changed("starts")) {
		shift = start.Sub(first)
	}
	moved := func(dates string) []string {
		all := items(dates, ",")
		for i, one := range all {
			at, err := time.Parse(momentLayout, one)
			if err == nil {
				all[i] = at.Add(shift).Format(momentLayout)
			}
		}
		if f["scope"] == "following" { // earlier dates are those of the part before
			from := first.Add(shift).Format(momentLayout)
			all = slices.DeleteFunc(all, func(one string) bool {
				return one < from
			})
		}
		return all
	}
	if changed("leave") {
		sent["exdates"] = list(moved(f["leave"]))
	}
	if f["more"] != "" {
		sent["rdates"] = list(append(moved(was["added"]), items(f["more"], ",")...))
	}
	if len(sent) == 0 {
		return nil
	}
	return sent
}

// datesMost is how many dates of a rule the form lists.
const datesMost = 60

// datesOf returns the dates of the series of an event, from this event or from today on. Those
// that take place are chosen.
func (p *page) datesOf(v *store.View, f form, e *store.Event) (all []option) {
	s := *v.Series(e.Recurrence.Series)
	left := items(f["leave"], ",")
	s.EXDates = nil
	l := p.locale()
	for _, date := range p.DatesFrom(&s, min(e.Recurrence.Start, store.WallOf(caltime.StartOfDay(p.Zone.Wall(p.Now)))), datesMost) {
		moment := date.Time().Format(momentLayout)
		at := date
		var states []string
		if made := v.Instance(s.ID, date); made != nil {
			at = made.Start // it may have been moved
			states = p.stateWords(made)
		}
		text := l.Medium(at.Time())
		if !s.Event.AllDay {
			text = p.T("site.titled", "{state}", text, "{name}", l.Time(at.Time()))
		}
		if len(states) > 0 {
			text += " (" + strings.Join(states, ", ") + ")"
		}
		all = append(all, option{moment, text, !slices.Contains(left, moment)})
	}
	return all
}

// dates returns the dates that the rule of the form gives after the first one. Dates that take
// place are chosen.
func (p *page) dates(f form) (all []option) {
	days := maps.Clone(f)
	days["starts"] = ""
	start, err := time.Parse(time.DateOnly, f["date"])
	rule, wrong := rrule.ParseRule(days.rule())
	set := rrule.Set{Start: rrule.At(start, rrule.Date), Rule: rule}
	if err != nil || wrong != nil || set.Check() != nil {
		return nil
	}
	left := items(f["leave"], ",")
	for t := range set.From(start.AddDate(0, 0, 1)) {
		if len(all) == datesMost {
			break
		}
		day := t.Format(time.DateOnly)
		all = append(
			all,
			option{day, p.locale().Medium(t), !slices.Contains(left, day)},
		)
	}
	return all
}

// byDays finds the days of a rule, which the ticked ones take the place of.
var byDays = regexp.MustCompile(";BY(DAY|MONTHDAY|SETPOS)=[^;]*")

// rule returns the recurrence rule of the form, "" for none. Every month means the same weekday of
// the month, as the second Tuesday; the fifth is the last.
func (f form) rule() string {
	first, err := time.Parse(time.DateOnly, f["date"])
	rule := map[string]string{
		"weekly":      "FREQ=WEEKLY",
		"fortnightly": "FREQ=WEEKLY;INTERVAL=2",
	}[f["repeat"]]
	if strings.HasPrefix(f["repeat"], "FREQ=") {
		rule = f["repeat"]
	}
	if f["repeat"] == "yearly" {
		rule = "FREQ=YEARLY"
	}
	weekday := strings.ToUpper(first.Weekday().String()[:2])
	isMonthly := f["repeat"] == "monthly" || strings.HasPrefix(rule, "FREQ=MONTHLY")
	switch {
	case f["weekdays"] != "" && strings.HasPrefix(rule, "FREQ=WEEKLY"):
		rule = byDays.ReplaceAllString(rule, "") + ";BYDAY=" + f["weekdays"]
	case err != nil:
	case f["repeat"] == "monthday":
		rule = fmt.Sprintf("FREQ=MONTHLY;BYMONTHDAY=%d", first.Day())
	case isMonthly && f["weeks"] != "":
		rule = byDays.ReplaceAllString(cmp.Or(rule, "FREQ=MONTHLY"), "") +
			";BYDAY=" + strings.ReplaceAll(f["weeks"], ",", weekday+",") + weekday
	case f["repeat"] == "monthly":
		week := (first.Day()-1)/7 + 1
		if week == 5 {
			week = -1
		}
		rule = fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", week, weekday)
	}
	if rule == "" || f["until"] == "" {
		return rule
	}
	until := strings.ReplaceAll(f["until"], "-", "")
	if f["starts"] != "" {
		until += "T235959"
	}
	return rule + ";UNTIL=" + until
}
