package almanactest_test

import (
	"strings"
	"testing"
	"time"

	"almanac/almanactest"
	"almanac/internal/tools/contract"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// Builders create events as requests do, and their venues, organizers and terms once.
func TestBuilders(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{Now: now, Zone: "America/New_York", Worlds: true})
	hall := almanactest.Venue("Town Hall").With(func(v *store.Venue) { v.City = "Springfield" })
	town := almanactest.Organizer("Town").With(func(o *store.Organizer) { o.Phone = "1" })
	base := almanactest.Event("Concert").At(hall).By(town).Tags("free")
	srv.Seed(
		store.Venue{Name: "Town Hall!"}, // has the slug that the other would have
		base,
		base.Categories("Music").Starting("2031-05-12 20:00").Lasting(24*time.Hour),
		base.Categories("Jazz", "Music").
			Tags("late").
			Zone("Europe/Paris").
			Starting("@today 23:30 America/New_York"),
		base.AllDay(3).Starting("@saturday 15:00").With(func(e *store.Event) {
			e.Status = store.Draft
			e.Title = "Fair"
		}),
		base.AllDay(1).
			Lasting(0).
			Starting("2031-11-02 00:30").
			Lasting(2*time.Hour), // clocks go back at 2
		hall,
		almanactest.Organizer("Other"),
	)
	type event struct {
		shown
		AllDay bool `json:"all_day"`
		Tags   []struct{ Name string }
	}
	list := get[struct{ Events []event }](
		t,
		srv,
		"/cal/events/v1/events?starts_after=2031-01-01&status=publish,draft&_fields=events",
	)
	var got [][]string
	for _, e := range list.Events {
		venue := e.Venue.(map[string]any)
		line := []string{
			e.Title,
			e.Status,
			e.Start,
			e.End,
			e.Timezone,
			venue["venue"].(string) + " " + venue["city"].(string),
		}
		for _, term := range e.Categories {
			line = append(line, term.Name)
		}
		for _, tag := range e.Tags {
			line = append(line, "#"+tag.Name)
		}
		if e.AllDay {
			line = append(line, "all day")
		}
		got = append(got, line)
	}
	const zone, place = "America/New_York", "Town Hall Springfield"
	want := [][]string{
		{
			"Fair",
			"draft",
			"2031-05-10 00:00:00",
			"2031-05-12 23:59:59",
			zone,
			place,
			"#free",
			"all day",
		},
		{
			"Concert",
			"publish",
			"2031-05-10 05:30:00",
			"2031-05-10 06:30:00",
			"Europe/Paris",
			place,
			"Jazz",
			"Music",
			"#free",
			"#late",
		},
		{"Concert", "publish", "2031-05-10 12:00:00", "2031-05-10 13:00:00", zone, place, "#free"},
		{
			"Concert",
			"publish",
			"2031-05-12 20:00:00",
			"2031-05-13 20:00:00",
			zone,
			place,
			"Music",
			"#free",
		},
		{"Concert", "publish", "2031-11-02 00:30:00", "2031-11-02 01:30:00", zone, place, "#free"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want, +got):\n%s", diff)
	}
	// In a world the same words are records of its own.
	world := srv.World(t)
	world.Seed(base.At(almanactest.Venue("Barn")), base.At(almanactest.Venue("Barn")))
	for server, venues := range map[*almanactest.Server]int{srv: 2, world: 3} {
		for path, total := range map[string]int{
			"venues":     venues,
			"organizers": 2,
			"categories": 2,
			"tags":       2,
		} {
			if n := get[struct{ Total int }](t, server, "/cal/events/v1/"+path).Total; n != total {
				t.Errorf("%q has %d %s, want %d", server.Name(), n, path, total)
			}
		}
	}
}

