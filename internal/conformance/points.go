package conformance

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/oldsite"
)

// Outcomes of a point.
const (
	passed  = "ok"
	failed  = "FAILED"
	skipped = "skipped"
)

// A point is one statement of the specification about a server.
type point struct{ section, name, outcome, reason string }

// A skip is the reason why a point cannot be shown.
type skip string

func (s skip) Error() string { return string(s) }

type object = oldsite.Object

// A checker asks a server for points.
type checker struct {
	ctx     context.Context
	site    *oldsite.Site
	index   oldsite.Index
	samples map[string]object // records by kind
	points  []point
}

// point notes whether a statement holds. Statements about a sample of a kind are skipped without it; "" is no kind.
func (c *checker) point(section, name, kind string, holds func() error) {
	if c.ctx.Err() != nil {
		return
	}
	p := point{section: section, name: name, outcome: passed}
	var err error = skip("there is no record of this kind")
	if kind == "" || c.samples[kind] != nil {
		err = holds()
	}
	if err != nil {
		p.outcome, p.reason = failed, err.Error()
		if errors.As(err, new(skip)) {
			p.outcome = skipped
		}
	}
	c.points = append(c.points, p)
}

// get asks for an object with the status 200.
func (c *checker) get(route string, query url.Values) (oldsite.Answer, error) {
	a, err := c.site.Ask(c.ctx, http.MethodGet, route, query)
	if err == nil && (a.Code != http.StatusOK || a.Body == nil) {
		err = fmt.Errorf("%s answers %s, %.80s", c.shown(route, query), a.Status, oldsite.Text(a.Body["code"]))
	}
	return a, err
}

// shown is a route in a reason.
func (c *checker) shown(route string, query url.Values) string {
	return strings.TrimPrefix(c.site.Address(strings.TrimPrefix(route, "/"), query), c.site.Root.String())
}

// refused asks for an error: its status, its code and the parameter that it names, "" for none (section 7).
func (c *checker) refused(route string, query url.Values, status int, code, param string) error {
	a, err := c.site.Ask(c.ctx, http.MethodGet, route, query)
	if err != nil {
		return err
	}
	data, _ := a.Body["data"].(object)
	named, _ := data["params"].(object)
	_, isText := a.Body["message"].(string)
	switch {
	case a.Code != status:
		err = fmt.Errorf("%s answers %s, not %d", c.shown(route, query), a.Status, status)
	case a.Body["code"] != code:
		err = fmt.Errorf("%s has the code %.80s, not %s", c.shown(route, query), oldsite.Text(a.Body["code"]), code)
	case !isText || oldsite.Number(data["status"]) != int64(status):
		err = fmt.Errorf("%s has no message, or another data.status than %d", c.shown(route, query), status)
	case param != "" && named[param] == nil:
		err = fmt.Errorf("%s does not name %s in data.params", c.shown(route, query), param)
	}
	return err
}

// forms print points.
var forms = map[string]func(w io.Writer, site string, points []point) error{"text": printText, "tap": printTAP, "junit": printJUnit}

func printText(w io.Writer, _ string, points []point) error {
	var b bytes.Buffer
	n := map[string]int{}
	for _, p := range points {
		n[p.outcome]++
		fmt.Fprintln(&b, strings.TrimSuffix(fmt.Sprintf("%-7s  %-3s  %s: %s", p.outcome, p.section, p.name, oneLine(p.reason)), ": "))
	}
	fmt.Fprintf(&b, "%d points: %d ok, %d failed, %d skipped\n", len(points), n[passed], n[failed], n[skipped])
	_, err := w.Write(b.Bytes())
	return err
}

// printTAP writes version 13 of the Test Anything Protocol.
func printTAP(w io.Writer, _ string, points []point) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(points))
	words := map[string][2]string{passed: {"ok"}, failed: {"not ok", "\n# "}, skipped: {"ok", " # SKIP "}}
	for i, p := range points {
		fmt.Fprintf(&b, "%s %d - %s %s%s%s\n", words[p.outcome][0], i+1, p.section, p.name, words[p.outcome][1], oneLine(p.reason))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// oneLine returns a text of a server without the characters that end a line or that a terminal obeys.
func oneLine(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// printJUnit writes a test suite in the form of JUnit.
func printJUnit(w io.Writer, site string, points []point) error {
	escaped := func(text string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
		return b.String()
	}
	var b bytes.Buffer
	n := map[string]int{}
	elements := map[string]string{failed: "failure", skipped: "skipped"}
	for _, p := range points {
		n[p.outcome]++
		fmt.Fprintf(&b, `  <testcase classname="section %s" name="%s">`, p.section, escaped(p.name))
		if element := elements[p.outcome]; element != "" {
			fmt.Fprintf(&b, `<%s message="%s"/>`, element, escaped(p.reason))
		}
		b.WriteString("</testcase>\n")
	}
	_, err := fmt.Fprintf(w, "%s<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" skipped=\"%d\">\n%s</testsuite>\n", xml.Header,
		escaped(site), len(points), n[failed], n[skipped], &b)
	return err
}
