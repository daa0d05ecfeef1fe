// Tests of the names of zones, and the maker of their list.

package caltime_test

import (
	"archive/zip"
	"flag"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/internal/text/caltime"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite names.txt from Go's zoneinfo.zip")

func TestNames(t *testing.T) {
	archive, err := zip.OpenReader(
		filepath.Join(build.Default.GOROOT, "lib", "time", "zoneinfo.zip"),
	)
	if err != nil {
		t.Skip(err)
	}
	defer archive.Close()
	var want []string
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, "/") {
			want = append(want, f.Name)
		}
	}
	slices.Sort(want)
	if *update {
		if err := os.WriteFile("names.txt", []byte(strings.Join(want, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Skip("names.txt is new: run the tests again")
	}
	if diff := cmp.Diff(want, names(t)); diff != "" {
		t.Error(diff)
	}
}

func names(t testing.TB) []string {
	t.Helper()
	list, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(list))
}

func TestEveryNameLoads(t *testing.T) {
	for _, name := range names(t) {
		for _, written := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			z, err := caltime.LoadZone(written)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(name, z.Name()); diff != "" {
				t.Error(diff)
			}
		}
	}
}

func TestLoadZone(t *testing.T) {
	type got struct {
		Name, Abbr string
		Minutes    int
	}
	summer := local(t, "2031-05-10 10:00:00")
	tests := []struct {
		name string
		want got
	}{
		{"europe/paris", got{"Europe/Paris", "CEST", 120}},
		{"AMERICA/ARGENTINA/BUENOS_AIRES", got{"America/Argentina/Buenos_Aires", "-03", -180}},
		{"us/eastern", got{"US/Eastern", "EDT", -240}},
		{"Asia/Calcutta", got{"Asia/Calcutta", "IST", 330}},
		{"utc", got{"UTC", "UTC", 0}},
		{"GMT", got{"GMT", "GMT", 0}},
		{"gmt+0", got{"GMT+0", "GMT", 0}},
		{"etc/gmt+5", got{"Etc/GMT+5", "-05", -300}},
		{"est5edt", got{"EST5EDT", "EDT", -240}},
		{"EST", got{"EST", "EST", -300}},
		{"cet", got{"CET", "CET", 60}},
		{"WET", got{"WET", "WET", 0}},
		{"UTC+2", got{"UTC+2", "UTC+2", 120}},
		{"utc+2", got{"UTC+2", "UTC+2", 120}},
		{"UTC-5", got{"UTC-5", "UTC-5", -300}},
		{"UTC+02", got{"UTC+02", "UTC+02", 120}},
		{"UTC+0", got{"UTC+0", "UTC+0", 0}},
		{"UTC-0", got{"UTC-0", "UTC-0", 0}},
		{"UTC+5.5", got{"UTC+5.5", "UTC+5.5", 330}},
		{"UTC-3.5", got{"UTC-3.5", "UTC-3.5", -210}},
		{"UTC+5.75", got{"UTC+5.75", "UTC+5.75", 345}},
		{"UTC+8.25", got{"UTC+8.25", "UTC+8.25", 495}},
		{"UTC+5:30", got{"UTC+5:30", "UTC+5:30", 330}},
		{"UTC+05:45", got{"UTC+05:45", "UTC+05:45", 345}},
		{"UTC+14", got{"UTC+14", "UTC+14", 840}},
		{"UTC-12", got{"UTC-12", "UTC-12", -720}},
		{"+02:00", got{"+02:00", "GMT+0200", 120}},
		{"-09:30", got{"-09:30", "GMT-0930", -570}},
		{"Z", got{"UTC", "UTC", 0}},
		{"z", got{"UTC", "UTC", 0}},
		{"+0200", got{"+02:00", "GMT+0200", 120}},
		{"-0930", got{"-09:30", "GMT-0930", -570}},
		{"+02", got{"+02:00", "GMT+0200", 120}},
		{"-05", got{"-05:00", "GMT-0500", -300}},
		{"+2", got{"+02:00", "GMT+0200", 120}},
		{"+5:30", got{"+05:30", "GMT+0530", 330}},
		{"+1400", got{"+14:00", "GMT+1400", 840}},
		{" 02:00", got{"+02:00", "GMT+0200", 120}},
		{"GMT+2", got{"+02:00", "GMT+0200", 120}},
		{"gmt-0530", got{"-05:30", "GMT-0530", -330}},
		{"UTC 2", got{"UTC+2", "UTC+2", 120}},
		{"UTC2", got{"UTC+2", "UTC+2", 120}},
		{"UTC 5.5", got{"UTC+5.5", "UTC+5.5", 330}},
		{"UTC-0330", got{"UTC-03:30", "UTC-03:30", -210}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			z := zone(t, tt.name)
			at := z.Instant(summer)
			if diff := cmp.Diff(tt.want, got{z.Name(), z.Abbr(at), z.Offset(at) / 60}); diff != "" {
				t.Error(diff)
			}
			if again := zone(t, z.Name()); again.Name() != z.Name() {
				t.Errorf("%q is called %q when loaded again", z.Name(), again.Name())
			}
		})
	}
}

