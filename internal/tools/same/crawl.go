// The crawl: all that can be read.

package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// named finds the addresses of the calendar in an answer.
var named = regexp.MustCompile(
	`(?:(?:https?|webcal)://calendar\.example\.org|(?:href|src|action|srcset)=["'])(/[^\s"'<>\\|^]*)`,
)

// entries are the addresses that a crawl begins with, below each base address.
var entries = []string{
	"/", "/docs", "/events/", "/events/past/", "/events/month/", "/events/today/", "/embed/events/", "/embed/events/month/", "/robots.txt",
	"/sitemap.xml", "/events/feed/", "/events/?ical=1", api, api + "/", api + "/doc", api + "/doc?version=3.1",
	api + "/events", api + "/events?start_date=2000-01-01&per_page=50", api + "/events.ics", api + "/events.ics?expand=true",
	api + "/events.csv", api + "/events.rss", api + "/events.atom", api + "/events.feed.json", api + "/venues?per_page=50",
	api + "/organizers?per_page=50", api + "/categories?per_page=50", api + "/tags?per_page=50", api + "/series", "/event/nothing/",
	"/nothing", "/venue/nothing/", api + "/nothing",
}

// crawl asks for all of it.
func crawl(p *pair, report *report, most int) error {
	prefixes, err := languages(p)
	if err != nil {
		return err
	}
	q := &queue{seen: map[string]bool{}, most: most}
	q.ready = sync.NewCond(&q.mu)
	for _, prefix := range prefixes {
		for _, path := range entries {
			q.add(asked{method: http.MethodGet, path: prefix + path})
		}
	}
	more, err := questions(p)
	if err != nil {
		return err
	}
	for _, a := range more {
		q.add(a)
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for a, ok := q.next(); ok; a, ok = q.next() {
				q.done(visit(p, report, q, a))
			}
		})
	}
	all.Wait()
	if len(q.seen) >= q.most {
		fmt.Printf("only the first %d addresses were asked for\n", q.most)
	}
	return q.err
}

// visit asks for an address: plain or compressed, again on a condition, and adds what is named
// there.
func visit(p *pair, report *report, q *queue, a asked) error {
	switch hash(a.path) % 8 {
	case 0:
		a.header = [2]string{"Accept-Encoding", "gzip"}
	case 1:
		a.header = [2]string{"Accept", "text/html"}
	}
	got, err := p.ask(a)
	if err != nil {
		return err
	}
	report.compare(a, got)
	if a.method == http.MethodGet && got[0].tag != "" && hash(a.path)%4 == 1 {
		var again [2]answer
		for i := range again {
			a.header = [2]string{"If-None-Match", got[i].tag}
			if again[i], err = p.askOne(i, a); err != nil {
				return err
			}
		}
		a.header[1] = "…"
		report.compare(a, again)
	}
	if media := got[0].header.Get("Content-Type"); !strings.HasPrefix(media, "text/calendar") &&
		a.caller == "" {
		for _, found := range named.FindAllSubmatch(got[0].body, -1) {
			q.add(asked{method: http.MethodGet, path: html.UnescapeString(string(found[1]))})
		}
	}
	return nil
}

func hash(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // it returns no error
	return h.Sum32() >> 3
}

// A queue holds what is still to be asked for.
type queue struct {
	most int

	mu      sync.Mutex // guards the fields below
	ready   *sync.Cond
	seen    map[string]bool
	waiting []asked
	busy    int // that were taken and are not done
	err     error
}

func (q *queue) add(a asked) {
	a.path, _, _ = strings.Cut(a.path, "#")
	if _, err := url.ParseRequestURI(a.path); err != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if key := a.String(); !q.seen[key] && len(q.seen) < q.most {
		q.seen[key] = true
		q.waiting = append(q.waiting, a)
		q.ready.Signal()
	}
}

func (q *queue) next() (a asked, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && q.busy > 0 && q.err == nil {
		q.ready.Wait()
	}
	if len(q.waiting) == 0 || q.err != nil {
		return a, false
	}
	a = q.waiting[0]
	q.waiting = q.waiting[1:]
	q.busy++
	return a, true
}

