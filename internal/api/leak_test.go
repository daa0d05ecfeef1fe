// The leak matrix: every answer equals that of a world in which the records hidden from the caller
// do not exist.

package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A question is a request of the matrix.
type question struct {
	method, path, query, body string
	headers                   []string // names and values in turn
	sent                      string   // the value that is probed
	hides                     string   // the exception that it falls under, "" for none
}

func (q question) String() string {
	return fmt.Sprintf("%s %s?%s %s %v", q.method, q.path, q.query, q.body, q.headers)
}

// A reply is an answer, in a form that can be compared.
type reply struct {
	Status int
	Header map[string][]string
	Body   string
}

// took is the part of X-Almanac-Plan that is never the same.
var took = regexp.MustCompile(`; took=\S+`)

// revisionNumbers matches the numbers of revisions.
var revisionNumbers = regexp.MustCompile(`"number":[0-9]+`)

// ask asks a world as a role.
func (w *leakWorld) ask(role account.Role, q question) reply {
	target := q.path
	if q.query != "" {
		target += "?" + strings.ReplaceAll(strings.ReplaceAll(q.query, " ", "%20"), `"`, "%22")
	}
	headers := append([]string{"Authorization", apitest.Bearer(leakTokens[role])}, q.headers...)
	if filter, isFeed := strings.CutPrefix(target, feedPlace); isFeed {
		number, rest, _ := strings.Cut(filter, ".")
		n, _ := strconv.Atoi(number)
		target = feedOf(role, n) + "." + rest
		headers = q.headers
	}
	rec := apitest.Serve(w, q.method, target, q.body, headers...)
	got := reply{rec.Code, map[string][]string(rec.Header()), rec.Body.String()}
	if strings.HasSuffix(
		q.path,
		"/revisions",
	) { // numbers stand for the full history, which nobody can tell from them
		got.Body = revisionNumbers.ReplaceAllString(got.Body, `"number":0`)
		delete(got.Header, "Etag")
		delete(got.Header, "Content-Length")
	}
	if plan := got.Header["X-Almanac-Plan"]; plan != nil {
		got.Header["X-Almanac-Plan"] = []string{took.ReplaceAllString(plan[0], "")}
		if strings.Contains(q.query, "_envelope") { // it is in the body, too
			got.Body = took.ReplaceAllString(got.Body, "")
			delete(got.Header, "Etag")
			delete(got.Header, "Content-Length")
		}
	}
	return got
}

// modes are the ways in which every list and record is asked: parameters that
// every route takes.
var modes = []string{
	"",
	"&context=edit",
	"&_envelope&_fields=total,title,venue,events,rest_url",
	"&password=wrong",
}

// probed returns the values that are asked of a parameter. Documents have the same filters as
// lists, which are asked for all values: one is enough to see that it counts there too.
func (r leakRoute) probed(w *leakWorld, name string) []string {
	values := r.probes[name](w)
	if r.extension != "" && !sample.Long && len(values) > 0 {
		i := (len(name) + len(r.extension)) % len(values)
		return values[i : i+1]
	}
	return values
}

// reads returns the questions of a route that reads. Each value is asked alone or
// with what lets most through, as it is or in one of the modes.
func (r leakRoute) reads(w *leakWorld) (all []question) {
	switch r.kind {
	case subscribing:
		return subscriptions(w)
	case onPages:
		return pageQuestions(w)
	case secretFeeds:
		return secretQuestions(w)
	}
	add := func(path, query, sent, hides string) {
		q := question{method: "GET", path: path, query: query, sent: sent, hides: hides}
		turn := len(all) % len(modes)
		for i, mode := range modes {
			if sample.Long || sent == "" || i == turn {
				q.query = query + mode
				all = append(all, q)
			}
		}
		if sent == "" {
			q.method = "HEAD"
			q.query = query
			all = append(all, q)
		}
	}
	if r.variable != "" {
		named := paths[r.variable](w)
		if at := slices.Index([]string{"events", "venues", "organizers"}, r.kind); at >= 0 &&
			r.extension == "/revisions" {
			for _, own := range w.own {
				named = append(named, fmt.Sprint(own[at]))
			}
		}
		for _, value := range named {
			path := v1 + "/" + r.kind + "/"
			if r.variable == "slug" {
				path += "by-slug/"
			}
			hides := ""
			if w.names(value) {
				hides = "path"
			}
			add(path+value+r.extension, "", value, hides)
			for _, name := range slices.Sorted(maps.Keys(r.probes)) {
				for _, probe := range r.probed(w, name) {
					add(path+value+r.extension, name+"="+probe, probe, hides)
				}
			}
		}
		return all
	}
	wide := []string{""}
	if r.kind == "events" {
		wide = []string{"", "starts_after=2000-01-01&per_page=50"}
	}
	turn := 0
	for i, base := range wide {
		add(v1+"/"+r.kind+r.extension, base, "", "")
		for _, name := range slices.Sorted(maps.Keys(r.probes)) {
			for _, value := range r.probed(w, name) {
				if turn++; !sample.Long && turn%len(wide) != i {
					continue
				}
				hides := ""
				if (name == "venue" || name == "organizer") && w.names(value) {
					hides = "trash"
				}
				add(
					v1+"/"+r.kind+r.extension,
					strings.Trim(base+"&"+name+"="+value, "&"),
					value,
					hides,
				)
			}
		}
	}
	return all
}

