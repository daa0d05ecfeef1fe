package command

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// With -submissions, everybody proposes events for an account, and the file has a line for each.
func TestSubmissions(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "proposals.jsonl")
	s := startServer(t, "-memory", "-desk", "-submissions", "ADMIN", "-submission-log", file)
	c := s.admin()
	page := c.do(t, "GET", "/events/suggest/", "").body
	form := url.Values{"title": {"Fair"}, "date": {"2031-06-01"}, "sender": {"Ann"}, "email": {"ann@example.org"}}
	for _, m := range regexp.MustCompile(`name="(key|stamp)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	c.must(t, "POST", "/_almanac/clock", `{"advance":"6s"}`)
	if got := c.do(t, "POST", "/events/suggest/", form.Encode()); got.status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.status, got.body)
	}
	pending := c.must(t, "GET", v1+"/events?status=pending&end_date=2032-01-01", "")
	if !strings.Contains(pending, `"title":"Fair"`) || strings.Contains(pending, "ann@") {
		t.Errorf("the API: %s", pending)
	}
	line, err := os.ReadFile(file)
	if err != nil || !regexp.MustCompile(`^\{"time":"[^"]+Z","id":\d+,"title":"Fair","start_date":"2031-06-01 00:00:00"\}\n$`).Match(line) {
		t.Errorf("the file: %s %v", line, err)
	}
}