func (q *queue) done(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.busy--
	if err != nil && q.err == nil {
		q.err = err
	}
	q.ready.Broadcast()
}

// A document has the needed parts of the description of the API.
type document struct {
	Paths map[string]map[string]struct {
		Parameters []struct{ Name, In string }
	}
}

// languages returns the paths of all base addresses.
func languages(p *pair) ([]string, error) {
	got, err := p.ask(asked{method: http.MethodGet, path: "/docs"})
	prefixes := []string{""}
	siblings := regexp.MustCompile(
		`hreflang="[A-Za-z-]+" href="(?:http://calendar\.example\.org)?(/[A-Za-z-]+)/`,
	)
	for _, found := range siblings.FindAllSubmatch(got[0].body, -1) {
		prefixes = append(prefixes, string(found[1]))
	}
	slices.Sort(prefixes)
	if prefixes = slices.Compact(prefixes); err == nil && len(prefixes) < 20 {
		err = fmt.Errorf("only %d languages are named: %v", len(prefixes), prefixes)
	}
	return prefixes, err
}

// values are sent with each parameter.
var values = strings.Fields(
	"0 1 2 3 7 50 -1 true false x music choir Jazz town-hall publish draft trash any now today tomorrow " +
		"2031-05-10 2031-06-01T18:00:00 2031-05-31 asc desc title start_date modified id 53.5 9.99 1,2 a,b %2B%2D %ff id,title " +
		"2031-05-10+00:00:00 Europe/Berlin view edit once 1;2 secret",
)

// questions returns requests that no answer names: every parameter of every operation
// that reads, and random ones together.
func questions(p *pair) (all []asked, err error) {
	got, err := p.ask(asked{method: http.MethodGet, path: api + "/doc"})
	if err != nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal(got[0].body, &doc); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(7, 31))
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range []string{"get", "delete", "post"} {
			op, ok := doc.Paths[path][method]
			if !ok {
				continue
			}
			for _, caller := range roles {
				for range 6 {
					all = append(all, asked{
						method: http.MethodGet,
						path:   filled(path, random),
						caller: caller,
					},
						asked{method: http.MethodHead, path: filled(path, random), caller: caller},
						asked{
							method: http.MethodOptions,
							path:   filled(path, random),
							caller: caller,
						})
				}
			}
			var names []string
			for _, parameter := range op.Parameters {
				if parameter.In == "query" {
					names = append(names, parameter.Name)
				}
			}
			if method != "get" || len(names) == 0 {
				continue
			}
			names = append(
				names,
				"_fields",
				"_envelope",
				"_pretty",
				"_method",
				"_embed",
				"per_page",
			)
			for _, name := range names {
				for _, value := range values {
					query := filled(path, random) + "?" + name + "=" + value
					all = append(all, asked{
						method: http.MethodGet,
						path:   query,
						caller: roles[random.IntN(3)],
					})
				}
			}
			for range 60 * len(names) {
				var query []string
				for range 2 + random.IntN(3) {
					query = append(
						query,
						names[random.IntN(len(names))]+"="+values[random.IntN(len(values))],
					)
				}
				all = append(all, asked{
					method: http.MethodGet,
					path:   filled(path, random) + "?" + strings.Join(query, "&"),
					caller: roles[random.IntN(len(roles))],
				})
			}
		}
	}
	return all, nil
}

var variable = regexp.MustCompile(`\{[a-z]+\}`)

// filled returns a path with something in the place of its variables.
func filled(path string, random *rand.Rand) string {
	if !strings.HasPrefix(path, api) && !strings.HasPrefix(path, "/_") {
		path = api + path
	}
	return variable.ReplaceAllStringFunc(path, func(name string) string {
		if name == "{id}" {
			return fmt.Sprint(random.IntN(700))
		}
		return []string{"town-hall", "choir", "nothing", "city-library", "today"}[random.IntN(5)]
	})
}
