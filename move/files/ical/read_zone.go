// Which zone a TZID means (sections 3.2.19 and 3.6.5 of RFC 5545).

package ical

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/rrule"
)

// windowsList has the names of zones in Windows; its head says where they are from.
//
//go:embed windows.txt
var windowsList string

// windows returns zones by their names in Windows, and these zones in the order of the list.
var windows = sync.OnceValues(func() (byName map[string]string, zones []string) {
	byName = map[string]string{}
	for line := range strings.Lines(windowsList) {
		if name, zone, ok := strings.Cut(strings.TrimSpace(line), "="); ok && name[0] != '#' {
			byName[strings.ToLower(name)] = zone
			zones = append(zones, zone)
		}
	}
	return byName, zones
})

// Bounds of the zones of a file, against those that are made to be slow.
const (
	maxTransitions = 100    // of an observance
	maxParts       = 500    // observances of a zone
	maxAll         = 50_000 // zones and observances of a file
	firstRules     = 1970
	lastRules      = 2035 // years from which the database of zones has no changes but by rules
	compared       = 3    // years in which zones have to be the same
)

// Zones finds the zones that a file means. A TZID means the VTIMEZONE of its calendar, wherever
// that stands; without one, that of another calendar of the file.
type Zones struct {
	Site     string // the zone of the site, which is preferred where its clocks agree; "" for none
	Calendar int    // line of the calendar that Define and Find are about

	loaded caltime.Zones
	rules  map[definition]*zoneRules
	size   int // zones and observances in rules
	found  map[foundZone]found
}

// A definition is the place of a VTIMEZONE. The calendar 0 stands for all of the file.
type definition struct {
	calendar int
	tzid     string
}

type foundZone struct {
	rules *zoneRules
	tzid  string
	year  int
}

// found is what a TZID means in a year.
type found struct {
	name        string       // of a zone; "" is none
	isName      bool         // it is named, so that the VTIMEZONE does not matter
	transitions []transition // of the VTIMEZONE, around the year
}

// zoneRules are a VTIMEZONE.
type zoneRules struct {
	location string // another name for it
	parts    []observance
}

// An observance says when clocks begin to show an offset.
type observance struct {
	set      rrule.Set
	from, to int // seconds east of UTC
}

// Define remembers a VTIMEZONE without its invalid observances.
func (z *Zones) Define(c *Component) {
	key := definition{z.Calendar, c.Text("TZID")}
	if z.rules == nil {
		z.rules = map[definition]*zoneRules{}
		z.found = map[foundZone]found{}
	}
	size := 1 + len(c.Components)
	if key.tzid == "" || c.Wrong != "" || len(c.Components) > maxParts || z.size+size > maxAll ||
		z.rules[key] != nil {
		return
	}
	z.size += size
	r := &zoneRules{location: c.Text("X-LIC-LOCATION")}
	for _, part := range c.Components {
		if o, ok := readObservance(part); ok {
			r.parts = append(r.parts, o)
		}
	}
	z.rules[key] = r
	if anywhere := (definition{0, key.tzid}); z.rules[anywhere] == nil {
		z.rules[anywhere] = r
	}
}

func readObservance(c *Component) (o observance, ok bool) {
	start := c.Get("DTSTART")
	from := c.Get("TZOFFSETFROM")
	to := c.Get("TZOFFSETTO")
	if start == nil || from == nil || to == nil {
		return o, false
	}
	var errs [4]error
	o.set.Start, errs[0] = start.Date()
	o.from, errs[1] = Offset(from.Value)
	o.to, errs[2] = Offset(to.Value)
	if rule := c.Get("RRULE"); rule != nil {
		o.set.Rule, errs[3] = rrule.ParseRule(rule.Rule())
	}
	for i := range c.Properties {
		if c.Properties[i].Name == "RDATE" && len(o.set.RDates) < maxParts {
			dates, _ := c.Properties[i].Periods()
			for _, d := range dates {
				o.set.RDates = append(o.set.RDates, d.Start)
			}
		}
	}
	if r := o.set.Rule; r != nil &&
		r.Until.Form == rrule.UTC { // the set has no zone to compare it in
		r.Until = rrule.DateTime{Seconds: r.Until.Seconds + int64(o.from), Form: rrule.Local}
	}
	yearly := o.set.Rule == nil ||
		o.set.Rule.Freq == rrule.Yearly // other frequencies would cost too much
	return o, errors.Join(errs[:]...) == nil && yearly && o.set.Check() == nil
}

// A Meaning is what a TZID means at a local time.
type Meaning struct {
	Zone   string // as package caltime names it; "" if none has the offset
	Offset int    // seconds east of UTC, if Zone is ""
	Steady bool   // the zone is meant at other times too, as far as one is
}

// europe has names of zones that the database once made with summer time. Package caltime takes
// them for offsets.
var europe = map[string]string{
	"CET": "Europe/Paris", "MET": "Europe/Paris", "EET": "Europe/Athens", "WET": "Europe/Lisbon",
}