func TestLoadZoneRefuses(t *testing.T) {
	const name, far = "give an IANA name such as Europe/Paris", "give an offset from -12 to +14 hours"
	for want, texts := range map[string][]string{
		name: {"", " ", "Local", "Mars/Phobos", "Europe", "Europe/", "../etc/passwd", "/usr/share/zoneinfo/UTC",
			"Europe/../UTC", "Europe\\Paris", "Europe/Paris\x00", " Europe/Paris", "UTC+", "UTC+abc", "UTC+-2",
			"UTC+ 2", "UTC+123", "UTC+.5", "+02:00Z", "+02.50", "GMT+5.5", "02:00", "2", "0200", "+", "  2", "UTC  2",
			"+020", "+02000", "+-2", "A", "ZZ", strings.Repeat("x", 1e6)},
		far: {"+1500", "-1215", "+0220", "+15", "UTC+15", "UTC+14:15", "UTC-13", "UTC-12.25", "UTC+5:20", "UTC+5.3",
			"UTC+5:3", "UTC+5:", "-12:15", "+99:00"},
		"may mean America/New_York, America/Toronto or America/Nassau; give the name of the zone": {"EDT"},
		"may mean America/New_York":                              {"edt"},
		"may mean Asia/Kolkata, Europe/Dublin or Asia/Jerusalem": {"IST"},
		"may mean Pacific/Guam; give":                            {"chst"},
	} {
		for _, text := range texts {
			_, err := caltime.LoadZone(text)
			if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
				t.Errorf("%.50q: got error %.400v, want one with %q", text, err, want)
			}
		}
	}
}

// Every abbreviation that is in force somewhere is known, and the zones that are
// named for it have it. In most zones the year has two.
func TestAbbreviations(t *testing.T) {
	abbrs := func(z *caltime.Zone) (abbrs []string) {
		for at := local(t, "2031-01-01 00:00:00"); at.Year() == 2031; at = at.AddDate(0, 0, 7) {
			if abbr := strings.ToUpper(z.Abbr(at)); !slices.Contains(abbrs, abbr) {
				abbrs = append(abbrs, abbr)
			}
		}
		return abbrs
	}
	inForce := map[string]bool{}
	for _, name := range names(t) {
		for _, abbr := range abbrs(zone(t, name)) {
			if z, err := caltime.LoadZone(abbr); err != nil {
				inForce[abbr] = true
			} else if strings.Trim(abbr, "+-0123456789") != "" && z.Name() != abbr {
				t.Errorf("%s of %s is taken for %s", abbr, name, z.Name())
			}
		}
	}
	for abbr := range inForce {
		_, err := caltime.LoadZone(abbr)
		_, list, ok := strings.Cut(err.Error(), "may mean ")
		list, _, found := strings.Cut(list, ";")
		if !ok || !found {
			t.Errorf("%s is in force in a zone: %v", abbr, err)
			continue
		}
		for _, name := range strings.Split(strings.ReplaceAll(list, " or ", ", "), ", ") {
			if !slices.Contains(abbrs(zone(t, name)), abbr) {
				t.Errorf("%s is not in force in %s", abbr, name)
			}
		}
	}
	if len(inForce) < 30 {
		t.Errorf("only %d abbreviations are in force", len(inForce))
	}
}

