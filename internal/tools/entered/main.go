// Command entered prints how many functions, files and packages five requests enter: what somebody
// reads who follows them through the program. It counts by coverage, so it is built with that:
//
//	go build -cover -covermode=atomic -coverpkg=almanac/... -o FILE ./internal/tools/entered
//
// Each request was answered once before, for another record or another page, so that what is made
// once at a start does not count. Functions of the standard library do not count either.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/coverage"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/store"
)

// events is how many events the calendar has.
const events = 1000

func main() {
	dir, err := os.MkdirTemp("", "almanac-entered-")
	if err == nil {
		err = run(dir)
		_ = os.RemoveAll(dir) // of the system's directory for such files
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "entered:", err)
		os.Exit(1)
	}
}

// run prints the table. Files go to a directory.
func run(dir string) error {
	w, err := newWorld(dir)
	if err != nil {
		return err
	}
	defer w.store.Close()
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "functions\tfiles\tpackages\t  \tentered by")
	for _, one := range []struct {
		name string
		ask  func(n int) error
	}{
		{"a list anew", func(n int) error {
			return w.get(fmt.Sprintf("/cal/events/v1/events?start_date=2031-0%d-01", n))
		}},
		{"a list again", func(int) error { return w.get("/cal/events/v1/events?per_page=20") }},
		{"a page anew", func(n int) error { return w.get(fmt.Sprintf("/events/page/%d/", n)) }},
		{"a create", w.create},
		{"a save at the desk", w.save},
	} {
		if err := one.ask(2); err != nil {
			return err
		}
		seen, err := entered(dir, func() error { return one.ask(3) })
		if err != nil {
			return err
		}
		fmt.Fprintf(
			out,
			"%d\t%d\t%d\t  \t%s\n",
			seen.functions,
			len(seen.files),
			len(seen.packages),
			one.name,
		)
	}
	return out.Flush()
}

// A world is a server with records, and an administrator who is signed in at its desk.
type world struct {
	store   *store.Store
	handler http.Handler
	cookie  string
}

// now is the time of the server.
var now = time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)

// token is that of the administrator.
const token = "entered"

func newWorld(dir string) (*world, error) {
	clock := caltime.Frozen(now)
	st, err := store.Open(store.Options{Now: clock.Now})
	if err != nil {
		return nil, err
	}
	if _, err := almanactest.Generate(st, events); err != nil {
		return nil, err
	}
	users := filepath.Join(dir, "users.json")
	list := `{"users":[{"id":1,"login":"admin","token":"` + token + `","role":"administrator"}]}`
	if err := os.WriteFile(users, []byte(list), 0o600); err != nil {
		return nil, err
	}
	accounts, err := account.Open(users, clock.Now, nil)
	if err != nil {
		return nil, err
	}
	handler, err := api.New(api.Options{
		Store:    st,
		Accounts: accounts,
		Desk:     api.Desk{Sessions: account.NewSessions(st, clock.Now)},
		Clock:    clock,
		Pages:    true,
		Name:     "Choir",
	}, almanactest.Routes)
	if err != nil {
		return nil, err
	}
	w := &world{store: st, handler: handler}
	form := url.Values{"sign-in-login": {"admin"}, "sign-in-token": {token}}
	signed, err := w.post("/desk/sign-in", form)
	if err != nil {
		return nil, err
	}
	for _, c := range signed.Result().Cookies() {
		w.cookie += c.Name + "=" + c.Value + "; "
	}
	return w, nil
}

// ask answers a request, which must not fail.
func (w *world) ask(r *http.Request) (*httptest.ResponseRecorder, error) {
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, r)
	if answer.Code >= http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s: %d %s", r.Method, r.URL, answer.Code, answer.Body)
	}
	return answer, nil
}

func (w *world) get(address string) error {
	_, err := w.ask(httptest.NewRequest(http.MethodGet, address, nil))
	return err
}

// post sends a form of the desk.
func (w *world) post(address string, form url.Values) (*httptest.ResponseRecorder, error) {
	r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", w.cookie)
	return w.ask(r)
}

// create makes an event with a new venue, by the API.
func (w *world) create(n int) error {
	body := fmt.Sprintf(
		`{"title":"Concert %d","start_date":"2031-06-0%[1]d 20:00:00","end_date":"2031-06-0%[1]d 22:00:00",`+
			`"venue":{"venue":"Hall %[1]d"},"categories":["Music"],"cost":"12 EUR"}`, n)
	r := httptest.NewRequest(http.MethodPost, "/cal/events/v1/events", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	_, err := w.ask(r)
	return err
}

// save changes the title of an event by its form at the desk.
func (w *world) save(n int) error {
	var e *store.Event
	err := w.store.View(func(v *store.View) error {
		for r := range v.Each(store.Events) {
			e = r.(*store.Event)
			if e.ID%int64(n) == 0 && e.Status == store.Publish && e.Start > store.WallOf(now) {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = w.post(fmt.Sprintf("/desk/events/%d", e.ID), url.Values{
		"title":  {fmt.Sprintf("Concert, changed %d", n)},
		"date":   {e.Start.Time().Format(time.DateOnly)},
		"starts": {e.Start.Time().Format("15:04")},
		"ends":   {e.End.Time().Format("15:04")},
		"last":   {e.End.Time().Format(time.DateOnly)},
		"zone":   {e.Timezone},
		"do":     {"save"},
	})
	return err
}

// A reach is the code that a request enters.
type reach struct {
	functions int
	files     map[string]bool
	packages  map[string]bool
}

// entered returns what f enters.
func entered(dir string, f func() error) (seen reach, err error) {
	dir, err = os.MkdirTemp(dir, "")
	if err == nil {
		err = coverage.ClearCounters()
	}
	if err == nil {
		err = f()
	}
	if err == nil {
		err = coverage.WriteMetaDir(dir)
	}
	if err == nil {
		err = coverage.WriteCountersDir(dir)
	}
	if err != nil {
		return seen, err
	}
	list, err := exec.Command("go", "tool", "covdata", "func", "-i="+dir).Output()
	if err != nil {
		return seen, err
	}
	seen.files = map[string]bool{}
	seen.packages = map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		cells := strings.Fields(lines.Text()) // place, name, percent of its statements
		file, _, _ := strings.Cut(cells[0], ":")
		if len(cells) != 3 || cells[2] == "0.0%" || path.Dir(file) == "almanac/internal/tools/entered" ||
			path.Dir(file) == "almanac/almanactest" {
			continue
		}
		seen.functions++
		seen.files[file] = true
		seen.packages[path.Dir(file)] = true
	}
	return seen, nil
}
