package sample

import (
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/people/account"
	"almanac/internal/tools/apitest"
)

// Get reads a path below the namespace.
func (c *Calendar) Get(t *testing.T, role account.Role, path string) (int, map[string]any) {
	t.Helper()
	return apitest.Do(
		t,
		c.As(role),
		http.MethodGet,
		c.URL+V1+strings.ReplaceAll(c.Fill(t, path), " ", "%20"),
		"",
	)
}

// List returns the names in a list, or the code of the error with the names of
// its parameters.
func (c *Calendar) List(t *testing.T, role account.Role, path string) string {
	t.Helper()
	status, body := c.Get(t, role, path)
	if status != http.StatusOK {
		return Complaint(body)
	}
	return strings.Join(Names(body), ", ")
}

// Page asks for an address below the root, and returns the answer with its body.
func (c *Calendar) Page(
	t *testing.T,
	method string,
	role account.Role,
	address string,
	headers ...string,
) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, c.URL+c.Fill(t, address), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := c.As(role).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// Send is Page with headers that are given as "Name: value".
func (c *Calendar) Send(
	t *testing.T,
	role account.Role,
	method, path string,
	headers ...string,
) (*http.Response, []byte) {
	t.Helper()
	var fields []string
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		fields = append(fields, name, value)
	}
	resp, body := c.Page(t, method, role, path, fields...)
	return resp, []byte(body)
}

// Fill puts ids in the place of {names}.
func (c *Calendar) Fill(t *testing.T, text string) string {
	t.Helper()
	return Braces.ReplaceAllStringFunc(text, func(name string) string {
		id, ok := c.IDs[name[1:len(name)-1]]
		if !ok {
			t.Fatalf("no record is named %s", name)
		}
		return fmt.Sprint(id)
	})
}

// Braces finds {names} of records.
var Braces = regexp.MustCompile(`\{[^}]*\}`)

// Names returns the names of the records in a list.
func Names(body map[string]any) []string {
	var list []string
	for _, kind := range []string{"events", "series", "venues", "organizers", "categories", "tags"} {
		items, _ := body[kind].([]any)
		for _, item := range items {
			record := item.(map[string]any)
			for _, key := range []string{"title", "venue", "organizer", "name"} {
				if name, ok := record[key].(string); ok {
					list = append(list, name)
					break
				}
			}
		}
	}
	return list
}

// Complaint returns the code of an error and the parameters it names.
func Complaint(body map[string]any) string {
	text := fmt.Sprint(body["code"])
	data, _ := body["data"].(map[string]any)
	named, _ := data["params"].(map[string]any)
	var params []string
	for name := range named {
		params = append(params, name)
	}
	slices.Sort(params)
	return strings.TrimSpace(text + " " + strings.Join(params, " "))
}

// Titles returns the titles of the events in a document.
func Titles(t *testing.T, extension, body string) (found []string) {
	t.Helper()
	if extension == ".csv" {
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		for _, row := range rows[1:] {
			found = append(found, row[0])
		}
		return found
	}
	for _, match := range summary[extension].FindAllStringSubmatch(body, -1) {
		found = append(found, match[1])
	}
	return found
}

// summary finds the titles of events in a document.
var summary = map[string]*regexp.Regexp{
	".ics":       regexp.MustCompile(`(?m)^SUMMARY:(.*)\r$`),
	".rss":       regexp.MustCompile(`<item>\s*<title>(.*)</title>`),
	".atom":      regexp.MustCompile(`(?s)<entry>.*?<title[^>]*>(.*?)</title>`),
	".feed.json": regexp.MustCompile(`"id":"[^"]*","url":"[^"]*","title":"([^"]*)"`),
}

// Located finds an address and its time of change in a file of a sitemap.
var Located = regexp.MustCompile(
	`<loc>http://example\.com([^<]*)</loc>(<lastmod>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ</lastmod>)?`,
)