func TestZones(t *testing.T) {
	var zones caltime.Zones
	var wg sync.WaitGroup
	for _, name := range []string{"Europe/Paris", "europe/paris", "EUROPE/PARIS", "utc+2", "UTC+2"} {
		wg.Go(func() {
			for range 50 {
				if _, err := zones.Load(name); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	a, errA := zones.Load("Europe/Paris")
	b, errB := zones.Load("eUROPE/pARIS")
	if a != b || errA != nil || errB != nil {
		t.Errorf("one zone was loaded twice: %v %v, %v %v", a, errA, b, errB)
	}
	if _, err := zones.Load("Mars/Phobos"); err == nil {
		t.Error("Mars/Phobos was loaded")
	}
}

func FuzzLoadZone(f *testing.F) {
	for _, name := range []string{"Europe/Paris", "utc+5.75", "UTC-3:30", "+02:00", "../x", "UTC+15", "", "Z", "+0200", " 02",
		"UTC 2", "GMT-3", "EDT"} {
		f.Add(name)
	}
	at := local(f, "2031-05-10 10:00:00")
	f.Fuzz(func(t *testing.T, name string) {
		z, err := caltime.LoadZone(name)
		if err != nil {
			return
		}
		again, err := caltime.LoadZone(z.Name())
		if err != nil {
			t.Fatal(err)
		}
		if again.Name() != z.Name() || again.Offset(at) != z.Offset(at) ||
			again.Abbr(at) != z.Abbr(at) {
			t.Errorf("%q and %q differ", name, z.Name())
		}
		if hours := z.Offset(at) / 3600; hours < -12 || hours > 14 {
			t.Errorf("%q is %d hours from UTC", name, hours)
		}
		if !z.Wall(z.Instant(at)).Equal(at) {
			t.Errorf("%q: %v becomes %v", name, at, z.Wall(z.Instant(at)))
		}
	})
}

func BenchmarkZonesLoad(b *testing.B) {
	var zones caltime.Zones
	b.ReportAllocs()
	for b.Loop() {
		if _, err := zones.Load("America/New_York"); err != nil {
			b.Fatal(err)
		}
	}
}

// Every country has zones, which are no zones of another one, in the spelling that settings have.
func TestCountries(t *testing.T) {
	seen := map[string]string{}
	for country, zones := range caltime.Countries() {
		for _, name := range zones {
			zone, err := caltime.LoadZone(name)
			if err != nil || zone.Name() != name || seen[name] != "" || len(country) != 2 {
				t.Errorf("%s: %s is also in %s, %v", country, name, seen[name], err)
			}
			seen[name] = country
		}
	}
	first := map[string]string{}
	for _, country := range []string{"DE", "GB", "JP", "US", "AU", "BR", "RU"} {
		first[country] = caltime.Countries()[country][0]
	}
	want := map[string]string{
		"DE": "Europe/Berlin",
		"GB": "Europe/London",
		"JP": "Asia/Tokyo",
		"US": "America/New_York",
		"AU": "Australia/Sydney",
		"BR": "America/Sao_Paulo",
		"RU": "Europe/Moscow",
	}
	if diff := cmp.Diff(want, first); diff != "" || len(seen) < 400 {
		t.Error(len(seen), diff)
	}
}