func TestBuildersRefuse(t *testing.T) {
	t.Parallel()
	concert := almanactest.Event("Concert")
	tests := []struct {
		name   string
		record any
		want   string
	}{
		{
			"words",
			concert.Starting("whenever"),
			`record 0: Event("Concert"): "whenever" is not a date`,
		},
		{"relative words", concert.Starting("@tomorow"), "@tomorow is none of the days"},
		{"a zone", concert.Zone("Europe/Pari"), "Europe/Pari"},
		{"an end before the start", concert.Lasting(-time.Hour), "lasts -1h0m0s"},
		{"no day", concert.AllDay(0), "of whole days there is one at least"},
		{
			"a link",
			concert.With(func(e *store.Event) { e.Venues = []int64{99} }),
			"a link leads to no record",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			srv := contract.Start(r, almanactest.Options{})
			fatally(func() { srv.Seed(test.record) })
			if !strings.Contains(r.fatal, test.want) {
				t.Errorf("the test ended with %q, want %q", r.fatal, test.want)
			}
			if n := get[struct{ Total int }](t, srv, "/cal/events/v1/tags").Total; n != 0 {
				t.Errorf("%d tags were stored", n)
			}
		})
	}
}

// fatally calls a function that may end the test that it is in, which is none.
func fatally(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// Everything works over TLS as it does without, in worlds too, and links say https.
func TestTLS(t *testing.T) {
	t.Parallel()
	srv := contract.Start(t, almanactest.Options{TLS: true, Now: now})
	srv.Seed(almanactest.Event("Concert"))
	world := srv.World(t)
	world.Seed(almanactest.Event("Fair"))
	list := get[struct {
		Events []shown
		URL    string `json:"rest_url"`
	}](t, world, "/cal/events/v1/events")
	if len(list.Events) != 2 || !strings.HasPrefix(list.URL, srv.URL+"/") ||
		!strings.HasPrefix(srv.URL, "https://127.0.0.1:") {
		t.Errorf("%+v", list)
	}
	world.Fault(almanactest.Fault{Reset: true})
	if _, err := world.Client().Get(world.URL + "/cal/events/v1/events"); err == nil {
		t.Error("a fault that resets the connection did not")
	}
	if world.Certificate == nil || contract.Start(t, almanactest.Options{}).Certificate != nil {
		t.Error("a server without TLS has a certificate, or one with it has none")
	}
}

// Requests are compared as lines, and what fails names those that came instead.
func TestWantRequests(t *testing.T) {
	t.Parallel()
	r := &recorder{TB: t}
	srv := contract.Start(r, almanactest.Options{Now: now})
	srv.WantRequests()
	fatally(func() { srv.WantRequest("events.list") })
	if want := "0 requests for events.list, want one; seen: nothing"; !strings.HasSuffix(
		r.fatal,
		want,
	) {
		t.Errorf("the test ended with %q, want %q", r.fatal, want)
	}
	send(t, srv, "GET", "/cal/events/v1/events?page=1", "")
	send(t, srv, "POST", "/cal/events/v1/tags", `{"name":"free"}`)
	send(t, srv, "GET", "/cal/events/v1/tags", "")
	send(t, srv, "GET", "/cal/events/v1/tags", "")
	srv.WantRequests(
		"GET /cal/events/v1/events?page=1 200",
		"POST /cal/events/v1/tags 201",
		"GET /cal/events/v1/tags 200",
		"GET /cal/events/v1/tags 200",
	)
	if got := srv.WantRequest("tags.create"); string(got.Body) != `{"name":"free"}` {
		t.Errorf("sent %q", got.Body)
	}
	fatally(func() { srv.WantRequest("tags.list") })
	want := "2 requests for tags.list, want one; seen:\n\tevents.list\tGET /cal/events/v1/events?page=1 200\n\ttags.create\tPOST "
	if !strings.Contains(r.fatal, want) {
		t.Errorf("the test ended with %q, want %q", r.fatal, want)
	}
	srv.WantRequests(
		"POST /cal/events/v1/tags 201",
		"GET /cal/events/v1/tags 200",
		"DELETE /cal/events/v1/tags/1 200",
	)
	want = "(-wanted, +seen):\n+ GET /cal/events/v1/events?page=1 200\n  POST /cal/events/v1/tags 201\n" +
		"  GET /cal/events/v1/tags 200\n- DELETE /cal/events/v1/tags/1 200\n+ GET /cal/events/v1/tags 200\n"
	if !strings.HasSuffix(r.failed, want) {
		t.Errorf("the test failed with %q, want %q", r.failed, want)
	}
}