// Find returns what a TZID means at a local time, in seconds: the zone of its name; else a zone
// that has the offsets of its VTIMEZONE; else the offset of the VTIMEZONE at that time.
func (z *Zones) Find(tzid string, local int64) (Meaning, error) {
	rules := z.rules[definition{z.Calendar, tzid}]
	if rules == nil {
		rules = z.rules[definition{0, tzid}]
	}
	written := time.Unix(local, 0).UTC().Year()
	year := min(max(written, firstRules), lastRules)
	if rules == nil {
		if name := z.european(tzid, year); name != "" {
			return Meaning{Zone: name, Steady: true}, nil
		}
	}
	// An abbreviation may be meant for a zone with summer time.
	if name := z.named(tzid); name != "" && (rules == nil || len(name) > 3 || name == "UTC") {
		return Meaning{Zone: name, Steady: true}, nil
	}
	if rules == nil {
		return Meaning{}, fmt.Errorf(
			"the time zone %.80q is not known, and no VTIMEZONE says what it is; "+
				"right would be a name such as Europe/Paris",
			tzid,
		)
	}
	key := foundZone{rules, tzid, year}
	f, ok := z.found[key]
	if !ok {
		f = z.search(tzid, rules, year)
		z.found[key] = f
	}
	if f.isName || f.name != "" && year != written {
		return Meaning{Zone: f.name, Steady: true}, nil
	}
	if len(f.transitions) == 0 {
		return Meaning{}, fmt.Errorf(
			"the time zone %.80q is none of the known ones by its name, and its VTIMEZONE has no offset",
			tzid,
		)
	}
	offset := offsetOf(f.transitions, local)
	if zone, err := z.loaded.Load(f.name); err == nil &&
		zone.Instant(time.Unix(local, 0).UTC()).Unix() == local-int64(offset) {
		return Meaning{Zone: f.name, Steady: true}, nil
	}
	return Meaning{Zone: z.fixed(offset), Offset: offset}, nil
}

// european returns the zone with summer time that an abbreviation means: that of the site, if its
// clocks agree.
func (z *Zones) european(tzid string, year int) string {
	name := europe[strings.ToUpper(strings.TrimSpace(tzid))]
	zone, err := z.loaded.Load(name)
	if err != nil {
		return ""
	}
	site, err := z.loaded.Load(z.Site)
	from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	to := from.AddDate(compared, 0, 0)
	differ := func(c caltime.Change) bool { return site.Offset(c.At) != c.After }
	if err == nil && len(site.Changes(from, to)) == len(zone.Changes(from, to)) &&
		!slices.ContainsFunc(zone.Changes(from, to), differ) {
		return site.Name()
	}
	return name
}

// fixed returns the name of the zone with one offset, or "".
func (z *Zones) fixed(offset int) string {
	name := time.Unix(0, 0).In(time.FixedZone("", offset)).Format("-07:00")
	if zone, err := z.loaded.Load(name); err == nil && zone.Offset(time.Time{}) == offset {
		return zone.Name()
	}
	return ""
}

// named returns the zone with a name: one of the IANA database, an offset or one of Windows;
// behind what programs put in front of it, as in /mozilla.org/20050126_1/Europe/Berlin.
func (z *Zones) named(tzid string) string {
	tzid = strings.Trim(strings.TrimSpace(tzid), `"`)
	byName, _ := windows()
	for rest := tzid; rest != ""; {
		if zone, err := z.loaded.Load(rest); err == nil {
			return zone.Name()
		}
		if name := byName[strings.ToLower(rest)]; name != "" {
			return name
		}
		_, rest, _ = strings.Cut(rest, "/")
	}
	return z.displayed(tzid)
}

// displayed returns the zone of a name that Windows displays, such as "(UTC+09:00) Osaka, Sapporo,
// Tokyo": by its text, or by a city in it that has the standard offset. It returns "" for others.
func (z *Zones) displayed(tzid string) string {
	offset, text, ok := strings.Cut(strings.TrimPrefix(tzid, "("), ")")
	if !ok || !strings.HasPrefix(tzid, "(UTC") && !strings.HasPrefix(tzid, "(GMT") {
		return ""
	}
	text = strings.TrimSpace(text)
	byName, _ := windows()
	if name := byName[strings.ToLower(text)]; name != "" {
		return name
	}
	want, err := Offset(strings.ReplaceAll(cmp.Or(offset[len("UTC"):], "+0000"), ":", ""))
	if err != nil {
		return ""
	}
	winter := time.Date(lastRules, 1, 1, 0, 0, 0, 0, time.UTC)
	const hour = 60 * 60
	for _, near := range []int{0, hour} { // countries change their standard time
		for _, name := range mentioned(text) {
			zone, err := z.loaded.Load(name)
			if err != nil {
				continue
			}
			standard := min(zone.Offset(winter), zone.Offset(winter.AddDate(0, 6, 0)))
			if max(standard-want, want-standard) == near {
				return name
			}
		}
	}
	return ""
}

// mentioned returns the zones whose cities are in a text.
func mentioned(text string) []string {
	text = strings.ToLower(text)
	return slices.DeleteFunc(caltime.Names(), func(name string) bool {
		city := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
		return !strings.Contains(name, "/") || strings.HasPrefix(name, "Etc/") ||
			!strings.Contains(text, strings.ReplaceAll(city, "_", " "))
	})
}

