// The command log: authors and times of changes.

package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/store"
)

// followEvery is how often log -follow looks for what is new: at once for
// somebody who watches.
const followEvery = time.Second / 5

// Log prints who changed what.
var Log = cli.New("log", "", "print who changed what",
	"almanac log [flags]: print who changed what, the oldest first. A server may run.",
	(*historySettings).flags, history)

// historySettings are the flags of log.
type historySettings struct {
	data, kind   string
	id, n        int
	follow, json bool
	head         bool
}

func (s *historySettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`, in which nothing is changed")
	f.StringVar(
		&s.kind,
		"kind",
		"",
		"only changes of this `kind`: "+strings.Join(kindNames(), ", "),
	)
	f.IntVar(&s.id, "id", 0, "only changes of the record with this `number`; 0 is any")
	f.IntVar(
		&s.n,
		"n",
		0,
		"only the last changes, this `number` of them, or of lines with -json; 0 is all",
	)
	f.BoolVar(
		&s.follow,
		"follow",
		false,
		"go on with what is changed from now on, until interrupted",
	)
	f.BoolVar(
		&s.json,
		"json",
		false,
		"print the lines of the log as they are, but for the passwords of events",
	)
	f.BoolVar(
		&s.head,
		"head",
		false,
		"print the number and the head of the newest line alone: the hash that stands for all lines",
	)
}

// kindNames returns the names of all kinds of records.
func kindNames() (names []string) {
	for k := store.Events; k <= store.Accounts; k++ {
		names = append(names, k.String())
	}
	return names
}

// check refuses values that no record has.
func (s *historySettings) check() error {
	switch {
	case s.kind != "" && !slices.Contains(kindNames(), s.kind):
		return fmt.Errorf(
			"-kind: there are no %q; there are %s",
			s.kind,
			strings.Join(kindNames(), ", "),
		)
	case s.id < 0:
		return fmt.Errorf("-id %d: must be at least 1, or 0 for any", s.id)
	case s.head && (s.kind != "" || s.id != 0 || s.n != 0 || s.follow || s.json):
		return errors.New(
			"-head: goes with -data alone, since it is about the newest line, whatever that changed",
		)
	case s.n < 0:
		return fmt.Errorf("-n %d: must be at least 1, or 0 for all", s.n)
	}
	return nil
}

// history prints the log.
func history(ctx context.Context, s *historySettings, args []string, p cli.Process) error {
	if err := s.check(); err != nil {
		return cli.Usage(err)
	}
	if err := checkData(s.data); err != nil {
		return err
	}
	d := &directory{path: s.data}
	err := d.do(ctx, "GET /log", s.asked(), p.Stdout)
	if ctx.Err() != nil {
		return nil // an interrupt is how -follow ends
	}
	return err
}

// asked returns the settings as values, with which settingsOf makes them again.
func (s *historySettings) asked() url.Values {
	return url.Values{
		"kind":   {s.kind},
		"id":     {strconv.Itoa(s.id)},
		"n":      {strconv.Itoa(s.n)},
		"follow": {strconv.FormatBool(s.follow)},
		"json":   {strconv.FormatBool(s.json)},
		"head":   {strconv.FormatBool(s.head)},
	}
}

// history writes the lines that are asked for.
func (d *directory) history(
	ctx context.Context,
	asked url.Values,
	_ io.Reader,
	out io.Writer,
) error {
	s, err := settingsOf(asked, (*historySettings).flags)
	if err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return cli.Usage(err)
	}
	s.data = d.path
	if s.head {
		return s.printHead(out)
	}
	lines := &printer{w: bufio.NewWriter(out), keep: s.n}
	err = errors.Join(s.print(ctx, lines), lines.flush())
	if err == nil && d.store != nil && ctx.Err() != nil {
		return errors.New("the server has been stopped, and the log goes on when one is started")
	}
	return err
}

// printHead prints the number and the head of the newest line, for verify -since later.
func (s *historySettings) printHead(w io.Writer) error {
	var newest store.Transaction
	for t, err := range store.History(s.data, nil) {
		if err != nil {
			return err
		}
		newest = t
	}
	if newest.Seq == 0 {
		return errors.New("-head: there is no line in the log yet")
	}
	_, err := fmt.Fprintf(w, "%d %x\n", newest.Seq, newest.Head)
	return err
}

// print returns the lines to print, until the end of the log or of ctx.
func (s *historySettings) print(ctx context.Context, out *printer) error {
	var past store.Past
	told, _ := store.ReadAccounts(s.data) // or some of them: of damage the log tells itself
	logins := map[int64]string{}
	for _, a := range told {
		logins[a.ID] = a.Login
	}
	for t, err := range store.History(s.data, s.wait(ctx, out)) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		effects, err := past.Effects(t)
		if err != nil {
			return err
		}
		for _, a := range t.Change.Accounts {
			logins[a.ID] = cmp.Or(a.Login, logins[a.ID])
		}
		effects = slices.DeleteFunc(effects, func(e store.Effect) bool {
			return s.kind != "" && e.Kind.String() != s.kind || s.id != 0 && e.ID != int64(s.id)
		})
		noted := (t.Note != nil || t.Change.Identity != "" || t.Change.Settings != nil) &&
			s.kind == "" &&
			s.id == 0
		if noted && !s.json {
			err = out.line(describeNote(t, logins))
		}
		switch {
		case !s.json:
			for _, e := range effects {
				err = errors.Join(err, out.line(describe(t, e, logins)))
			}
		case noted || len(effects) > 0:
			err = out.line(string(t.Redacted()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wait returns what waits at the end of the log; nil ends there.
func (s *historySettings) wait(ctx context.Context, out *printer) func() bool {
	if !s.follow {
		return nil
	}
	return func() bool {
		if out.flush() != nil {
			return false // it is told at the end
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(followEvery):
			return true
		}
	}
}

// describe returns the line of a change: its start, kind, id, verb, name, and the
// members that changed. Names are quoted, so that one in which somebody
// put a newline is no second line.
func describe(t store.Transaction, e store.Effect, logins map[int64]string) string {
	line := fmt.Sprintf(
		"%s  %-10s  %6d  %-9s  %s",
		describeStart(t, logins),
		e.Kind,
		e.ID,
		e.Verb,
		strconv.Quote(e.Name),
	)
	if len(e.Members) > 0 {
		line += "  " + strings.Join(e.Members, ",")
	}
	if e.By != "" {
		line += "  by " + e.By
	}
	return line
}

// describeStart returns how each line begins: with time, transaction, and the login of the
// account that asked, or its number if the log does not tell of it; 0 is nobody.
func describeStart(t store.Transaction, logins map[int64]string) string {
	account := strconv.FormatInt(t.Account, 10)
	if login := logins[t.Account]; login != "" {
		account = strconv.Quote(login)
	}
	return fmt.Sprintf(
		"%s  %6d  %-8s",
		t.Time.Format("2006-01-02T15:04:05.000Z07:00"),
		t.Seq,
		account,
	)
}

// describeNote returns the line of a note, an identity or settings.
func describeNote(t store.Transaction, logins map[int64]string) string {
	if to := t.Change.Settings; to != nil {
		return fmt.Sprintf(
			"%s  settings    name %q, zone %q, region %q, currency %q, first %q, clock %q, language %q, about %q, contact %q, "+
				"colour %q, logo %d",
			describeStart(
				t,
				logins,
			),
			to.Name,
			to.Zone,
			to.Region,
			to.Currency,
			to.First,
			to.Clock,
			to.Language,
			to.About,
			to.Contact,
			to.Colour,
			to.Logo,
		)
	}
	if t.Note == nil {
		return fmt.Sprintf("%s  identity    %q", describeStart(t, logins), t.Change.Identity)
	}
	missing := t.Note.Salvaged.Missing
	count := counted(len(missing), "thing missing", "things missing")
	return fmt.Sprintf("%s  salvaged, with %s: %q", describeStart(t, logins), count, missing)
}

// A printer prints lines. Until it is flushed for the first time it may have to
// keep the last ones only.
type printer struct {
	w    *bufio.Writer
	keep int      // how many to keep; 0: all are printed
	kept []string // the oldest is at next
	next int
}

func (p *printer) line(text string) error {
	switch {
	case p.keep == 0:
		_, err := p.w.WriteString(text + "\n")
		return err
	case len(p.kept) < p.keep:
		p.kept = append(p.kept, text)
	default:
		p.kept[p.next] = text
		p.next = (p.next + 1) % p.keep
	}
	return nil
}

// flush prints what was kept; from then on nothing is.
func (p *printer) flush() error {
	kept := slices.Concat(p.kept[p.next:], p.kept[:p.next])
	p.keep = 0
	p.kept = nil
	p.next = 0
	for _, text := range kept {
		_ = p.line(text) // Flush returns its error
	}
	return p.w.Flush()
}
