package api

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	"almanac/internal/account"
	"almanac/internal/front"
	"almanac/internal/race"
	"almanac/store"
)

// siteServer makes a server whose links begin with the host that was asked, and
// asks it for its document at a host.
func siteServer(t *testing.T) (s *Server, ask func(host string) *front.Site) {
	t.Helper()
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Check(); err != nil {
			t.Error(err)
		}
		st.Close()
	})
	doc := func(on func(string, *Op)) { on("GET /"+Namespace+"/doc", Doc) }
	if s, err = New(Options{Store: st, Accounts: accounts}, doc); err != nil {
		t.Fatal(err)
	}
	return s, func(host string) *front.Site {
		t.Helper()
		r := httptest.NewRequest("GET", "/"+Namespace+"/doc", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", host, w.Code, w.Body)
		}
		b, _ := s.Front.Locate(r)
		return s.Front.Site(b, r)
	}
}

// isKept reports whether the document of a site is.
func isKept(s *Server, one *front.Site) bool {
	_, err := s.statics.Static(
		one.Number,
		0,
		Doc.Name,
		"3.0 en",
		"",
		func() ([]byte, error) { return nil, errors.ErrUnsupported },
	)
	return err == nil
}

// A host that comes after many made-up ones is remembered when it is asked again,
// and stays so however many more are made up, as long as it is asked now and then.
// A host that is asked once takes no room.
func TestMadeUpHostsAlone(t *testing.T) {
	race.Alone(t)
	s, ask := siteServer(t)
	for i := range 100 {
		for range 2 {
			ask(fmt.Sprint("before-", i))
		}
	}
	first := ask("calendar.example.org")
	if first.Number == 0 {
		t.Fatal("a host that was asked is not remembered")
	}
	if isKept(s, first) {
		t.Error("what a host is answered is kept when it is asked for the first time")
	}
	if ask("calendar.example.org") != first || !isKept(s, first) {
		t.Error("what a host is answered is not kept when it is asked for the second time")
	}
	for i := range 20_000 {
		r := httptest.NewRequest("GET", "/"+Namespace+"/doc", nil)
		r.Host = fmt.Sprint("made-up-", i)
		b, _ := s.Front.Locate(r)
		if s.Front.Site(b, r).Number != 0 {
			t.Fatal("a host that was not asked before has a number")
		}
		if i%500 != 0 {
			continue
		}
		for range 2 {
			if other := ask(r.Host); !isKept(s, other) {
				t.Fatal("what a host is answered that is asked again is not kept")
			}
		}
		if ask("calendar.example.org") != first || !isKept(s, first) {
			t.Fatalf("after %d other hosts the one that is asked for all the time is forgotten", i)
		}
	}
	r := httptest.NewRequest("GET", "/"+Namespace+"/doc", nil)
	r.Host = "before-0"
	if s.Front.Site(s.Front.Neutral(), r).Number != 0 {
		t.Error("a host that was not asked for long is remembered")
	}
}
