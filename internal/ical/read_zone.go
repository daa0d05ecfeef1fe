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

	"almanac/internal/caltime"
	"almanac/internal/rrule"
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
	maxZones   = 200 // that are remembered
	maxOnsets  = 100 // of an observance
	maxParts   = 500 // observances of a zone
	firstRules = 1970
	lastRules  = 2035 // years from which the database of zones has no changes but by rules
	compared   = 3    // years in which zones have to be the same
)

// Zones finds the zones that a file means.
type Zones struct {
	loaded caltime.Zones
	rules  map[string]*zoneRules
	found  map[foundZone]string // "" is none
}

type foundZone struct {
	tzid string
	year int
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
	tzid := c.Text("TZID")
	if z.rules == nil {
		z.rules = map[string]*zoneRules{}
		z.found = map[foundZone]string{}
	}
	if tzid == "" || c.Wrong != "" || len(z.rules) >= maxZones || len(c.Components) > maxParts ||
		z.rules[tzid] != nil {
		return
	}
	r := &zoneRules{location: c.Text("X-LIC-LOCATION")}
	for _, part := range c.Components {
		if o, ok := readObservance(part); ok {
			r.parts = append(r.parts, o)
		}
	}
	z.rules[tzid] = r
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
		o.set.Rule, errs[3] = rrule.ParseRule(rule.Value)
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

// Find returns the name, as package caltime knows it, of the zone that a TZID means in a
// year: that of its name; else of its rules, if it has a VTIMEZONE before this.
func (z *Zones) Find(tzid string, year int) (string, error) {
	rules := z.rules[tzid]
	// An abbreviation may be meant for a zone with summer time.
	if name := z.named(tzid); name != "" && (rules == nil || len(name) > 3 || name == "UTC") {
		return name, nil
	}
	if rules == nil {
		return "", fmt.Errorf(
			"the time zone %.80q is not known, and no VTIMEZONE before says what it is; "+
				"right would be a name such as Europe/Paris",
			tzid,
		)
	}
	key := foundZone{tzid, min(max(year, firstRules), lastRules)}
	name, known := z.found[key]
	if !known {
		name = z.search(tzid, rules, key.year)
		z.found[key] = name
	}
	if name == "" {
		return "", fmt.Errorf(
			"the time zone %.80q is none of the known ones, by its name or by the offsets of its VTIMEZONE in %d",
			tzid,
			key.year,
		)
	}
	return name, nil
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
	return ""
}

// search returns a zone with the offsets of the rules in a year and the years after it: an
// offset, if there is only one, otherwise a zone of the database. Zones that the TZID names
// in any way are preferred, then zones with many inhabitants.
func (z *Zones) search(tzid string, rules *zoneRules, year int) string {
	if name := z.named(rules.location); name != "" {
		return name
	}
	from := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	shown := rules.shown(from, from.AddDate(compared, 0, 0))
	if len(shown) == 0 {
		return ""
	}
	same := func(name string) bool {
		zone, err := z.loaded.Load(name)
		return err == nil &&
			!slices.ContainsFunc(
				shown,
				func(s reading) bool { return zone.Offset(time.Unix(s.at, 0)) != s.offset },
			)
	}
	if name := z.named(tzid); name != "" && same(name) {
		return name
	}
	if !slices.ContainsFunc(shown, func(s reading) bool { return s.offset != shown[0].offset }) {
		if zone, err := z.loaded.Load(time.Unix(0, 0).In(time.FixedZone("", shown[0].offset)).Format("-07:00")); err == nil {
			return zone.Name()
		}
	}
	_, wellKnown := windows()
	tzid = strings.ToLower(tzid)
	mentioned := slices.DeleteFunc(caltime.Names(), func(name string) bool {
		city := strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
		return !strings.Contains(name, "/") ||
			!strings.Contains(tzid, strings.ReplaceAll(city, "_", " "))
	})
	for _, names := range [][]string{mentioned, wellKnown, caltime.Names()} {
		if i := slices.IndexFunc(names, same); i >= 0 {
			return names[i]
		}
	}
	return ""
}

// A reading is the offset from UTC at a moment.
type reading struct {
	at     int64
	offset int
}

// shown returns what clocks show from one time to another: each day, and before and after
// each change.
func (r *zoneRules) shown(from, to time.Time) (all []reading) {
	type onset struct {
		at         int64
		before, to int
	}
	var onsets []onset
	for _, o := range r.parts {
		add := func(t time.Time) { onsets = append(onsets, onset{t.Unix() - int64(o.from), o.from, o.to}) }
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
			if add(t); n == maxOnsets {
				break
			}
			n++
		}
	}
	if len(onsets) == 0 {
		return nil
	}
	slices.SortStableFunc(onsets, func(a, b onset) int { return cmp.Compare(a.at, b.at) })
	at := func(t int64) {
		offset := onsets[0].before
		if i, _ := slices.BinarySearchFunc(onsets, t+1, func(o onset, t int64) int { return cmp.Compare(o.at, t) }); i > 0 {
			offset = onsets[i-1].to // of the last one up to t
		}
		all = append(all, reading{t, offset})
	}
	for _, o := range onsets {
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
