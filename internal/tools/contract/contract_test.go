package contract_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/almanactest"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/contract"
)

// A failing is a test that notes what it is told, and is not ended by it.
type failing struct {
	testing.TB
	said  []string
	after []func()
}

func (f *failing) Helper()          {}
func (f *failing) Cleanup(c func()) { f.after = append(f.after, c) }
func (f *failing) Error(args ...any) {
	f.said = append(f.said, strings.TrimSpace(fmt.Sprintln(args...)))
}

func TestObserve(t *testing.T) {
	t.Parallel()
	f := &failing{TB: t}
	observe := contract.Observe(f)
	e := almanactest.Exchange{
		Route:   "/cal/events/v1/tags/{id}",
		Request: httptest.NewRequest(http.MethodGet, "/tags/1", nil),
	}
	for _, answer := range []string{`{"code":"tag_not_found","message":"No.","data":{"status":404}}`, `{"code":7}`, `{"code":7}`} {
		e.Status = http.StatusNotFound
		e.Answer = []byte(answer)
		observe(e)
	}
	for _, after := range f.after {
		after()
	}
	if len(f.said) == 0 || !strings.HasPrefix(f.said[0], "not as documented: GET /tags/{id} ") {
		t.Errorf("said %q, want what is wrong with the code 7", f.said)
	}
	for i, said := range f.said {
		if strings.Contains(strings.Join(f.said[:i], "\n"), said) {
			t.Errorf("said twice: %s", said)
		}
	}
}

// The exchanges of a server that is started reach what compares them.
func TestStart(t *testing.T) {
	t.Parallel()
	var routes []string
	srv := almanactest.Start(t, almanactest.Options{
		Observe: func(e almanactest.Exchange) { routes = append(routes, e.Op+" "+e.Route) },
	})
	apitest.Do(t, srv.Client(), http.MethodGet, srv.URL+"/cal/events/v1/tags/1", "")
	if diff := cmp.Diff([]string{"tags.read /cal/events/v1/tags/{id}"}, routes); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
	contract.Start(
		t,
		almanactest.Options{},
	) // fails if it answers otherwise than the document says
}

// Tests of fixtures start their servers here. Examples show what users write, and
// benchmarks measure what is not observed.
func TestFixturesAreCompared(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"../../../almanactest", "../../serve/fixture"} {
		names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(names) == 0 {
			t.Fatal(dir, len(names), err)
		}
		for _, name := range names {
			if base := filepath.Base(name); base == "example_test.go" || base == "bench_test.go" {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range []string{"almanactest.Start(", "almanactest.NewServer("} {
				if strings.Contains(string(text), call) {
					t.Errorf("%s calls %s…): contract.Start compares the answers too", name, call)
				}
			}
		}
	}
}
