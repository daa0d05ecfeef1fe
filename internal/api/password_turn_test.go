package api

import (
	"net/http"
	"testing"

	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/internal/apitest"
	"almanac/internal/params"
	"almanac/internal/password"
	"almanac/store"
)

// A request for a document gives its turn back before it works out a password, which takes long.
func TestPasswordsTakeNoTurn(t *testing.T) {
	t.Parallel()
	accounts, err := account.Memory()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{
		Accounts:  accounts,
		Passwords: password.NewKeeper(1),
	}, func(func(string, *Op)) {})
	if err != nil {
		t.Fatal(err)
	}
	r := &Call{
		Server:   s,
		reserved: s.bounds.Reservations(t.Context()),
		Input:    Input{HTTP: apitest.Request(http.MethodGet, "http://example.com/", "")},
	}
	r.In, err = params.Read(params.Source{Method: http.MethodGet, Query: "password=right"})
	r.reserved.For(admission.Key{})
	if r.reserved.TakeTurn(); err == nil {
		err = r.try([]*store.Event{{Password: "right"}})
	}
	if opens, _ := r.attempt.Opens("right"); err != nil || !opens || s.bounds.Making.Used() != 0 {
		t.Errorf("%v, it opens: %v, and holds %d turns", err, opens, s.bounds.Making.Used())
	}
}
