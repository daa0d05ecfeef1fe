// The requests: many different ones of each sort, the same in every run.

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	eventsPath = "/cal/events/v1/events"
	host       = "calendar.example.org" // links in answers are the same from every port
	perPage    = 10
)

// get makes a request; fields are further lines of its header.
func get(uri string, fields ...string) request {
	return request{Status: http.StatusOK, Bytes: message("GET", uri, "", fields)}
}

// post makes a request of the class of writes, with JSON.
func post(uri, body string, fields ...string) request {
	fields = append(fields, "Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body)))
	return request{Status: http.StatusCreated, Class: writes, Bytes: message("POST", uri, body, fields)}
}

func message(method, uri, body string, fields []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, uri, host)
	for _, f := range fields {
		b.WriteString(f + "\r\n")
	}
	b.WriteString("\r\n" + body)
	return b.Bytes()
}

// uri returns the address that a request asks for.
func (r request) uri() string {
	_, rest, _ := bytes.Cut(r.Bytes, []byte(" "))
	uri, _, _ := bytes.Cut(rest, []byte(" "))
	return string(uri)
}

// list makes the address of a list of events.
func list(query ...string) string {
	values := url.Values{}
	for i := 0; i < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	return eventsPath + "?" + values.Encode()
}

// dates makes a random range of dates inside the generated years, of up to so
// many days.
func dates(rng *rand.Rand, days int) []string {
	from := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(3*365-days))
	to := from.AddDate(0, 0, 1+rng.IntN(days))
	return []string{"start_date", from.Format(time.DateOnly), "end_date", to.Format(time.DateOnly)}
}

// totalOf asks how many events a list has.
func totalOf(h http.Handler, r request) (int, error) {
	resp, _, err := ask(h, r)
	if err != nil {
		return 0, err
	}
	total := resp.Header["X-TEC-Total"] // spelled as clients know it
	if len(total) != 1 {
		return 0, fmt.Errorf("%s: no total", r.uri())
	}
	return strconv.Atoi(total[0])
}

// pages makes requests for the first, the middle and the last page of random
// ranges of dates, n in all.
func pages(h http.Handler, rng *rand.Rand, n int) ([]request, error) {
	var all []request
	known := map[string]bool{}
	for len(all) < n {
		query := dates(rng, 300)
		total, err := totalOf(h, get(list(query...)))
		if err != nil {
			return nil, err
		}
		last := max(1, (total+perPage-1)/perPage)
		for _, page := range []int{1, max(1, last/2), last} {
			uri := list(append(query, "page", strconv.Itoa(page))...)
			if !known[uri] && len(all) < n {
				known[uri] = true
				all = append(all, get(uri))
			}
		}
	}
	return all, nil
}

// creates makes requests that create events, each time with another title. The
// links lead to the first venues and categories, which are the most used.
func creates(rng *rand.Rand, n int, token string, venues, categories []int64) []request {
	var all []request
	for range n {
		start := time.Date(2030, 1, 1, 18, 0, 0, 0, time.UTC).AddDate(0, 0, rng.IntN(3*365))
		l := links{venues[rng.IntN(len(venues))], categories[rng.IntN(len(categories))]}
		all = append(all, create("Concert", start, l, token, ""))
	}
	return all
}

// links are where an event leads.
type links struct{ venue, category int64 }

// create makes a request that creates an event of two hours, each time with another
// title. more is further members.
func create(title string, start time.Time, l links, token, more string) request {
	body := fmt.Sprintf(`{"title":"%s %s","start_date":"%s","end_date":"%s","venue":%d,"categories":[%d]%s}`, title, numberMark,
		start.Format(time.DateTime), start.Add(2*time.Hour).Format(time.DateTime), l.venue, l.category, more)
	return post(eventsPath, body, "Authorization: Bearer "+token)
}