// search returns a zone with the offsets of the rules: an offset, if there is only one, otherwise a
// zone of the database. It compares the year and those after it, else the year alone but for the
// days of changes, since some programs write one year, and some another hour of these days. Zones
// that the TZID names in any way are preferred, then that of the site, then zones with many
// inhabitants.
func (z *Zones) search(tzid string, rules *zoneRules, year int) found {
	if name := z.named(rules.location); name != "" {
		return found{name: name, isName: true}
	}
	from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	years := from.AddDate(compared, 0, 0)
	transitions := rules.transitions(from, years)
	if len(transitions) == 0 {
		return found{}
	}
	shown := readings(transitions, from, years, 0)
	if !slices.ContainsFunc(shown, func(s reading) bool { return s.offset != shown[0].offset }) {
		if name := z.named(tzid); name == "" || !z.agrees(name, shown) {
			return found{name: z.fixed(shown[0].offset), transitions: transitions}
		}
	}
	_, wellKnown := windows()
	first := []string{cmp.Or(z.named(tzid), "none"), cmp.Or(z.Site, "none")}
	lists := [][]string{first, mentioned(tzid), wellKnown, caltime.Names()}
	next := from.AddDate(1, 0, 0)
	for _, shown := range [][]reading{
		shown,
		readings(transitions, from, next, aDay),
	} {
		for _, names := range lists {
			agrees := func(name string) bool { return z.agrees(name, shown) }
			if i := slices.IndexFunc(names, agrees); i >= 0 {
				return found{name: names[i], transitions: transitions}
			}
		}
	}
	return found{transitions: transitions}
}

// agrees reports whether a zone has the offsets of some readings.
func (z *Zones) agrees(name string, shown []reading) bool {
	zone, err := z.loaded.Load(name)
	differs := func(s reading) bool { return zone.Offset(time.Unix(s.at, 0)) != s.offset }
	return err == nil && len(shown) > 0 && !slices.ContainsFunc(shown, differs)
}

// A reading is the offset from UTC at a moment.
type reading struct {
	at     int64
	offset int
}

// A transition is a moment from which on clocks show another offset.
type transition struct {
	at         int64
	before, to int
}

// transitions returns the changes of the rules up to a time, in order: the changes after another
// time, and the last ones before it, which count there.
func (r *zoneRules) transitions(from, to time.Time) (all []transition) {
	for _, o := range r.parts {
		add := func(t time.Time) {
			all = append(all, transition{t.Unix() - int64(o.from), o.from, o.to})
		}
		add(o.set.Start.In(time.UTC))
		for _, d := range o.set.RDates {
			add(d.In(time.UTC))
		}
		if o.set.Rule == nil {
			continue
		}
		begin := from.AddDate(-2, 0, 0)
		if until := o.set.Rule.Until; until.Form != 0 && until.In(time.UTC).Before(begin) {
			begin = until.In(time.UTC).AddDate(-2, 0, 0) // the last one counts until another comes
		}
		n := 0
		for t := range o.set.Between(begin, to) {
			if add(t); n == maxTransitions {
				break
			}
			n++
		}
	}
	slices.SortStableFunc(all, func(a, b transition) int { return cmp.Compare(a.at, b.at) })
	return all
}

// before returns how many transitions are up to a moment.
func before(transitions []transition, t int64) int {
	at := func(o transition, t int64) int { return cmp.Compare(o.at, t) }
	n, _ := slices.BinarySearchFunc(transitions, t+1, at)
	return n
}

// offsetAt returns the offset at a moment: of the last transition up to it.
func offsetAt(transitions []transition, t int64) int {
	i := before(transitions, t)
	if i == 0 {
		return transitions[0].before
	}
	return transitions[i-1].to
}

// offsetOf returns the offset at a local time: before a change, if clocks show the time twice or
// skip it (section 3.3.5).
func offsetOf(transitions []transition, local int64) int {
	earlier := offsetAt(transitions, local-aDay)
	for _, offset := range []int{
		earlier,
		offsetAt(transitions, local-int64(earlier)),
		offsetAt(transitions, local+aDay),
	} {
		if offsetAt(transitions, local-int64(offset)) == offset {
			return offset
		}
	}
	return earlier
}

// aDay is longer than any offset, in seconds.
const aDay = 24 * 60 * 60

// readings returns what clocks show from one time to another: each day, and before and after each
// change, but nothing less than some seconds from a change.
func readings(transitions []transition, from, to time.Time, apart int64) (all []reading) {
	at := func(t int64) {
		if apart == 0 || before(transitions, t-apart) == before(transitions, t+apart) {
			all = append(all, reading{t, offsetAt(transitions, t)})
		}
	}
	for _, o := range transitions {
		if from.Unix() < o.at && o.at < to.Unix() {
			at(o.at - 1)
			at(o.at)
		}
	}
	for t := from; t.Before(to); t = t.AddDate(0, 0, 1) {
		at(t.Unix())
	}
	return all
}
