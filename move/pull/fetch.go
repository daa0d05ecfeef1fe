// Reading a source.

package pull

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/write/intake"
	"almanac/move/client"
	"almanac/move/files"
)

// Bounds of a source.
const (
	sourceMost = 64 << 20 // bytes of its documents
	pagesMost  = 10_000   // of a list
	itemsMost  = 100_000
	sourceTime = time.Hour
	fetchTime  = 2 * time.Minute // of a page
	fetchPause = time.Second / 4 // between pages
)

// read fetches a source, a list with all its pages, and returns its records.
func (p *puller) read(ctx context.Context, s source) (items []intake.Item, err error) {
	crawler := client.Crawler{
		Interval: fetchPause,
		Timeout:  fetchTime,
		Most:     sourceMost,
		Now:      caltime.System().Now,
		Sleep:    p.sleep,
		Named:    s.URL,
	}
	ctx, cancel := client.Within(ctx, sourceTime)
	defer cancel()
	var pages files.Pages
	seen := map[string]bool{}
	for address := s.URL; address != ""; {
		seen[address] = true
		page, err := crawler.Get(ctx, address)
		crawler.Most -= int64(len(page.Body))
		switch {
		case errors.Is(err, client.ErrTooLong), err == nil && crawler.Most <= 0:
			return nil, fmt.Errorf("has more than %d MiB", sourceMost>>20)
		case err != nil:
			return nil, err
		case page.Code != http.StatusOK:
			return nil, fmt.Errorf("answers %s", page.Status)
		}
		next := ""
		err = p.Reader.Read(bytes.NewReader(page.Body), s.Name, func(item intake.Item) error {
			if len(items) == itemsMost {
				return fmt.Errorf("has more than %d records", itemsMost)
			}
			items = append(items, item)
			return nil
		}, func(list files.Page) {
			next = list.Next
			pages.Add(list)
		})
		if err == nil {
			address, err = follow(s.URL, next)
		}
		switch {
		case err != nil:
			return nil, err
		case seen[address], len(seen) == pagesMost:
			return nil, fmt.Errorf("names a page twice, or more than %d pages", pagesMost)
		}
	}
	if missing := pages.Incomplete(); len(missing) > 0 {
		return nil, errors.New(missing[0])
	}
	return items, nil
}

// follow returns the address of the next page of a list, at the site of its first page; "" if
// there is none.
func follow(first, next string) (string, error) {
	base, err := url.Parse(first)
	if err != nil || next == "" {
		return "", err
	}
	u, err := base.Parse(next)
	if err != nil || u.Hostname() != base.Hostname() {
		return "", errors.New("names a next page at another site")
	}
	u.Scheme = base.Scheme
	u.Host = base.Host
	u.User = base.User
	return u.String(), nil
}
