// Reading the lists of a site into the archive.

package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"almanac/internal/jsonin"
	"almanac/internal/oldsite"
)

// A list is a list of records of a site.
type list struct {
	name  string
	query url.Values // beside the page
}

// lists are the lists of a site, in the order of reading: events show records of the other lists.
var lists = []list{
	{"categories", url.Values{"hide_empty": {"false"}}},
	{"tags", url.Values{"hide_empty": {"false"}}},
	{"venues", nil},
	{"organizers", nil},
	{"events", url.Values{"start_date": {"1900-01-01"}, "end_date": {"9000-01-01"}}}, // known to all versions
}

// statuses are those of records outside the trash.
const statuses = "publish,future,draft,pending,private"

// Bounds of reading.
const (
	perPage     = 50
	passesMost  = 3
	pagesMost   = 200_000 // of a list
	staleMost   = 3       // pages in a row without a new record
	connections = 2
)

func (l list) file() string { return l.name + ".jsonl" }

// A reader reads the lists of a site.
type reader struct {
	site *oldsite.Site
	*archive
	now  func() time.Time
	show func(text string) // progress
}

// A pass is one reading of a list from its first page to its last.
type pass struct {
	number  int
	page    int // number of pages so far
	pages   int // statement of the site
	stale   int // number of pages without a new record, up to this one
	more    bool
	total   int
	changed bool // a sign of changes during the pass
	fresh   bool // a record was published during the pass
	ids     idSet
	began   time.Time
}

// list reads a list until a pass over it shows no change, or for the last time, and goes on where an earlier process ended.
func (r *reader) list(ctx context.Context, l list) error {
	if _, ok := r.Lists[l.name]; ok {
		return nil
	}
	p, before := newPass(1), 0
	size, err := r.read(l, func(s stamp, body []byte) error {
		if s.Pass != p.number {
			p, before = newPass(s.Pass), p.ids.n
		}
		return p.add(l, s, body)
	})
	if err != nil {
		return err
	}
	file, err := r.root.OpenFile(l.file(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(size); err != nil { // half a line
		return err
	}
	for {
		if err := r.pass(ctx, l, p, file); err != nil {
			return err
		}
		isSame := !p.changed && p.ids.n == before // as before, so the total is wrong
		if !p.fresh && (p.isSteady() || isSame) || p.number >= passesMost {
			break
		}
		p, before = newPass(p.number+1), p.ids.n
	}
	r.Lists[l.name] = done{p.number, p.total, p.ids.n, p.isSteady()}
	return errors.Join(file.Close(), r.save())
}

func newPass(number int) *pass {
	return &pass{number: number, more: true, ids: idSet{bits: map[int64]uint64{}}}
}

// pass reads the remaining pages, two at a time.
func (r *reader) pass(ctx context.Context, l list, p *pass, file *os.File) error {
	type answer struct {
		body []byte
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var asked []chan answer // in order
	next := p.page + 1
	for p.more {
		for len(asked) == 0 || len(asked) < connections && next <= p.pages {
			c, query := make(chan answer, 1), l.pageQuery(next, r.Login)
			go func() {
				body, err := r.site.Get(ctx, l.name, query)
				c <- answer{body, err}
			}()
			asked, next = append(asked, c), next+1
		}
		a := <-asked[0]
		asked = asked[1:]
		var problem *oldsite.Problem
		if errors.As(a.err, &problem) && p.page > 0 && strings.HasSuffix(problem.Code, "page-not-found") {
			p.more = false // the list is shorter than its total
			return nil
		}
		if problem != nil && problem.Status == http.StatusBadRequest && r.Login != "" {
			problem.Todo = fmt.Sprintf("may the account %q edit events there? Give the login of an editor or administrator", r.Login)
		}
		if a.err != nil {
			return a.err
		}
		var body bytes.Buffer
		if err := json.Compact(&body, a.body); err != nil {
			return err
		}
		address := r.site.Address(l.name, l.pageQuery(p.page+1, r.Login))
		s := stamp{Time: r.now().UTC(), URL: address, Pass: p.number, Page: p.page + 1}
		if err := p.add(l, s, body.Bytes()); err != nil {
			return err
		}
		if err := appendLine(file, s, body.Bytes()); err != nil {
			return err
		}
		r.show(fmt.Sprintf("%s: page %d of %d, %d of %d records", l.name, p.page, max(p.pages, p.page), p.ids.n, p.total))
	}
	return nil
}

// pageQuery returns the query for a page.
func (l list) pageQuery(page int, login string) url.Values {
	query := url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(page)}}
	if login != "" { // lists of terms ignore it
		query.Set("status", statuses)
	}
	maps.Copy(query, l.query)
	return query
}

// add notes a page.
func (p *pass) add(l list, s stamp, body []byte) error {
	v := &jsonin.Value{Raw: body}
	if v.Member(l.name).Kind() != '[' {
		return fmt.Errorf("%s: the answer has no list of %s", s.URL, l.name)
	}
	total := int(v.Member("total").Integer())
	if p.page++; p.page == 1 {
		p.began, p.total = s.Time.Truncate(time.Second), total
	}
	p.changed = p.changed || total != p.total
	p.pages, p.total = int(v.Member("total_pages").Integer()), total
	items, before := v.Member(l.name).Items(), p.ids.n
	for _, item := range items {
		date, _ := item.Member("date_utc").Text()
		at, err := time.Parse(time.DateTime, date)
		isNew := err == nil && !at.Before(p.began) && !at.After(s.Time)
		p.fresh = p.fresh || isNew
		p.changed = !p.ids.add(item.Member("id").Integer()) || p.changed
	}
	if p.stale++; p.ids.n > before {
		p.stale = 0
	}
	p.more = len(items) > 0 && p.stale < staleMost && p.page < pagesMost && (p.page < p.pages || !v.Member("next_rest_url").IsNull())
	return nil
}

// isSteady reports whether the records of a complete pass are all that the list has.
func (p *pass) isSteady() bool { return !p.changed && p.ids.n == p.total }

// An idSet is a set of numbers, which takes little memory if they are near to each other.
type idSet struct {
	n    int
	bits map[int64]uint64
}

// add adds a number, and reports whether it was missing.
func (s *idSet) add(id int64) bool {
	word, bit := id>>6, uint64(1)<<(id&63)
	if s.bits[word]&bit != 0 {
		return false
	}
	s.bits[word] |= bit
	s.n++
	return true
}
