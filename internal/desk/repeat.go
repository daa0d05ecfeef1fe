// How an event comes again: a series in the form, and back.

package desk

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/people/access"
	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
	"almanac/store"
)

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

// offerRule adds the rule of a series, without its end, to the choices of how an event comes
// again.
func (p *page) offerRule(ed *editing, s *store.Series) {
	if s == nil || s.Rule == "" {
		return
	}
	without := *s
	without.Rule = endless(s)
	without.RDates = nil
	without.EXDates = nil
	ed.Repeats = append(ed.Repeats, option{Value: without.Rule, Text: p.InWords(&without)})
}

// endless returns the rule of a series without its end. It names the days that it took from the
// first date: so it means the same on another one.
func endless(s *store.Series) string {
	rule, err := rrule.ParseRule(s.Rule)
	if err != nil {
		return s.Rule
	}
	rule.Count = 0
	rule.Until = rrule.DateTime{}
	if first := s.Event.Start.Time(); !strings.Contains(rule.String(), ";BY") {
		switch rule.Freq {
		case rrule.Weekly:
			rule.ByDay = []rrule.Day{{Weekday: rrule.WeekdayOf(first)}}
		case rrule.Yearly:
			rule.ByMonth = []int{int(first.Month())}
			rule.ByMonthDay = []int{first.Day()}
		case rrule.Monthly:
			rule.ByMonthDay = []int{first.Day()}
		}
	}
	return rule.String()
}

// isRuleOf reports whether a choice of the form says the same as the rule of a series.
func (p *page) isRuleOf(s *store.Series, choice string) bool {
	if s == nil || s.Rule == "" {
		return false
	}
	chosen := *s
	f := form{"date": s.Event.Start.Time().Format(time.DateOnly), "repeat": choice}
	chosen.Rule = f.rule()
	return chosen.Rule != "" && endless(&chosen) == endless(s)
}

// offerDays offers the weekdays of a week, and the weeks of a month for the weekday of the form.
func (p *page) offerDays(ed *editing) {
	weekdays := items(ed.Form["weekdays"], ",")
	weeks := items(ed.Form["weeks"], ",")
	names := p.locale().Weekdays()
	for _, day := range p.locale().Week().Days() {
		value := strings.ToUpper(day.String()[:2])
		ed.Weekdays = append(
			ed.Weekdays,
			option{value, names[day], slices.Contains(weekdays, value)},
		)
	}
	first, err := time.Parse(time.DateOnly, ed.Form["date"])
	if err != nil {
		return
	}
	for _, week := range []string{"1", "2", "3", "4", "-1"} {
		s := store.Series{
			Event: store.Event{
				Start:    store.WallOf(first),
				AllDay:   true,
				Timezone: "UTC",
			},
		}
		s.Rule = "FREQ=MONTHLY;BYDAY=" + week + strings.ToUpper(first.Weekday().String()[:2])
		ed.Weeks = append(ed.Weeks, option{week, p.InWords(&s), slices.Contains(weeks, week)})
	}
}

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
	rule, err := rrule.ParseRule(s.Rule)
	if s.Rule == "" || err != nil {
		return
	}
	f["repeat"] = endless(s)
	if rule.Until.Form == 0 && rule.Count == 0 {
		return
	}
	if rule.Until.Form != 0 {
		f["until"] = store.Wall(rule.Until.Seconds).Time().Format(time.DateOnly)
	}
	ruled := *s
	ruled.RDates = nil
	ruled.EXDates = nil
	all := p.DatesFrom(&ruled, s.Event.Start, walkedMost)
	if len(all) > 0 && len(all) < walkedMost {
		f["until"] = all[len(all)-1].Time().Format(time.DateOnly)
	}
}

// walkedMost is how many dates of a rule are walked through for its last day.
const walkedMost = 2000

// otherParts returns the first event of each other part of a series that was split, with the dates
// of this part in words.
func (p *page) otherParts(v *store.View, s *store.Series) (all []option) {
	for _, part := range p.Parts(&v.Reader, s) {
		if part.ID == s.ID {
			continue
		}
		for _, e := range v.Instances(part.ID) {
			if e.Status == store.Trash || !access.MayEdit(p.Caller, &e.Post) {
				continue
			}
			date := p.locale().Full(e.Recurrence.Start.Time())
			rule := cmp.Or(p.Rhythm(part), p.InWords(part))
			text := p.T("site.later-part", "{rule}", rule, "{date}", date)
			all = append(all, option{Value: p.eventPath(e.ID), Text: text})
			break
		}
	}
	return all
}

// datesMost is how many dates of a rule the form lists.
const datesMost = 60

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
		all = append(all, option{
			Value:  day,
			Text:   p.locale().Medium(t),
			Chosen: !slices.Contains(left, day),
		})
	}
	return all
}

// datesOf returns the dates of the series of an event, from this event or from today on. Those
// that take place are chosen.
func (p *page) datesOf(v *store.View, f form, e *store.Event) (all []option) {
	s := *v.Series(e.Recurrence.Series)
	left := items(f["leave"], ",")
	s.EXDates = nil
	l := p.locale()
	today := store.WallOf(caltime.StartOfDay(p.Zone.Wall(p.Now)))
	for _, date := range p.DatesFrom(&s, min(e.Recurrence.Start, today), datesMost) {
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
		all = append(all, option{
			Value:  moment,
			Text:   text,
			Chosen: !slices.Contains(left, moment),
		})
	}
	return all
}

// setLeft notes the dates that are left out and that the form does not offer.
func (ed *editing) setLeft() {
	left := slices.DeleteFunc(items(ed.Form["leave"], ","), func(one string) bool {
		return slices.ContainsFunc(ed.Dates, func(date option) bool {
			return date.Value == one
		})
	})
	ed.Left = strings.Join(left, ",")
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

// rule returns the recurrence rule of the form, "" for none. Every month means the same weekday of
// the month, as the second Tuesday; the fifth is the last.
func (f form) rule() string {
	first, err := time.Parse(time.DateOnly, f["date"])
	rule := map[string]string{
		"weekly":      "FREQ=WEEKLY",
		"fortnightly": "FREQ=WEEKLY;INTERVAL=2",
		"yearly":      "FREQ=YEARLY",
	}[f["repeat"]]
	if strings.HasPrefix(f["repeat"], "FREQ=") {
		rule = f["repeat"]
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

// byDays finds the days of a rule, which the ticked ones take the place of.
var byDays = regexp.MustCompile(";BY(DAY|MONTHDAY|SETPOS)=[^;]*")

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
	start, err := time.Parse(momentLayout, f["date"]+"T"+f["starts"])
	if err == nil && (changed("date") || changed("starts")) {
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
