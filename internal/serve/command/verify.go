// The command verify: is everything in a data directory as it was written?

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/store"
)

// Verify reads every byte of a data directory.
var Verify = cli.New(
	"verify",
	"",
	"say whether the files are as they were written",
	"almanac verify [flags]: read every byte of the log and of the snapshots, and say whether all of it is as it was written. "+
		"A server may run.",
	(*verifySettings).flags,
	verify,
)

// verifySettings are the flags of verify.
type verifySettings struct {
	data, since string
	head        bool
}

func (s *verifySettings) flags(f *cli.FlagSet) {
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`, in which nothing is changed")
	f.StringVar(
		&s.since,
		"since",
		"",
		"a `head` noted earlier, or its first 8 digits or more: is it one of this log?",
	)
	f.BoolVar(
		&s.head,
		"head",
		false,
		"print the head alone, and nothing if something is not as it was written",
	)
}

// verify prints what was checked. It fails when something is not as it was
// written, and when the head that was asked for is not in the log.
func verify(ctx context.Context, s *verifySettings, args []string, p cli.Process) error {
	s.since = strings.ToLower(s.since)
	if s.since != "" &&
		(len(s.since) < 8 || len(s.since) > 64 || strings.Trim(s.since, "0123456789abcdef") != "") {
		return cli.Usage(
			fmt.Errorf(
				"-since %q: must be 8 to 64 hexadecimal digits, the head that verify printed",
				s.since,
			),
		)
	}
	if err := checkData(s.data); err != nil {
		return err
	}
	report, err := store.Verify(ctx, s.data, store.VerifyOptions{Since: s.since})
	if err != nil {
		return err
	}
	out := p.Stdout
	if s.head {
		out = io.Discard
	}
	if err := reportRows(report).Print(out); err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Fprintln(p.Stderr, finding(f))
	}
	err = errors.Join(damage(s.data, report), s.ancestor(out, report))
	if s.head && err == nil {
		_, err = fmt.Fprintf(p.Stdout, "%x\n", report.Head)
	}
	return err
}

// damage returns the error for a damaged directory, nil for an intact one.
func damage(dir string, r store.Report) error {
	n := len(r.Findings) + r.More
	if n == 0 {
		return nil
	}
	return fmt.Errorf(
		"%s is not as it was written: %s; nothing was changed: restore a backup, or what still verifies with almanac "+
			"restore -skip-damaged",
		dir,
		counted(n, "finding", "findings"),
	)
}

// checkData refuses a directory without a calendar: it would be an empty calendar
// without mistakes.
func checkData(dir string) error {
	for _, part := range []string{"log", "snapshots"} {
		info, err := os.Stat(filepath.Join(dir, part))
		switch {
		case err == nil && info.IsDir():
			return nil
		case errors.Is(err, fs.ErrPermission):
			return fmt.Errorf("-data: %w; ask as the user of the server", err)
		}
	}
	return cli.Usage(
		fmt.Errorf("-data: there is no log in %q; give the data directory of a server", dir),
	)
}

// counted returns a number with its noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}

// finding says what is wrong, and where.
func finding(f *store.CorruptError) string {
	where := f.File
	if f.Line > 0 {
		where += fmt.Sprintf(": line %d", f.Line)
	}
	if f.Offset > 0 {
		where += fmt.Sprintf(": offset %d", f.Offset)
	}
	return fmt.Sprintf("%s: %v", where, f.Err)
}

// reportRows says what was checked.
func reportRows(r store.Report) (all cli.Rows) {
	all.Add("log", fmt.Sprintf("%s, %s, %d bytes", counted(r.Segments, "segment", "segments"),
		counted(r.Lines, "transaction", "transactions"), r.Bytes))
	if r.Lines > 0 {
		all.Add(
			"from",
			fmt.Sprintf("%s, transaction %d", r.FirstTime.Format(time.RFC3339Nano), r.First),
		)
		all.Add(
			"to",
			fmt.Sprintf("%s, transaction %d", r.LastTime.Format(time.RFC3339Nano), r.Last),
		)
	}
	if r.First > 1 {
		all.Add("pruned", fmt.Sprintf("transactions 1 to %d", r.First-1))
	}
	if r.Base > 0 {
		all.Add("rests on", base(r))
	}
	snapshots := "none"
	if len(r.Snapshots) > 0 {
		snapshots = "of transactions " + strings.Trim(fmt.Sprint(r.Snapshots), "[]")
	}
	all.Add("snapshots", snapshots)
	all.Add("records", records(r))
	if r.Uploads > 0 {
		all.Add(
			"pictures",
			fmt.Sprintf("%s, with all files", counted(r.Uploads, "picture", "pictures")),
		)
	}
	if r.Truncated != nil {
		all.Add("torn", truncated(r.Truncated))
	}
	if r.Empty != "" && r.Lines > 0 {
		all.Add(
			"empty",
			r.Empty+": the next segment, in which there is no line: a server is about to write there, or died before it did",
		)
	}
	head := fmt.Sprintf("%x", r.Head)
	if r.Lines > 0 && r.Head == [len(r.Head)]byte{} {
		head = "unknown: the last line is damaged"
	}
	all.Add("head", head)
	return all
}

// base says what a pruned log rests on, and what vouches for it.
func base(r store.Report) string {
	on := fmt.Sprintf("the snapshot of transaction %d", r.Base)
	switch r.Named {
	case 0:
		return on + ", which no line of the log names, so that no head can tell"
	case r.Base:
		return on + fmt.Sprintf(
			", which transaction %d names: heads from there on stand for all records",
			r.NamedBy,
		)
	}
	return on + fmt.Sprintf(
		"; transaction %d names that of %d: heads from there on stand for all records since that",
		r.NamedBy,
		r.Named,
	)
}

// records says how many there are, as far as that is known.
func records(r store.Report) string {
	if r.RecordsHidden && r.RecordsAt == 0 {
		return "unknown: damage hides them"
	}
	text := countsOf(r.Records[:])
	if r.RecordsHidden {
		text += fmt.Sprintf(" after transaction %d; damage hides what comes then", r.RecordsAt)
	}
	return text
}

// countsOf says how many records of each kind there are, the accounts that were removed among them.
// Most calendars have no series, and some no accounts.
func countsOf(byKind []int) string {
	var counts []string
	for k, n := range byKind {
		if k := store.Kind(k); n > 0 || k != store.AllSeries && k != store.Accounts {
			counts = append(counts, fmt.Sprint(n, " ", store.Kind(k)))
		}
	}
	return strings.Join(counts, ", ")
}

// truncated says what the end of the log is.
func truncated(end *store.Truncation) string {
	if end.Bytes == 0 {
		return fmt.Sprintf("%s: offset %d: the last line has no newline", end.File, end.Offset)
	}
	const why = "a server is writing it, or died before it was stored and nobody was told that it is; or else its end was lost later"
	return fmt.Sprintf(
		"%s: offset %d: %d bytes of a line that is not whole: %s",
		end.File,
		end.Offset,
		end.Bytes,
		why,
	)
}

// ancestor says which transaction had the head that was asked for.
func (s *verifySettings) ancestor(w io.Writer, r store.Report) error {
	switch {
	case s.since == "":
		return nil
	case len(r.Since) == 0 && r.First > 1:
		return fmt.Errorf(
			"-since %s: no transaction from %d to %d has this head, nor has a snapshot before them",
			s.since,
			r.First,
			r.Last,
		)
	case len(r.Since) == 0:
		return fmt.Errorf("-since %s: no transaction of this log has this head", s.since)
	case len(r.Since) > 1:
		return fmt.Errorf(
			"-since %s: transactions %d and %d have heads that begin like this; give more digits",
			s.since,
			r.Since[0].Seq,
			r.Since[1].Seq,
		)
	}
	a := r.Since[0]
	if !a.Whole {
		return fmt.Errorf(
			"-since %s: this is the head of transaction %d, but it does not stand for the records: %s",
			s.since,
			a.Seq,
			unnamed(r),
		)
	}
	what := fmt.Sprintf("transaction %d of %s", a.Seq, a.Time.Format(time.RFC3339Nano))
	if a.Seq == 0 {
		what = "before the first transaction"
	}
	_, err := fmt.Fprintf(w, "since      %x is %s\n", a.Head, what)
	return err
}

// unnamed says why a head of a pruned log does not vouch for what was pruned.
func unnamed(r store.Report) string {
	if r.NamedBy == 0 {
		return fmt.Sprintf(
			"the log goes on from the snapshot of transaction %d, which no line of it names",
			r.Base,
		)
	}
	return fmt.Sprintf(
		"the log goes on from the snapshot of transaction %d, and only heads from transaction %d on stand for a "+
			"snapshot; note a newer one",
		r.Base,
		r.NamedBy,
	)
}
