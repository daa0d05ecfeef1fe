// Names of zones: which are known, how they are spelled, and a cache of zones
// that were asked for.

package caltime

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// nameList holds the names of the IANA database, aliases included, one a line.
// It is the list of the zip file that comes with Go; TestNames -update writes it.
// Only names on it are opened as files.
//
//go:embed names.txt
var nameList string

// canonical maps names in lower case to their spelling.
var canonical = sync.OnceValue(func() map[string]string {
	names := strings.Fields(nameList)
	m := make(map[string]string, len(names))
	for _, name := range names {
		m[strings.ToLower(name)] = name
	}
	return m
})

// standard holds the names of the IANA list that are abbreviations of a standard
// time, with their hours east of UTC. "CET" has this offset all year, as clients
// of The Events Calendar expect; the database makes some of them aliases of a city
// with summer time.
var standard = map[string]int{
	"WET": 0, "CET": 1, "MET": 1, "EET": 2, "EST": -5, "MST": -7, "HST": -10,
}

// Corrections in the errors of LoadZone.
var (
	errName = errors.New(
		"give an IANA name such as Europe/Paris, or UTC, or an offset such as UTC+2, UTC-3:30, UTC+5.5 or +02:00",
	)
	errFar = errors.New("give an offset from -12 to +14 hours in steps of a quarter of an hour")
)

// LoadZone returns the zone of a name: one of the IANA database, aliases
// included, in any letter case; UTC with hours, "UTC+2", "UTC-3:30", "UTC+5.5";
// or an offset as programs write it, "+02:00", "+0200", "+02", "GMT+2", "Z". Offsets
// go from -12 to +14 hours in quarter hours. A space counts as the plus sign that
// forms make it of. The specification leaves the forms open; these are the ones
// existing clients send. The empty name is an error, and every error says what
// would be right.
//
// The zone carries the canonical spelling: IANA names as the database spells
// them, aliases kept; UTC with hours as given; other offsets as "+02:00", and Z as
// UTC.
func LoadZone(name string) (*Zone, error) {
	z, err := loadZone(name)
	if err != nil {
		return nil, fmt.Errorf("time zone %.40q: %w", name, err)
	}
	return z, nil
}

func loadZone(name string) (*Zone, error) {
	if strings.EqualFold(name, "Z") {
		return utc, nil
	}
	spelled, ok := canonical()[strings.ToLower(name)]
	if !ok {
		if err := errAbbreviation(name); err != nil {
			return nil, err
		}
		return offsetZone(name)
	}
	if hours, ok := standard[spelled]; ok {
		z := fixed(spelled, spelled, hours*secondsPerHour)
		z.portable, _ = offsetZone(fmt.Sprintf("UTC%+d", hours)) // which is one of ours
		return z, nil
	}
	loc, err := time.LoadLocation(spelled)
	if err != nil {
		return nil, fmt.Errorf(
			"its rules are missing, the program must import time/tzdata: %w",
			err,
		)
	}
	return &Zone{name: spelled, loc: loc, known: survey(loc)}, nil
}

// offsetZone reads UTC±H, UTC±HH, each with :MM, .25, .5 or .75, and the same
// with GMT or nothing in front, without fractions. HHMM is HH:MM, and a sign that
// a form took away is +.
func offsetZone(name string) (*Zone, error) {
	base := ""
	offset := name
	if len(name) > 3 &&
		(strings.EqualFold(name[:3], "UTC") || strings.EqualFold(name[:3], "GMT")) {
		base = strings.ToUpper(name[:3])
		offset = name[3:]
	}
	sign := byte('+')
	switch {
	case offset != "" && (offset[0] == '+' || offset[0] == ' '):
		offset = offset[1:]
	case offset != "" && offset[0] == '-':
		sign = '-'
		offset = offset[1:]
	case base == "":
		return nil, errName // a number alone is no zone
	}
	if len(offset) == 4 && !strings.ContainsAny(offset, ":.") {
		offset = offset[:2] + ":" + offset[2:]
	}
	whole := offset
	part := ""
	if i := strings.IndexAny(whole, ":."); i >= 0 {
		whole, part = whole[:i], whole[i:]
	}
	hours, err := strconv.ParseUint(whole, 10, 8)
	if err != nil || len(whole) > 2 || base != "UTC" && strings.HasPrefix(part, ".") ||
		strings.Trim(part, ":.0123456789") != "" {
		return nil, errName
	}
	quarters, ok := map[string]int{
		"": 0, ":00": 0, ":15": 1, ":30": 2, ":45": 3, ".25": 1, ".5": 2, ".75": 3,
	}[part]
	if !ok {
		return nil, errFar
	}
	quarters += 4 * int(hours)
	east := quarters
	if sign == '-' {
		east = -quarters
	}
	if east < -12*4 || east > 14*4 {
		return nil, errFar
	}
	spelled := fmt.Sprintf("UTC%c%s", sign, offset)
	abbr := spelled
	if base != "UTC" {
		spelled = fmt.Sprintf("%c%02d:%02d", sign, quarters/4, quarters%4*15)
		abbr = "GMT" + strings.Replace(spelled, ":", "", 1)
	}
	return fixed(spelled, abbr, east*15*60), nil
}

// Names returns the names of the IANA database, aliases included, in order.
func Names() []string { return strings.Fields(nameList) }

// countryList holds the zones of each country, a country a line, from zone.tab of the IANA
// database. The zone of most people is the first of a country.
//
//go:embed countries.txt
var countryList string

// Countries returns the names of the zones of each country, by its two letters of ISO 3166-1. The
// zone of most people is the first one.
func Countries() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(countryList) {
		words := strings.Fields(line)
		all[words[0]] = words[1:]
	}
	return all
}

// Zones keeps the zones it has loaded. The zero value is ready to use, also by
// several goroutines at once. It holds at most one zone per canonical name, about
// a thousand, so that no flood of requests makes it grow further.
type Zones struct{ byName sync.Map } // of *Zone, by canonical name

// Load is [LoadZone], remembered: equal names give the same zone.
func (zs *Zones) Load(name string) (*Zone, error) {
	if z, ok := zs.byName.Load(name); ok {
		return z.(*Zone), nil
	}
	z, err := LoadZone(name)
	if err != nil {
		return nil, err
	}
	known, _ := zs.byName.LoadOrStore(z.name, z)
	return known.(*Zone), nil
}
