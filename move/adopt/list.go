// Reading the lists of a site into the archive.

package adopt

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/jsonio"
	"almanac/move/oldsite"
)

// statuses are those of records outside the trash.
const statuses = "publish,future,draft,pending,private"

// Bounds of reading.
const (
	passesMost  = 3
	recordsMost = 1_000_000                      // of a list
	pagesMost   = recordsMost / oldsite.PageSize // of a list
	listMost    = 4 << 30                        // bytes of a list
	staleMost   = 3                              // pages of a pass without a new record
	connections = 2
	readMost    = 24 * time.Hour
)

// A reader reads the lists of a site.
type reader struct {
	site *oldsite.Site
	*archive
	now      func() time.Time
	progress *cli.Progress

	closed atomic.Bool // WordPress tells nothing of its posts
	silent atomic.Bool // single events do not tell their state either
}

// A pass is one reading of a list from its first page to its last.
type pass struct {
	page    int   // number of pages so far
	size    int64 // bytes of them
	pages   int   // statement of the site
	stale   int   // number of pages without a new record
	isOver  bool
	total   int
	changed bool // a sign of changes during the pass
	fresh   bool // a record was published during the pass
	ids     map[int64]bool
	began   time.Time
}

// list reads a list until a pass over it shows no change, or for the last time, and goes on where
// an earlier process ended. The file has the answers of one pass.
func (r *reader) list(ctx context.Context, k oldsite.Kind) error {
	if _, ok := r.Lists[k.Name]; ok {
		return nil
	}
	p := &pass{ids: map[int64]bool{}}
	size, err := r.read(k.Name, func(s stamp, body []byte) error { return p.add(k.Name, s, body) })
	if err != nil {
		return err
	}
	file, err := r.root.OpenFile(fileOf(k.Name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	for n := 1; ; n++ {
		if err := file.Truncate(size); err != nil { // half a line, or the pass before
			return err
		}
		if err := r.pass(ctx, k, p, file); err != nil {
			return err
		}
		if p.isSteady() && !p.fresh || n == passesMost {
			break
		}
		p = &pass{ids: map[int64]bool{}}
		size = 0
	}
	r.Silent = r.Silent || r.silent.Load()
	r.Lists[k.Name] = done{p.total, len(p.ids), p.isSteady()}
	return errors.Join(file.Close(), r.save())
}

// pass reads the remaining pages, two at a time.
func (r *reader) pass(ctx context.Context, k oldsite.Kind, p *pass, file *os.File) error {
	type answer struct {
		page
		err error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var asked []chan answer // in order
	next := p.page + 1
	for !p.isOver {
		for len(asked) == 0 || len(asked) < connections && next <= p.pages {
			c := make(chan answer, 1)
			go func(number int) {
				page, err := r.page(ctx, k, number)
				c <- answer{page, err}
			}(next)
			asked = append(asked, c)
			next++
		}
		a := <-asked[0]
		asked = asked[1:]
		var problem *oldsite.Problem
		if errors.As(a.err, &problem) && p.page > 0 &&
			strings.HasSuffix(problem.Code, "page-not-found") {
			p.isOver = true // the list is shorter than its total
			return nil
		}
		if problem != nil && problem.Status == http.StatusBadRequest && r.Login != "" {
			problem.Todo = fmt.Sprintf(
				"may the account %q edit events there? Give the login of an editor or administrator",
				r.Login,
			)
		}
		if a.err != nil {
			return a.err
		}
		s := stamp{
			Time:      r.now().UTC(),
			URL:       r.site.Address(k.Name, r.query(k, p.page+1)),
			Page:      p.page + 1,
			Protected: a.hidden,
		}
		if err := p.add(k.Name, s, a.body); err != nil {
			return err
		}
		if err := appendLine(file, s, a.body); err != nil {
			return err
		}
		r.progress.Show(
			fmt.Sprintf(
				"%s: page %d of %d, %d of %d records",
				k.Name,
				p.page,
				max(p.pages, p.page),
				len(p.ids),
				p.total,
			),
		)
	}
	return nil
}

// query returns the query for a page.
func (r *reader) query(k oldsite.Kind, page int) url.Values {
	query := k.Page(page)
	if r.Login != "" { // lists of terms ignore it
		query.Set("status", statuses)
	}
	return query
}

// add notes a page of a list.
func (p *pass) add(name string, s stamp, body []byte) error {
	v := &jsonio.Value{Raw: body}
	if v.Member(name).Kind() != '[' {
		return fmt.Errorf("%s: the answer has no list of %s", s.URL, name)
	}
	total := int(v.Member("total").Integer())
	if p.page++; p.page == 1 {
		p.began = s.Time.Truncate(time.Second)
		p.total = total
	}
	p.changed = p.changed || total != p.total
	p.pages = int(v.Member("total_pages").Integer())
	p.total = total
	items := v.Member(name).Items()
	for _, hidden := range s.Protected {
		items = append(items, &jsonio.Value{Raw: hidden})
		p.size += int64(len(hidden))
	}
	before := len(p.ids)
	for _, item := range items {
		date, _ := item.Member("date_utc").Text()
		at, err := time.Parse(time.DateTime, date)
		p.fresh = p.fresh || err == nil && !at.Before(p.began) && !at.After(s.Time)
		id := item.Member("id").Integer()
		p.changed = p.changed || p.ids[id]
		p.ids[id] = true
	}
	if len(p.ids) == before {
		p.stale++
	}
	p.size += int64(len(body))
	p.isOver = len(items) == 0 || p.stale == staleMost ||
		p.page >= p.pages && v.Member("next_rest_url").IsNull()
	if len(p.ids) > recordsMost || p.page >= pagesMost && !p.isOver || p.size > listMost {
		return fmt.Errorf(
			"%s: there is no end: the site lists more than %d %s, %d pages or %d GiB",
			s.URL,
			recordsMost,
			name,
			pagesMost,
			listMost>>30,
		)
	}
	return nil
}

// isSteady reports whether the records of a complete pass are all that the list has.
func (p *pass) isSteady() bool { return !p.changed && len(p.ids) == p.total }
