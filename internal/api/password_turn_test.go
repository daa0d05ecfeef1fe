package api

import (
	"context"
	"net/http"
	"testing"

	"almanac/internal/account"
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
	s, err := New(Options{Accounts: accounts, Passwords: password.NewKeeper(1)}, func(func(string, *Op)) {})
	if err != nil {
		t.Fatal(err)
	}
	r := &Call{Server: s, reservations: reservations{ctx: context.Background(), turn: s.making.Hold(rateKey{})},
		Input: Input{HTTP: apitest.Request(http.MethodGet, "http://example.com/", "")}}
	r.In, err = params.Read(params.Source{Method: http.MethodGet, Query: "password=right"})
	if r.takeTurn(); err == nil {
		err = r.try([]*store.Event{{Password: "right"}})
	}
	if err != nil || !r.unlocker.tried["right"] || r.turn.Size() != 0 {
		t.Errorf("%v, it was tried: %v, and holds %d turns", err, r.unlocker.tried, r.turn.Size())
	}
}