// writes returns the questions of a route that writes, as asked by a role with records of its own,
// about hidden records.
func (r leakRoute) writes(w *leakWorld, role account.Role) (all []question) {
	path := v1 + "/" + r.kind
	switch r.variable {
	case "":
		for name, p := range r.probes {
			for _, value := range p(w) {
				all = append(all, question{
					method: r.method,
					path:   path,
					body:   fmt.Sprintf(`{%s,"%s":%s}`, least[r.kind], name, value),
					sent:   value,
					hides:  r.excused(w, name, value),
				})
			}
		}
		return all
	case "slug":
		path += "/by-slug"
	}
	for _, value := range paths[r.variable](w) {
		q := question{
			method: r.method,
			path:   path + "/" + value + r.behind(),
			body:   `{"description":"mine"}`,
			sent:   value,
		}
		if r.extension == "/merge" {
			into := map[string]int64{
				"venues":     w.hall,
				"organizers": w.ann,
				"categories": w.music,
				"tags":       w.free,
			}[r.kind]
			q.body = fmt.Sprintf(`{"into":%d}`, into)
		}
		if w.names(value) {
			q.hides = "path"
			all = append(all, q, question{
				method:  r.method,
				path:    q.path,
				body:    q.body,
				headers: []string{"If-Match", `"x"`},
				sent:    value,
				hides:   "path",
			})
		}
	}
	own, ok := w.own[role]
	at := slices.Index([]string{"events", "venues", "organizers"}, r.kind)
	same := !sample.Long && r.method != "PATCH" && r.extension == "" // operation as with PATCH
	if !ok || at < 0 || r.variable != "id" || r.method == "DELETE" || same {
		return all
	}
	for name, p := range r.probes {
		for _, value := range p(w) {
			all = append(all, question{
				method: r.method,
				path:   fmt.Sprint(path, "/", own[at], r.behind()),
				body:   fmt.Sprintf(`{"%s":%s}`, name, value),
				sent:   value,
				hides:  r.excused(w, name, value),
			})
		}
	}
	return all
}

// behind returns the end of a path behind its id. No record has the revision.
func (r leakRoute) behind() string { return strings.Replace(r.extension, "{number}", "1", 1) }

// excused returns the exception that a value in a body falls under.
func (r leakRoute) excused(w *leakWorld, name, value string) string {
	switch {
	case name == "image" && strings.Contains(value, "//"):
		return "image"
	}
	return ""
}

// names reports whether a value is the id or the slug of a hidden record.
func (w *leakWorld) names(value string) bool {
	for _, id := range []int64{w.event, w.venue, w.organizer, w.image, w.series, w.exception} {
		if value == fmt.Sprint(id) {
			return true
		}
	}
	return strings.HasPrefix(value, hiddenTexts) && strings.HasSuffix(value, "slug")
}

// exceptions has the known differences between the answers of the world and of its twin, with
// their reasons. There may be no other.
var exceptions = map[string]struct {
	why   string
	allow func(t *testing.T, s secret, there, twin reply) bool
}{
	"path": {
		`as in the original, what exists and is not readable is 403, by id and by slug, so that existence leaks`,
		func(t *testing.T, s secret, there, twin reply) bool {
			refused := []string{
				"event-not-accessible",
				"event-no-longer-available",
				"venue-not-accessible",
				"organizer-not-accessible",
				"series-not-accessible",
				"rest-invalid-event-id",
				"rest_forbidden",
				"rest_invalid_param",
				"rest_invalid_json",
			}
			return slices.ContainsFunc(
				refused,
				func(code string) bool { return strings.Contains(there.Body, `"code":"`+code+`"`) },
			) ||
				there.Body == "" && there.Status >= 400
		},
	},
	"trash": {
		"recording 15-delete, step 26: a venue in the trash may be named in a list, and nothing is found",
		func(t *testing.T, s secret, there, twin reply) bool {
			refused := twin.Status == 400 || strings.Contains(twin.Body, `"status":400,"headers"`)
			return s.status == store.Trash && refused && there.Status == 200 &&
				(strings.Contains(there.Body, `"total":0`) ||
					there.Header["Content-Type"][0] != "application/json; charset=UTF-8" && isEmptyDocument(there.Body))
		},
	},
	"image": {
		"the same address is the same image, so that who may name new ones and knows the address of one " +
			"learns its id and sizes",
		func(t *testing.T, s secret, there, twin reply) bool {
			return there.Status == twin.Status &&
				strings.Contains(there.Body, "zqimage.example/zqimage.png")
		},
	},
}

