package conformance

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"almanac/internal/cli"
	"almanac/move/oldsite"
)

// Outcomes of a point.
const (
	passed = iota
	failed
	skipped
)

// A point is one statement of the specification about a server.
type point struct {
	section, name, reason string
	outcome               int
}

// A skip is the reason why a point cannot be shown.
type skip string

func (s skip) Error() string { return string(s) }

type object = oldsite.Object

// A checker asks a server for points.
type checker struct {
	ctx     context.Context
	site    *oldsite.Site
	index   oldsite.Index
	samples map[string]object   // by kind: the record that shows most
	records map[string][]object // and all that were read, but for protected ones
	ordered map[string][]object // the last list of them
	points  []point
}

// point notes whether a statement holds. Statements about a sample of a kind are skipped without
// it; "" is no kind.
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
		p.outcome = failed
		p.reason = fmt.Sprintf("%.500s", err.Error()) // lists of a site have any length
		if errors.As(err, new(skip)) {
			p.outcome = skipped
		}
	}
	c.points = append(c.points, p)
}

// get asks for an object with the status 200.
func (c *checker) get(route string, query url.Values) (oldsite.Answer, error) {
	a, err := c.site.Ask(c.ctx, route, query)
	if err == nil && (a.Code != http.StatusOK || a.Body == nil) {
		err = fmt.Errorf(
			"%s answers %s, %.80s",
			c.shown(route, query),
			a.Status,
			oldsite.Text(a.Body["code"]),
		)
	}
	return a, err
}

// shown is a route in a reason.
func (c *checker) shown(route string, query url.Values) string {
	return strings.TrimPrefix(
		c.site.Address(strings.TrimPrefix(route, "/"), query),
		c.site.Root.String(),
	)
}

// refused asks for an error: its status, its code and the parameter that it names, "" for none
// (section 7).
func (c *checker) refused(route string, query url.Values, status int, code, param string) error {
	a, err := c.site.Ask(c.ctx, route, query)
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
		err = fmt.Errorf(
			"%s has the code %.80s, not %s",
			c.shown(route, query),
			oldsite.Text(a.Body["code"]),
			code,
		)
	case !isText || oldsite.Number(data["status"]) != int64(status):
		err = fmt.Errorf(
			"%s has no message, or another data.status than %d",
			c.shown(route, query),
			status,
		)
	case param != "" && named[param] == nil:
		err = fmt.Errorf("%s does not name %s in data.params", c.shown(route, query), param)
	}
	return err
}

// A form is a form of printed points.
type form struct {
	page   string    // of site, numbers of points (all, passed, failed, skipped) and lines
	lines  [3]string // by outcome: of number, section, name and reason
	escape func(text string) string
}

// forms are the forms by name. TAP is version 13 of the Test Anything Protocol.
var forms = map[string]form{
	"text": {"%[6]s%[2]d points: %[3]d ok, %[4]d failed, %[5]d skipped\n",
		[3]string{
			"ok       %-3[2]s  %[3]s\n",
			"FAILED   %-3[2]s  %[3]s: %[4]s\n",
			"skipped  %-3[2]s  %[3]s: %[4]s\n",
		}, cli.Line},
	"tap": {"TAP version 13\n1..%[2]d\n%[6]s",
		[3]string{
			"ok %d - %s %[3]s\n",
			"not ok %d - %s %s\n# %s\n",
			"ok %d - %s %s # SKIP %s\n",
		}, cli.Line},
	"junit": {
		xml.Header + "<testsuite name=\"%[1]s\" tests=\"%[2]d\" failures=\"%[4]d\" skipped=\"%[5]d\">\n%[6]s</testsuite>\n",
		[3]string{"  <testcase classname=\"section %[2]s\" name=\"%[3]s\"/>\n",
			"  <testcase classname=\"section %[2]s\" name=\"%[3]s\"><failure message=\"%[4]s\"/></testcase>\n",
			"  <testcase classname=\"section %[2]s\" name=\"%[3]s\"><skipped message=\"%[4]s\"/></testcase>\n"},
		func(text string) string {
			var b strings.Builder
			_ = xml.EscapeText(&b, []byte(cli.Line(text))) // a Builder takes everything
			return b.String()
		},
	},
}

func (f form) print(w io.Writer, site string, points []point) error {
	var lines strings.Builder
	var n [3]int
	for i, p := range points {
		n[p.outcome]++
		fmt.Fprintf(
			&lines,
			f.lines[p.outcome],
			i+1,
			p.section,
			f.escape(p.name),
			f.escape(p.reason),
		)
	}
	_, err := fmt.Fprintf(
		w,
		f.page,
		f.escape(site),
		len(points),
		n[passed],
		n[failed],
		n[skipped],
		lines.String(),
	)
	return err
}
