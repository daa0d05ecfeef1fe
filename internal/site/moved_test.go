package site_test

import (
	"net/http"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/store"
)

// A page whose slug was changed is found at its old address, which leads to the new one, in
// every language and form; the API knows the new slug alone.
func TestMoved(t *testing.T) {
	t.Parallel()
	c := subscribed(t)
	patch := func(role account.Role, path, body string, status int) {
		t.Helper()
		if got, answer := apitest.Do(t, c.As(role), "PATCH", c.URL+v1+c.Fill(t, path), body); got != status {
			t.Fatalf("%s: %d, %v", path, got, answer)
		}
	}
	admin := account.Administrator
	patch(admin, "/events/{May}", `{"slug":"in-may"}`, 200)
	patch(admin, "/events/{May}", `{"slug":"may-fair"}`, 200)
	patch(admin, "/events/{Market}", `{"slug":"Markt für Ü"}`, 200)
	patch(admin, "/events/{Locked}", `{"slug":"unlocked"}`, 200)
	patch(admin, "/events/{Old}", `{"slug":"older"}`, 200)
	patch(admin, "/events/{Old}", `{"status":"draft"}`, 200)
	patch(admin, "/events/{Fair}", `{"slug":"fairer"}`, 200)
	patch(admin, "/events/{Midnight}", `{"slug":"fair"}`, 200)
	patch(admin, "/events/{private}", `{"slug":"still-private"}`, 200)
	patch(admin, "/categories/{Jazz & Blues}", `{"slug":"jazz"}`, 200)
	patch(admin, "/tags/{Outdoor}", `{"slug":"outside"}`, 200)
	c.Change(
		t,
		store.Venues,
		"Hall",
		func(r store.Record) { r.(*store.Venue).Slug = "great-hall" },
	)
	c.Change(
		t,
		store.Organizers,
		"Ann",
		func(r store.Record) { r.(*store.Organizer).Slug = "anna" },
	)

	for _, tt := range []struct{ address, want string }{
		{"/event/may/", "/event/may-fair/"}, {"/event/in-may/", "/event/may-fair/"}, {"/event/MAY", "/event/may-fair/"},
		{"/de/event/may/", "/de/event/may-fair/"}, {"/pt-br/event/may/", "/pt-BR/event/may-fair/"},
		{"/event/may/?ical=1", "/event/may-fair/?ical=1"}, {"/event/may/ical/", "/event/may-fair/ical/"},
		{"/?tribe_events=may&ical=1", "/?ical=1&tribe_events=may-fair"},
		{"/event/market/?a=b", "/event/markt-fur-u/?a=b"}, {"/event/locked/", "/event/unlocked/"},
		{"/event/fair/", "200"}, {"/event/fairer/", "200"}, {"/event/may-fair/", "200"},
		{"/venue/hall/", "/venue/great-hall/"}, {"/venue/hall/?ical=1", "/venue/great-hall/?ical=1"}, {"/organizer/ann/", "/organizer/anna/"},
		{"/events/category/music/jazz-blues/list/", "/events/category/music/jazz/list/"},
		{"/events/category/jazz-blues/?ical=1", "/events/category/jazz/?ical=1"},
		{"/tag/outdoor/", "/tag/outside/"}, {"/events/tag/outdoor/month/2026-12/", "/events/tag/outside/month/2026-12/"},
		{"/event/old/", "404"}, {"/event/older/", "404"}, {"/event/private/", "404"}, {"/event/still-private/", "404"},
		{"/event/nothing/", "404"},
		{v1 + "/events/by-slug/may", "400"}, {v1 + "/events/by-slug/may-fair", "200"},
	} {
		resp, body := c.Page(t, http.MethodGet, "", tt.address)
		got := resp.Header.Get("Location")
		if resp.StatusCode != http.StatusMovedPermanently {
			got = resp.Status[:3]
		}
		if strings.TrimPrefix(got, c.URL) != tt.want {
			t.Errorf("%s: %s, want %s: %.100s", tt.address, got, tt.want, body)
		}
	}

	// A caller who may read a hidden record is led there, and a stranger gets the same as for an
	// unknown one.
	if resp, _ := c.Page(t, http.MethodGet, admin, "/event/old/"); resp.Header.Get(
		"Location",
	) != c.URL+"/event/older/" {
		t.Errorf(
			"the administrator, at the old address of a draft: %s, %s",
			resp.Status,
			resp.Header.Get("Location"),
		)
	}
	_, old := c.Page(t, http.MethodGet, "", "/event/old/")
	_, nothing := c.Page(t, http.MethodGet, "", "/event/nix/")
	if old != strings.ReplaceAll(nothing, "nix", "old") {
		t.Errorf(
			"the old address of a draft tells a stranger of it:\n%s\nand nothing:\n%s",
			old,
			nothing,
		)
	}

	// Whom a stranger may not know of takes no address away.
	patch(admin, "/events/{draft}", `{"slug":"in-may"}`, 200)
	if resp, _ := c.Page(t, http.MethodGet, "", "/event/in-may/"); resp.Header.Get(
		"Location",
	) != c.URL+"/event/may-fair/" {
		t.Errorf("an old address that a draft has now: %s", resp.Status)
	}
}