// isEmptyDocument reports whether a document of package feed has no events.
func isEmptyDocument(body string) bool {
	if strings.Contains(body, "EVENT NAME") { // the first row of CSV
		return strings.Count(body, "\r\n") == 1
	}
	return !slices.ContainsFunc([]string{"BEGIN:VEVENT", "<item>", "<entry>", `"date_published"`},
		func(sign string) bool { return strings.Contains(body, sign) })
}

// settle takes out of an answer what says only that a slug is taken: slugs are
// unique among all records, hidden ones too.
var taken = regexp.MustCompile(`(zq\w+|xq\w+)-2\b`)

// compare compares the answers to one question. It reports whether it was an
// exception.
func compare(t *testing.T, name string, s secret, q question, there, twin reply) (excepted bool) {
	t.Helper()
	if text, ok := canary(s, q, there); ok && q.hides != "image" {
		t.Errorf(
			"%s: %v: %q is in the answer %d: %.2000s",
			name,
			q,
			text,
			there.Status,
			fmt.Sprint(there.Header, there.Body),
		)
	}
	if s.linked || s.inside() || q.method != "GET" && q.method != "HEAD" {
		// A record that everybody sees was written in another way, which tags say.
		delete(there.Header, "Etag")
		delete(twin.Header, "Etag")
		delete(there.Header, "ETag")
		delete(twin.Header, "ETag")
		if q.method != "GET" && q.method != "HEAD" {
			delete(there.Header, "Content-Length")
			delete(twin.Header, "Content-Length")
			if there.Body != twin.Body {
				there.Body = taken.ReplaceAllString(there.Body, "$1")
				twin.Body = taken.ReplaceAllString(twin.Body, "$1")
			}
		}
	}
	if there.Status == twin.Status && there.Body == twin.Body &&
		maps.EqualFunc(there.Header, twin.Header, slices.Equal) {
		return false
	}
	if e, ok := exceptions[q.hides]; ok && e.allow(t, s, there, twin) {
		return true
	}
	t.Errorf("%s: %v: (-without what is hidden, +with it)\n%s", name, q, cmp.Diff(twin, there))
	return false
}

// canary looks for something hidden in an answer that the question did not bring
// along.
func canary(s secret, q question, a reply) (string, bool) {
	forbidden := append([]string{hiddenTexts}, otherCanaries...)
	if kind := strings.TrimPrefix(q.path, v1+"/"); q.body == "" &&
		!strings.HasPrefix(kind, "categories") &&
		!strings.HasPrefix(kind, "tags") &&
		!(s.inside() && !strings.HasPrefix(q.path, v1)) {
		forbidden = append(
			forbidden,
			hiddenTerms,
		) // elsewhere they are shown as what they are: terms
	}
	parts := []string{strings.ReplaceAll(a.Body, "\r\n ", "")} // calendars fold their lines
	for _, fields := range a.Header {
		parts = append(parts, fields...)
	}
	isIn := func(text string) bool {
		return slices.ContainsFunc(
			forbidden,
			func(word string) bool { return strings.Contains(text, word) },
		)
	}
	if !slices.ContainsFunc(parts, isIn) {
		return "", false
	}
	text := strings.Join(parts, "\n")
	without := func(text string) string { // the question
		for _, sent := range hiddenWords.FindAllString(q.query+q.body, -1) {
			text = strings.ReplaceAll(text, sent, "")
		}
		if sent := strings.Trim(q.sent, `"`); sent != "" {
			text = strings.ReplaceAll(
				strings.ReplaceAll(text, sent, ""),
				url.QueryEscape(sent),
				"",
			)
		}
		return text
	}
	left := without(text)
	if strings.Contains(q.query, hiddenTexts) && isIn(left) {
		left = without(links.ReplaceAllString(text, "")) // which repeat it in other forms
	}
	text = left
	for _, word := range forbidden {
		if at := strings.Index(text, word); at >= 0 && !slices.ContainsFunc(otherCanaries,
			func(c string) bool { return c == word && strings.Contains(q.query+q.body, c) }) {
			return text[at:min(len(text), at+30)], true
		}
	}
	return "", false
}

var (
	links       = regexp.MustCompile(`"(?:next_)?rest_url":"[^"]*"|<[^>]*>`)
	hiddenWords = regexp.MustCompile(`(?:` + hiddenTexts + `|` + hiddenTerms + `)[\w./]*`)
)
