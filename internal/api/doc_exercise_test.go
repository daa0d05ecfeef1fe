// Every operation of the document, with all its parameters, to every status that
// it lists. TestMain looks whether something is left.

package api

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/people/password"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

// An exercise asks one operation of a calendar of its own.
type exercise struct {
	t        *testing.T
	s        *Server
	method   string
	path     string // of the document
	op       *Op
	kind     string // "events"; "" for what describes the service
	number   string // of the only revision of every record
	answered *httptest.ResponseRecorder
}

// Records of an exercised calendar: a complete one of each kind, a draft, and a trashed record.
var exercised = map[string]struct{ whole, draft, trashed string }{
	"events":     {"4", "5", "6"},
	"series":     {"11", "12", "13"},
	"venues":     {"2", "7", "8"},
	"organizers": {"3", "9", "10"},
	"categories": {"2", "", ""},
	"tags":       {"3", "", ""},
}

// exercisedStore makes the calendar.
func exercisedStore(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(store.Options{Now: func() time.Time { return describedNow }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	whole := true
	post := func(slug string, status store.Status) store.Post {
		return store.Post{
			Author:      1,
			Status:      status,
			Date:        describedNow,
			Modified:    describedNow,
			Slug:        slug,
			Description: "D",
			Excerpt:     "E",
			Image:       1,
		}
	}
	event := func(slug string, status store.Status) *store.Event {
		start := store.WallOf(describedNow.AddDate(0, 1, 0))
		return &store.Event{
			Post:       post(slug, status),
			Title:      slug,
			Start:      start,
			End:        start + 3600,
			Timezone:   "America/New_York",
			Cost:       store.Cost{Entries: []string{"5"}},
			Categories: []int64{2},
			Tags:       []int64{3},
			Venues:     []int64{2},
			Organizers: []int64{3},
		}
	}
	series := func(slug string, status store.Status) *store.Series {
		return &store.Series{
			Event:   *event(slug, status),
			Rule:    "FREQ=WEEKLY",
			EXDates: []store.Wall{event("", "").Start + 604800},
			RDates:  []store.Wall{event("", "").Start + 3600},
			Horizon: event("", "").Start + 1e7,
		}
	}
	again := event("again", store.Publish)
	again.Recurrence = &store.Recurrence{Series: 11, Start: again.Start}
	err = st.Update(1, func(tx *store.Tx) error {
		for _, record := range []store.Record{
			&store.Image{
				URL:       "https://img.example.org/a.jpg",
				Extension: "jpg",
				Width:     900,
				Height:    600,
				Filesize:  9000,
				Original:  "a-full.jpg",
				Sizes: []store.ImageSize{{
					Name:      "medium",
					Width:     300,
					Height:    200,
					MIMEType:  "image/jpeg",
					Filesize:  999,
					Uncropped: &whole,
					URL:       "https://img.example.org/a-m.jpg",
				}},
			},
			&store.Term{Taxonomy: store.Categories, Name: "Music", Slug: "music"},
			&store.Term{
				Taxonomy:    store.Categories,
				Name:        "Jazz",
				Slug:        "jazz",
				Description: "Blue",
				Parent:      1,
			},
			&store.Term{
				Taxonomy: store.Tags,
				Name:     "Free",
				Slug:     "free",
			}, &store.Term{
				Taxonomy: store.Tags,
				Name:     "Gratis",
				Slug:     "gratis",
			},
			&store.Venue{
				Post:          post("whole", store.Publish),
				Name:          "Hall",
				Address:       "1 Main St",
				City:          "Boston",
				Country:       "United States",
				State:         "MA",
				Province:      "P",
				StateProvince: "MA",
				Zip:           "02108",
				Phone:         "1",
				Website:       "https://hall.example.org",
				Geo: &store.Geo{
					Lat: 42,
					Lng: -71,
				},
			},
			&store.Organizer{
				Post:    post("whole", store.Publish),
				Name:    "Ann",
				Phone:   "2",
				Website: "https://ann.example.org",
				Email:   "ann@example.org",
			},
			event("whole", store.Publish), event("draft", store.Draft), event("trashed", store.Trash),
			&store.Venue{
				Post: post("draft", store.Draft),
				Name: "Barn",
			}, &store.Venue{
				Post: post("trashed", store.Trash),
				Name: "Yard",
			},
			&store.Organizer{
				Post: post("draft", store.Draft),
				Name: "Bob",
			}, &store.Organizer{
				Post: post("trashed", store.Trash),
				Name: "Cid",
			},
			series("whole", store.Publish), series("draft", store.Draft), series("trashed", store.Trash), again,
		} {
			if err := tx.Put(record); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// exercisedServer serves a calendar to an administrator, "secret", and a
// subscriber, "reader".
func exercisedServer(
	t *testing.T,
	st *store.Store,
	o Options,
	routes func(func(string, *Op)),
) *Server {
	t.Helper()
	var err error
	o.Accounts, err = account.Memory(
		account.User{
			Account: account.Account{
				ID:    1,
				Login: "admin",
				Role:  account.Administrator,
			},
			Token: "secret",
		},
		account.User{
			Account: account.Account{
				ID:    2,
				Login: "reader",
				Role:  account.Subscriber,
			},
			Token: "reader",
		})
	if err != nil {
		t.Fatal(err)
	}
	o.Store = st
	o.Clock = caltime.Frozen(describedNow)
	o.Passwords = password.NewKeeper(1)
	s, err := New(o, routes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// eachOperation calls f for every operation of the document.
func eachOperation(f func(method, path string, op *Op)) {
	listed(func(pattern string, op *Op) {
		methods, path, _ := strings.Cut(pattern, " ")
		if below, ok := strings.CutPrefix(path, "/"+Namespace); ok &&
			!strings.HasPrefix(op.Name, "media.") { // see listed
			for method := range strings.SplitSeq(methods, ",") {
				f(method, below, op)
			}
		}
	})
}

// ask sends a request to the path with its variables filled in, as the owner of
// a token, and wants a status.
func (x *exercise) ask(want int, id, query, token, body string, headers ...string) {
	x.t.Helper()
	slug := map[string]string{
		exercised[x.kind].whole:   "whole",
		exercised[x.kind].draft:   "draft",
		exercised[x.kind].trashed: "trashed",
	}[id]
	if slug == "" {
		slug = id
	}
	path := strings.NewReplacer("{id}", id, "{slug}", slug, "{language}", "de", "{number}", x.number).
		Replace(x.path)
	headers = append(headers, "Authorization", apitest.Bearer(token))
	x.answered = apitest.Serve(
		x.s,
		x.method,
		"http://cal.example.org/cal/events/v1"+path+query,
		body,
		headers...)
	if x.answered.Code != want {
		x.t.Errorf(
			"%s %s%s: status %d, want %d: %.300s",
			x.method,
			path,
			query,
			x.answered.Code,
			want,
			x.answered.Body,
		)
	}
}

func (x *exercise) writes() bool { return x.method != http.MethodGet }
func (x *exercise) item() bool   { return strings.Contains(x.path, "{") && x.kind != "" }
func (x *exercise) bySlug() bool { return strings.Contains(x.path, "{slug}") }
func (x *exercise) terms() bool  { return x.kind == "categories" || x.kind == "tags" }
func (x *exercise) sendsAll() bool {
	return x.method != http.MethodGet && x.method != http.MethodDelete
}

// unread are the parameters whose values no operation asks for, and why.
var unread = map[string]string{
	"index namespace":                       "programs send it, and the index is that of the namespace of the path",
	"index context":                         "programs send it, and the index is the same in every context",
	"events.read password":                  "it opens events before any operation, see password.go",
	"events.read-by-slug password":          "as above",
	"events.read-calendar password":         "as above",
	"events.read-calendar-by-slug password": "as above",
	"events.delete password":                "as above",
	"events.delete-by-slug password":        "as above",
	"series.list password":                  "as above",
	"series.read password":                  "as above",
}

// Every operation is asked for every answer that the document lists. Every parameter of it is read
// by code: a parameter that is only in the table fails here.
func TestDocIsExercised(t *testing.T) {
	eachOperation(func(method, path string, op *Op) {
		t.Run(method+" "+path, func(t *testing.T) {
			kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
			kind, _, _ = strings.Cut(kind, ".")
			x := &exercise{t: t, method: method, path: path, op: op, kind: kind}
			if _, ok := exercised[kind]; !ok {
				x.kind = ""
			}
			st := exercisedStore(t)
			revisions, err := st.Revisions(store.Events, 4)
			if err != nil || len(revisions) != 1 {
				t.Fatalf("the calendar has the revisions %v (%v)", revisions, err)
			}
			x.number = strconv.FormatInt(revisions[0].Number, 10)
			read := map[string]bool{}
			x.s = exercisedServer(t, st, Options{Observe: func(e Exchange) {
				for _, name := range e.Read {
					read[name] = true
				}
				testOnlyObserve(e)
			}}, listed)
			x.refusals()
			x.successes()
			for _, row := range op.Params {
				if _, known := unread[op.Name+" "+row.Name]; !row.Path && read[row.Name] == known {
					t.Errorf(
						"%s has the parameter %q, and that code reads its value is %t",
						op.Name,
						row.Name,
						read[row.Name],
					)
				}
			}
			if err := st.Check(); err != nil {
				t.Error(err)
			}

			x.s = exercisedServer(t, st, Options{}, broken)
			x.ask(http.StatusInternalServerError, exercised[x.kind].whole, "", "secret", "")
			x.s = exercisedServer(t, st, Options{
				Limits: &admission.Limits{
					Rate: limit.Rate{
						N:   1,
						Per: time.Hour,
					},
				},
			}, broken)
			x.ask(http.StatusInternalServerError, exercised[x.kind].whole, "", "secret", "")
			x.ask(http.StatusTooManyRequests, exercised[x.kind].whole, "", "secret", "")
			x.s = exercisedServer(t, st, Options{Limits: &admission.Limits{Requests: 1}}, listed)
			somebody := x.s.bounds.Places.Hold(admission.Key{}) // has the only place
			if err := somebody.Grow(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			x.ask(http.StatusServiceUnavailable, exercised[x.kind].whole, "", "secret", "")
			x.held()
			if x.writes() {
				stopped := exercisedStore(t)
				stopped.Close()
				x.s = exercisedServer(t, stopped, Options{}, listed)
				x.ask(
					http.StatusServiceUnavailable,
					exercised[x.kind].whole,
					"",
					"secret",
					x.body(),
				)
			}
		})
	})
}

// broken is the routes with operations that panic.
func broken(on func(pattern string, op *Op)) {
	listed(func(pattern string, op *Op) {
		fails := *op
		fails.Serve = func(*Call) (*respond.Response, error) { panic("broken") }
		on(pattern, &fails)
	})
}

// refusals asks for what is answered with an error.
func (x *exercise) refusals() {
	x.t.Helper()
	ids := exercised[x.kind]
	x.ask(http.StatusUnauthorized, ids.whole, "", "nobody", "")
	if x.writes() {
		x.ask(
			http.StatusRequestEntityTooLarge,
			ids.whole,
			"",
			"secret",
			strings.Repeat(" ", 1<<20+1),
		)
		x.ask(http.StatusForbidden, ids.whole, "", "reader", x.body())
		x.ask(
			http.StatusUnsupportedMediaType,
			ids.whole,
			"",
			"secret",
			"x",
			"Content-Type",
			"image/png",
		)
		x.ask(http.StatusBadRequest, ids.whole, "", "secret", "{")
	}
	switch {
	case x.path == "/doc":
		x.ask(http.StatusBadRequest, "", "?version=2", "", "")
	case x.kind == "" || x.path == "/"+x.kind && x.writes():
	case !x.item():
		x.ask(http.StatusBadRequest, "", "?page=none&start_date=never", "", "")
		if _, pages := x.op.Params.Row("page"); pages && !x.terms() {
			x.ask(http.StatusNotFound, "", "?page=99", "", "")
		}
	default:
		x.unknown()
		if !x.writes() && x.op.permit != nil {
			x.ask(http.StatusBadRequest, ids.whole, "?per_page=none", "", "")
		} else if !x.writes() {
			x.ask(http.StatusBadRequest, map[bool]string{
				true:  "none",
				false: "999",
			}[x.bySlug()], "?password=", "", "")
		}
		if !x.writes() && x.op.permit != nil {
			x.ask(http.StatusForbidden, ids.whole, "", "reader", "")
		} else if !x.writes() && !x.terms() {
			x.ask(http.StatusForbidden, ids.draft, "", "", "")
		}
		if (x.method == http.MethodDelete || strings.HasSuffix(x.path, "/merge")) && !x.terms() {
			x.ask(http.StatusGone, ids.trashed, "", "secret", x.body())
		}
		if x.writes() {
			x.ask(
				http.StatusPreconditionFailed,
				ids.whole,
				"",
				"secret",
				x.body(),
				"If-Match",
				`"other"`,
			)
		}
	}
}

// held asks for what has to wait for a merge of the record.
func (x *exercise) held() {
	x.t.Helper()
	k, ok := map[string]store.Kind{
		"venues":     store.Venues,
		"organizers": store.Organizers,
		"categories": store.Categories,
		"tags":       store.Tags,
	}[x.kind]
	goes := x.method == http.MethodDelete || strings.HasSuffix(x.path, "/merge")
	if !ok || !x.item() || !x.writes() || strings.HasSuffix(x.path, "/restore") ||
		x.terms() && !goes {
		return
	}
	st := exercisedStore(x.t)
	whole, err := strconv.ParseInt(exercised[x.kind].whole, 10, 64)
	if err == nil {
		err = st.Update(
			1,
			func(tx *store.Tx) error { return tx.Hold(new(store.Hold), tx.Get(k, whole)) },
		)
	}
	if err != nil {
		x.t.Fatal(err)
	}
	body := x.body()
	if !goes {
		body = `{"status":"trash"}`
	}
	x.s = exercisedServer(x.t, st, Options{}, listed)
	x.ask(http.StatusConflict, exercised[x.kind].whole, "", "secret", body)
}

// unknown asks for a record that is not there, or cannot be.
func (x *exercise) unknown() {
	x.t.Helper()
	switch {
	case (x.kind == "events" || x.kind == "series") && !x.bySlug():
		x.ask(http.StatusNotFound, "999", "", "secret", x.body())
	case x.bySlug():
		x.ask(http.StatusNotFound, "a%2Fb", "", "secret", x.body())
	default:
		x.ask(http.StatusNotFound, "4a", "", "secret", x.body())
	}
}

// successes asks for what is answered as it should be, with every parameter.
func (x *exercise) successes() {
	x.t.Helper()
	id := exercised[x.kind].whole
	ok := http.StatusOK
	if x.method == http.MethodPost && !x.item() {
		ok = http.StatusCreated
	}
	if !x.writes() {
		token := ""
		if x.op.permit != nil {
			token = "secret"
		}
		x.ask(ok, id, "", token, "")
		tag := x.answered.Header().Get("ETag")
		x.ask(http.StatusNotModified, id, "", token, "", "If-None-Match", tag)
		for i := range x.op.Params {
			if row := &x.op.Params[i]; !row.Path && row.Name != "password" {
				x.ask(ok, id, "?"+row.Name+"="+x.value(row.Name)+also[row.Name], "secret", "")
			}
		}
	}
	if _, has := x.op.Params.Row("password"); has && !x.sendsAll() {
		query := "?password=p"
		if _, has := x.op.Params.Row("scope"); has {
			query += "&scope=following"
		}
		x.ask(ok, id, query, "secret", "")
		return
	}
	if _, has := x.op.Params.Row("date_utc"); has && x.writes() {
		x.ask(ok, id, "", "secret", x.body("date_utc", "slug")) // so that date counts
	}
	if x.writes() {
		x.ask(ok, id, "", "secret", x.body())
	}
}
