package ical_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/text/caltime"
	"almanac/move/files/ical"
)

// zones returns the zones of a calendar.
func zones(t testing.TB, calendar string) *ical.Zones {
	t.Helper()
	var z ical.Zones
	all, _ := readAll(t, inCalendar(calendar))
	for _, c := range all {
		z.Define(c)
	}
	return &z
}

// zone writes a VTIMEZONE of observances, each a DTSTART, an offset before and one after,
// and a rule or nothing.
func zone(tzid string, observances ...string) string {
	b := "BEGIN:VTIMEZONE\nTZID:" + tzid + "\n"
	for _, o := range observances {
		f := strings.Fields(o + " ")
		b += "BEGIN:STANDARD\nDTSTART:" + f[0] + "\nTZOFFSETFROM:" + f[1] + "\nTZOFFSETTO:" + f[2] + "\n"
		if len(f) > 3 {
			b += f[3] + "\n"
		}
		b += "END:STANDARD\n"
	}
	return b + "END:VTIMEZONE\n"
}

// july returns noon of 15 July of a year by the clock.
func july(year int) int64 { return time.Date(year, 7, 15, 12, 0, 0, 0, time.UTC).Unix() }

func TestZonesFind(t *testing.T) {
	const (
		lastOctober = "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"
		lastMarch   = "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"
	)
	central := []string{
		"16010101T030000 +0200 +0100 " + lastOctober,
		"16010101T020000 +0100 +0200 " + lastMarch,
	}
	z := zones(t, zone("(UTC+01:00) Amsterdam, Berlin, Bern, Rome", central...)+
		zone("My zone", central...)+
		zone("Fixed", "19700101T000000 +0530 +0530")+
		zone("CET", central...)+zone("MET", "19700101T000000 +0100 +0100")+
		zone(
			"New York of old",
			"19671029T020000 -0400 -0500 RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z",
			"19870405T020000 -0500 -0400 RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z",
			"20070311T020000 -0500 -0400 RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
			"20071104T020000 -0400 -0500 RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
		)+
		zone("Nowhere", "19700101T000000 +0013 +0013")+
		zone("Half a year", "20260101T000000 +0100 +0300", "20260701T000000 +0300 +0100")+
		zone(
			"By dates",
			"20250330T010000 +0000 +0100 RDATE:20260329T010000,20270328T010000,20280326T010000",
			"20251026T020000 +0100 +0000 RDATE:20261025T020000,20271031T020000,20281029T020000",
		)+
		zone(
			"Until 2010",
			"19921025T030000 +0400 +0300 "+lastOctober+";UNTIL=20101030T230000Z",
			"19930328T020000 +0300 +0400 "+lastMarch+";UNTIL=20100401T000000Z",
		)+
		zone(
			"Until 2036",
			"16010101T030000 +0200 +0100 "+lastOctober+";UNTIL=20361231T000000Z",
			"16010101T020000 +0100 +0200 "+lastMarch+";UNTIL=20361231T000000Z",
		)+
		zone("Too many", slices.Repeat([]string{"19700101T000000 +0530 +0530"}, 501)...)+
		zone("Every second", "20260101T000000 +0100 +0200 RRULE:FREQ=SECONDLY")+
		"BEGIN:VTIMEZONE\nTZID:Elsewhere\nX-LIC-LOCATION:Asia/Tokyo\nEND:VTIMEZONE\n"+
		"BEGIN:VTIMEZONE\nTZID:Loop\nX-LIC-LOCATION:Loop\nEND:VTIMEZONE\n")
	for tzid, want := range map[string]string{
		"Europe/Paris": "Europe/Paris", "europe/paris": "Europe/Paris", `"Europe/Paris"`: "Europe/Paris",
		"UTC": "UTC", "+02:00": "+02:00", "UTC+2": "UTC+2",
		"/mozilla.org/20050126_1/America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
		"/freeassociation.sourceforge.net/Europe/Berlin":         "Europe/Berlin",
		"tzone://Microsoft/Utc":                                  "UTC",
		"W. Europe Standard Time":                                "Europe/Berlin", "Eastern Standard Time": "America/New_York",
		"(UTC+01:00) Amsterdam, Berlin, Bern, Rome": "Europe/Amsterdam", "My zone": "Europe/Budapest", "Fixed": "+05:30",
		"CET": "Europe/Budapest", "MET": "MET", "New York of old": "America/New_York", "By dates": "Europe/London", "Elsewhere": "Asia/Tokyo",
		"Until 2010": "+03:00", "Until 2036": "Europe/Budapest", "(GMT+02:00) Minsk": "Europe/Minsk", "(GMT+01:00) Minsk": "",
		"Nowhere": "", "Too many": "", "Half a year": "+01:00", "Unknown": "", "": "", "Every second": "", "Loop": "",
	} {
		m, err := z.Find(tzid, july(2026))
		if got := m.Zone; got != want || (err == nil) != (want != "" || tzid == "Nowhere") {
			t.Errorf("the zone of %q is %q, want %q (%v)", tzid, m.Zone, want, err)
		}
	}
	z = zones(t, zone("New York of old",
		"20070311T020000 -0500 -0400 RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
		"20071104T020000 -0400 -0500 RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"))
	if got, _ := z.Find("New York of old", july(9000)); got.Zone != "America/New_York" {
		t.Errorf("in the year 9000 it is %q", got.Zone)
	}
}

// An abbreviation is the zone of the site only in years in which both have the same changes.
func TestAbbreviationsAtSites(t *testing.T) {
	z := ical.Zones{Site: "Europe/Rome"}
	for _, test := range []struct {
		tzid string
		year int
		want string
	}{
		{"CET", 2026, "Europe/Rome"},
		{"CET", 1972, "Europe/Paris"}, // which had no summer time then
		{"EET", 2026, "Europe/Athens"},
	} {
		if m, err := z.Find(test.tzid, july(test.year)); err != nil || m.Zone != test.want {
			t.Errorf("%s in %d is %q (%v), want %q", test.tzid, test.year, m.Zone, err, test.want)
		}
	}
}

// TestWindowsZones holds the list to the zones that the program knows.
func TestWindowsZones(t *testing.T) {
	var z ical.Zones
	for _, name := range []string{"Hawaiian Standard Time", "India Standard Time", "UTC-11", "AUS Eastern Standard Time"} {
		found, err := z.Find(name, july(2026))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := caltime.LoadZone(found.Zone); err != nil {
			t.Error(err)
		}
	}
	n := 0
	for name, zone := range ical.Windows() {
		n++
		if _, err := caltime.LoadZone(zone); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n != 194 {
		t.Errorf("there are %d zones of Windows, want 194", n)
	}
}
