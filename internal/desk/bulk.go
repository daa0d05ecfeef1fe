// Many events at once.

package desk

import (
	"net/http"
	"net/url"
	"slices"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/store"
)

// Bulk is the operation of the tick boxes of the first page.
var Bulk = operation("desk.bulk", serveBulk)

// A bulk is the page that asks, or that tells what was not done.
type bulk struct {
	Rows       []row
	Back, Text string
	Do         string // button that answers the question
	Asks       bool
}

// bulkMost is how many events change at once.
const bulkMost = 500

// serveBulk answers POST /desk/events: events go to the trash, which it asks before, or come back
// from it.
func serveBulk(p *page) (*respond.Response, error) {
	button := p.input("do")
	b := bulk{Back: p.inside(p.input("to"))}
	ids := items(p.input("id"), ",")
	p.view(func(v *store.View) {
		for _, id := range ids[:min(len(ids), bulkMost)] {
			if e := v.Event(api.ParseID(id)); e != nil &&
				access.MayEdit(p.Caller, &e.Post) &&
				(button != "decline" || waits(e)) {
				one := p.eventRow(v, e)
				one.Key = id
				b.Rows = append(b.Rows, one)
			}
		}
	})
	switch {
	case len(b.Rows) == 0 || !slices.Contains([]string{"trash", "restore", "decline"}, button):
		return p.redirect(b.Back), nil
	case button != "restore" && p.input("sure") == "":
		b.Asks = true
		b.Do = button
		b.Text = p.T("desk.bulk-ask", "{count}", p.locale().Number(len(b.Rows)))
		return p.show(http.StatusOK, "bulk.html", p.T(map[string]string{
			"trash":   "desk.to-trash",
			"decline": "desk.decline",
		}[button]), b)
	}
	var refused []problem
	word := ""
	for _, r := range b.Rows {
		done, _, err := p.press(button, r.Key, "")
		if err == nil {
			word = done
			continue
		}
		_, err = p.reasons(err)
		if err != nil {
			return nil, err
		}
		refused = append(
			refused,
			problem{"", p.T("site.titled", "{state}", r.Title, "{name}", p.Problems[0].Text)},
		)
		p.Problems = nil
	}
	p.Problems = refused
	if refused != nil {
		b.Text = p.T(
			"desk.bulk-done",
			"{count}",
			p.locale().Number(len(b.Rows)-len(refused)),
		)
		return p.show(http.StatusUnprocessableEntity, "bulk.html", p.T("desk.events"), b)
	}
	back, err := url.Parse(b.Back)
	if err != nil {
		return nil, err
	}
	query := back.Query()
	query.Set("done", word)
	back.RawQuery = query.Encode()
	return p.redirect(back.String()), nil
}
