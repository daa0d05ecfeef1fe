// Following the links of lists.

package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"

	"github.com/google/go-cmp/cmp"
)

// follow reads a list from an address on, along one of its links, and returns the
// names in it page by page.
func follow(
	t *testing.T,
	c *sample.Calendar,
	role account.Role,
	address, along string,
) (pages [][]string, last string) {
	t.Helper()
	for address != "" {
		if len(pages) > 20 {
			t.Fatalf("%s leads in a circle", address)
		}
		status, body := apitest.Do(t, c.As(role), http.MethodGet, address, "")
		if status != http.StatusOK {
			t.Fatalf("%s: %d %v", address, status, body)
		}
		pages = append(pages, sample.Names(body))
		last = address
		address, _ = body[along].(string)
	}
	return pages, last
}

// A client that follows next_rest_url visits each record that was asked for once, in the order of
// the whole; previous_rest_url leads back the same way, and rest_url to the present page.
func TestLinksStayInTheFilter(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	for _, query := range []string{
		"/events?", "/events?start_date=2019-01-01", "/events?starts_after=2000-01-01", "/events?ends_after=yesterday&starts_before=2040-01-01",
		"/events?start_date=2031-04-10&strict_dates=true", "/events?strict_dates=1&end_date=2031-04-11T00:00:00%2B09:00",
		"/events?strict_dates=1",
		"/events?search=o", "/events?search=%22o%22 -two", "/events?search=a%26b", "/events?categories=music,café&start_date=2031-04-01",
		"/events?categories[]=jazz&categories[]={Café}", "/events?tags=free entry", "/events?tags[0]={Kids}&tags[1]={Free Entry}",
		"/events?venue={Hall},{Bärn}, {Lone}", "/events?organizer[]={Ann}", "/events?featured=true", "/events?featured=0",
		"/events?ticketed=false",
		"/events?geoloc=true", "/events?geoloc=false", "/events?geoloc_lat=41&geoloc_lng=-73&geoloc_radius=200&geoloc=1",
		"/events?include={Past},{One},{Two}",
		"/events?include={Past},{One}&ends_before=2000-01-01", "/events?post_parent={One}", "/events?password=pw",
		"/events?context=edit", "/events?order=desc&orderby=title",
		"/events?modified_after=2020-01-01&modified_before=2030-01-01", "/events?slug=one", "/events?slug=", "/events?status=publish",
		"/venues?", "/venues?search=a", "/venues?has_events=true", "/venues?has_events=", "/venues?only_with_upcoming=yes", "/venues?event={One}",
		"/venues?exclude={Hall}", "/venues?include={Hall},{Lone},{Ruin}&order=asc&orderby=title", "/organizers?", "/organizers?search=ann",
		"/categories?", "/categories?hide_empty=false", "/categories?search=e&order=desc", "/categories?exclude={Jazz}&orderby=count",
		"/categories?include={Music},{Café}&orderby=include",
		"/categories?parent={Music}", "/categories?event={One}", "/categories?slug=jazz", "/tags?hide_empty=0", "/tags?post={Three}",
	} {
		for _, role := range sample.Everybody {
			_, whole := c.Get(t, role, query+"&per_page=50")
			want := sample.Names(whole)
			paged := strings.ReplaceAll(c.Fill(t, query), " ", "%20") + "&per_page=1"
			pages, last := follow(t, c, role, c.URL+v1+paged, "next_rest_url")
			if diff := cmp.Diff(want, slices.Concat(pages...)); diff != "" {
				t.Errorf("%s as %q, forward (-whole, +pages):\n%s", query, role, diff)
			}
			back, first := follow(t, c, role, last, "previous_rest_url")
			slices.Reverse(back)
			if diff := cmp.Diff(pages, back); diff != "" {
				t.Errorf("%s as %q, back (-forward, +back):\n%s", query, role, diff)
			}
			_, body := apitest.Do(t, c.As(role), http.MethodGet, first, "")
			_, again := apitest.Do(t, c.As(role), http.MethodGet, body["rest_url"].(string), "")
			if diff := cmp.Diff(body, again); diff != "" {
				t.Errorf("%s as %q: rest_url leads to something else:\n%s", query, role, diff)
			}
		}
	}
}

// The Link header says the same as the links in the body, and where the list
// begins and ends.
func TestLinkHeader(t *testing.T) {
	t.Parallel()
	c := sample.Fair(t)
	resp, err := c.As("").Get(c.URL + v1 + "/events?starts_after=2000-01-01&per_page=2&page=2")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	address := c.URL + v1 + "/events/?per_page=2&status=publish&starts_after=2000-01-01+23%3A59%3A59"
	want := []string{
		"<" + c.URL + `/>; rel="https://api.w.org/"`, "<" + address + `>; rel="first"`, "<" + address + `&page=3>; rel="next"`,
		"<" + address + `>; rel="prev"`, "<" + address + `&page=3>; rel="last"`,
		"<webcal" + strings.TrimPrefix(
			c.URL,
			"http",
		) + v1 + `/events.ics?starts_after=2000-01-01>; rel="alternate"; type="text/calendar"`,
	}
	if diff := cmp.Diff(want, resp.Header.Values("Link")); diff != "" {
		t.Errorf("Link (-want, +got):\n%s", diff)
	}
}
