package client

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A crawler waits for no slow site, reads no more than it may, and connects to private addresses only where the document is from.
func TestOutward(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/silent":
			<-r.Context().Done()
		case "/dribble":
			_, _ = w.Write([]byte("GI"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			_, _ = w.Write([]byte("0123456789" + strings.Repeat("0", strings.Count(r.URL.Path, "long"))))
		}
	}))
	defer server.Close()
	other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	for _, test := range []struct{ address, site, want string }{
		{"/a.jpg", server.URL + "/event/1/", "0123456789"},
		{"a.jpg", server.URL + "/event/1/", "0123456789"},
		{"/long.jpg", server.URL, "longer"},
		{server.URL + "/a.jpg", "", "private network"},
		{server.URL + "/a.jpg", "https://old.example/event/1/", "private network"},
		{server.URL + "/a.jpg", other, "private network"},
		{"http://[::ffff:127.0.0.1]:1/a.jpg", server.URL, "private network"},
		{"http://169.254.169.254/a.jpg", server.URL, "private network"},
		{"http://10.1.2.3/a.jpg", server.URL, "private network"},
		{"http://100.64.1.1/a.jpg", server.URL, "private network"},
		{"http://[fd00::1]/a.jpg", server.URL, "private network"},
		{"http://[64:ff9b::7f00:1]/a.jpg", server.URL, "private network"},
		{"file:///etc/passwd", server.URL, "no address with http"},
		{"/a.jpg", "", "no address with http"},
		{"/silent", server.URL, "deadline"},
		{"/dribble", server.URL, "deadline"},
	} {
		timeout := time.Hour
		if test.want == "deadline" {
			timeout = 50 * time.Millisecond
		}
		c := Crawler{Agent: "almanac/test", Timeout: timeout, Most: 10, Tries: 1, Now: time.Now, Outward: true, Site: test.site}
		page, err := c.Get(t.Context(), test.address)
		if (err != nil || string(page.Body) != test.want) && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s of %s: %q, %v, want %s", test.address, test.site, page.Body, err, test.want)
		}
	}
}
