package command

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/cli"
)

// propose proposes an event with a title.
func propose(t *testing.T, c caller, title string) {
	t.Helper()
	form := url.Values{
		"title":  {title},
		"date":   {"2031-06-01"},
		"sender": {"Ann"},
		"email":  {"ann@example.org"},
	}
	page := c.Do(t, "GET", "/events/suggest/", "").Body
	for _, m := range regexp.MustCompile(`name="(key|stamp)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	c.Must(t, "POST", "/_almanac/clock", `{"advance":"6s"}`)
	if got := c.Do(t, "POST", "/events/suggest/", form.Encode()); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
}

// With -submissions, everybody proposes events for an account, and the file has a line for each.
func TestSubmissions(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "proposals.jsonl")
	s := startServer(t, "-memory", "-desk", "-submissions", "ADMIN", "-submission-log", file)
	c := s.Admin()
	propose(t, c, "Fair")
	pending := c.Must(t, "GET", v1+"/events?status=pending&end_date=2032-01-01", "")
	if !strings.Contains(pending, `"title":"Fair"`) || strings.Contains(pending, "ann@") {
		t.Errorf("the API: %s", pending)
	}
	awaitText(t, file, "\n")
	line := readFile(t, file)
	if !regexp.MustCompile(`^\{"time":"[^"]+Z","id":\d+,"title":"Fair","start_date":"2031-06-01 00:00:00"\}\n$`).
		MatchString(line) {
		t.Errorf("the file: %s", line)
	}
}

// A first start with another owner of proposals than the administrator makes no account: nobody
// would see its token.
func TestNoOwnerAtFirst(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if err := serveOnce(t, "-data", data, "-submissions", "ann"); cli.Status(err) != 2 ||
		!strings.Contains(err.Error(), `"ann"`) {
		t.Errorf("a first start: %v", err)
	}
	if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the server that did not start left %s (%v)", data, err)
	}
}
