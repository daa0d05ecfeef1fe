package almanactest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/tools/contract"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Relative dates go by the server's clock, in its zone: now is 20:00 there.
func TestSeedFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "seed.json")
	text := `{"venues":[{"$name":"hall","venue":"Town Hall"}],"events":[{"title":"Concert","venue":"$hall","start_date":"@today ` +
		`21:00","end_date":"@start+2h"}]}`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	srv := contract.Start(t, almanactest.Options{Now: now, Zone: "America/New_York"})
	srv.SeedFile(name)
	got := get[shown](t, srv, "/cal/events/v1/events/by-slug/concert")
	if diff := cmp.Diff([]string{"2031-05-09 21:00:00", "2031-05-10 01:00:00", "1"},
		[]string{got.Start, got.UTCStart, got.Author}); diff != "" {
		t.Errorf("(-want, +got):\n%s", diff)
	}
}

func TestSeedFileRefuses(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(name, []byte("{\"events\":[\n{\"title\":\"Concert\"}]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		name:       "almanactest: seed: " + name + ":2: events[0]: has no start_date",
		"@none":    "@small, @city, @torture",
		name + "x": "no such file",
	} {
		r := &recorder{TB: t}
		srv := contract.Start(r, almanactest.Options{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			srv.SeedFile(file)
		}()
		<-done
		if !strings.Contains(r.fatal, want) {
			t.Errorf("the test ended with %q, want %q", r.fatal, want)
		}
		_ = srv.Store.View(func(v *store.View) error {
			if v.Seq() != 0 {
				t.Errorf("%s: something was stored", file)
			}
			return nil
		})
	}
}

// Ten events are there, whatever day it is.
func ExampleServer_SeedFile() {
	var t *testing.T // that of your test
	srv := contract.Start(t, almanactest.Options{})
	srv.SeedFile("@small")
	// Here your program reads a calendar that has something yesterday, something
	// today, and something ahead.
}
