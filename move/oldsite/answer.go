package oldsite

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/text/jsonio"
)

// PageSize is the size of pages that The Events Calendar does not exceed.
const PageSize = 50

// An Object is a decoded JSON object. Its numbers are texts of type json.Number.
type Object = map[string]any

// An Answer is an answer of an API.
type Answer struct {
	Code   int
	Status string
	Header http.Header
	Body   Object // nil if it is no object
}

// Ask asks for a route of the API, such as /events, with any status.
func (s *Site) Ask(ctx context.Context, route string, query url.Values) (Answer, error) {
	page, err := s.crawler.Get(ctx, s.Address(strings.TrimPrefix(route, "/"), query))
	if err != nil {
		return Answer{}, err
	}
	if jsonio.HasMany(page.Body) {
		return Answer{}, errMany
	}
	return Answer{page.Code, page.Status, page.Header, Decode(page.Body)}, nil
}

// Decode returns the object in a text, or nil.
func Decode(text []byte) (body Object) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&body) != nil {
		return nil
	}
	return body
}

// An Index is the index of an API.
type Index struct {
	Namespace string // such as tribe/events/v1
	API, Home string // addresses of API and site, as the site names them
	Routes    Object // by their paths below the namespace
}

// Index asks for the index.
func (s *Site) Index(ctx context.Context) (Index, error) {
	a, err := s.Ask(ctx, "", nil)
	all, ok := a.Body["routes"].(Object)
	if err == nil && !ok {
		err = fmt.Errorf("it answers %s, and lists no routes", a.Status)
	}
	if err != nil {
		return Index{}, fmt.Errorf("%s: %w", s.Root, err)
	}
	index := Index{Namespace: Text(a.Body["namespace"]), API: s.Root.String(), Routes: Object{}}
	for path, description := range all {
		index.Routes[strings.TrimPrefix(path, "/"+index.Namespace)] = description
	}
	links, _ := a.Body["_links"].(Object)
	for _, up := range Records(links["up"]) {
		index.API = Text(up["href"]) + index.Namespace
	}
	index.Home = strings.TrimSuffix(index.API, "/"+index.Namespace)
	for _, way := range []string{"/wp-json", "?rest_route=", "/index.php", "/"} {
		index.Home = strings.TrimSuffix(index.Home, way)
	}
	return index, nil
}

// isDate matches a default that is computed at the time of the request.
var isDate = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)

// Computed stands for a default that depends on the time or the site.
const Computed = "computed"

// Default returns a default in the description of a parameter. The Events Calendar writes some as
// texts.
func (i Index) Default(value any) string {
	switch text := Text(value); {
	case value == "1": // of a flag: numbers are no strings
		return "true"
	case text == i.Namespace, isDate.MatchString(text):
		return Computed
	default:
		return text
	}
}

// Records returns the records of a member that has one, or a list.
func Records(value any) (records []Object) {
	list, _ := value.([]any)
	if one, ok := value.(Object); ok {
		list = []any{one}
	}
	for _, item := range list {
		if record, ok := item.(Object); ok {
			records = append(records, record)
		}
	}
	return records
}

// ID returns the id of a record, or 0.
func ID(record Object) int64 { return Number(record["id"]) }

// Number returns a whole number, or 0.
func Number(value any) int64 {
	n, _ := value.(json.Number)
	i, _ := n.Int64() // 0 for others
	return i
}

// Slug returns the slug of a record, as people read it.
func Slug(record Object) string {
	slug, _ := record["slug"].(string)
	if plain, err := url.PathUnescape(slug); err == nil {
		slug = plain
	}
	return strings.ToLower(slug)
}

// Text returns a value as people read it. Numbers that are equal are equal texts.
func Text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
	}
	text, _ := json.Marshal(value) // it was JSON
	return string(text)
}
