// Package adopt is the command adopt: it reads the calendar of another site by its API into an
// archive, and imports that.
//
// Package oldsite finds the API. The archive has a file of JSON Lines for each list, with one
// answer a line (archive.go), so an interrupted adoption goes on where it ended, and an archive is
// imported without a network. A list that changed while it was read is read again (list.go).
// Package transfer stores the records, and table.go compares their numbers.
package adopt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/people/limit"
	"almanac/internal/text/caltime"
	"almanac/internal/write/intake"
	"almanac/move/client"
	"almanac/move/files"
	"almanac/move/oldsite"
	"almanac/move/transfer"
	"almanac/store/disk"
)

// Command takes over a calendar.
var Command = cli.New(
	"adopt",
	"ADDRESS",
	"take over the calendar of a site of The Events Calendar, or of another almanac",
	"almanac-move adopt [flags] ADDRESS: read all events, venues, organizers, categories and tags of a site by its API, and import them.",
	(*settings).flags,
	func(ctx context.Context, s *settings, args []string, p cli.Process) error {
		return s.run(ctx, args, p, nil)
	},
)

// settings are the flags of adopt.
type settings struct {
	transfer.Settings
	archive, login, passwordFile string
	dryRun                       bool
	rate                         limit.Rate
}

func (s *settings) flags(f *cli.FlagSet) {
	s.Fetch = true // the old site may end
	s.Flags(f)
	f.StringVar(
		&s.archive,
		"archive",
		"almanac-adopted",
		"`directory` of the answers of the site, created if it is missing",
	)
	f.BoolVar(&s.dryRun, "dry-run", false, "read the site into the archive, and import nothing").
		NoVariable()
	f.StringVar(&s.login, "login", "", "`name` of an account of the site that may read drafts")
	f.StringVar(
		&s.passwordFile,
		"password-file",
		"",
		"`file` with the application password of this account; it is sent with https alone",
	)
	f.RateVar(&s.rate, "rate", limit.Rate{
		N:   2,
		Per: time.Second,
	}, "`number` of requests in a time, such as 2/s or 30/m")
}

// Bounds of an answer: some pages of large sites take long.
const (
	timeout    = 2 * time.Minute
	answerMost = 64 << 20 // bytes
)

// run adopts a calendar; sleep is that of a client.Crawler.
func (s *settings) run(
	ctx context.Context,
	args []string,
	p cli.Process,
	sleep func(context.Context, time.Duration) error,
) error {
	if len(args) != 1 {
		return cli.Usage(
			errors.New("name the address of one site, such as https://calendar.example.org"),
		)
	}
	c := &client.Crawler{
		Accept:   "application/json, text/html;q=0.5",
		Timeout:  timeout,
		Most:     answerMost,
		Now:      caltime.System().Now,
		Interval: s.rate.Per / time.Duration(max(s.rate.N, 1)),
		Sleep:    sleep,
	}
	if err := s.credentials(c); err != nil {
		return cli.Usage(err)
	}
	if err := s.Check(); err != nil {
		return err
	}
	address, err := oldsite.Parse(args[0])
	if err != nil {
		return err
	}
	var a *archive
	reading, cancel := client.Within(ctx, readMost)
	defer cancel()
	site, err := oldsite.Find(reading, c, address)
	if err == nil {
		if a, err = openArchive(s.archive); err != nil {
			return err
		}
		defer a.Close()
		if err = s.read(reading, a, site, c, p); err == nil {
			a.Facts = site.Facts(reading)
			err = a.save()
		}
	}
	if errors.As(err, new(*oldsite.Problem)) {
		err = fmt.Errorf("%w\n%s", err, oldsite.Export)
	}
	if err != nil {
		return err
	}
	t := newTable(a)
	if s.dryRun {
		err = a.items(func(item intake.Item) error { t.see(item); return nil })
	} else {
		err = s.store(ctx, a, t, args[0], p)
	}
	if err != nil {
		return err
	}
	return t.print(s, p)
}

// credentials reads the password of the site.
func (s *settings) credentials(c *client.Crawler) error {
	if (s.login == "") != (s.passwordFile == "") {
		return errors.New("-login and -password-file: give both, or none")
	}
	if s.login == "" {
		return nil
	}
	text, err := disk.Read(s.passwordFile)
	if err != nil {
		return fmt.Errorf("-password-file: %w", err)
	}
	c.Login = s.login
	c.Password = strings.TrimSpace(string(text))
	return nil
}

// read reads the site into the archive.
func (s *settings) read(
	ctx context.Context,
	a *archive,
	site *oldsite.Site,
	c *client.Crawler,
	p cli.Process,
) error {
	if err := a.begin(site.Root.String(), s.login, c.Now()); err != nil {
		return cli.Usage(fmt.Errorf("-archive %s: %w", s.archive, err))
	}
	r := &reader{
		site:     site,
		archive:  a,
		now:      c.Now,
		progress: cli.NewProgress(p.Stderr, c.Now, 0, s.Quiet),
	}
	defer r.progress.Clear()
	for _, k := range oldsite.Kinds {
		if err := r.list(ctx, k); err != nil {
			return fmt.Errorf("%w (the same command goes on from here)", err)
		}
	}
	return nil
}

// items calls a function for the records of the archive.
func (a *archive) items(yield func(intake.Item) error) error {
	for _, k := range oldsite.Kinds {
		if _, err := a.read(k.Name, func(st stamp, body []byte) error {
			for _, record := range st.Protected {
				if err := yield(intake.Item{Kind: k.Name, Record: record}); err != nil {
					return err
				}
			}
			name := fmt.Sprintf("%s, page %d", fileOf(k.Name), st.Page)
			return files.Reader{}.Read(bytes.NewReader(body), name, func(item intake.Item) error {
				if item.Exact = false; item.Kind != k.Name {
					return nil
				}
				return yield(item)
			}, nil)
		}); err != nil {
			return err
		}
	}
	return nil
}

// store imports the archive of the site that somebody named.
func (s *settings) store(ctx context.Context, a *archive, t *table, site string,
	p cli.Process) error {
	l, err := s.Open(ctx, p)
	if err != nil {
		return err
	}
	l.From(site)
	t.loader = l
	l.Progress = cli.NewProgress(p.Stderr, caltime.System().Now, 0, s.Quiet)
	err = a.items(func(item intake.Item) error {
		if !t.see(item) {
			return nil
		}
		if t.next != t.month {
			if err := l.Flush(); err != nil {
				return err
			}
			t.count()
		}
		item.As = intake.Keep // the trash here is somebody's decision
		return l.Add(item)
	})
	if err == nil {
		err = l.Flush()
	}
	t.count()
	l.Progress.Clear()
	l.WriteUnknown(p.Stderr)
	t.refused = s.Refused(l)
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	a.Imported = true
	return a.save()
}
