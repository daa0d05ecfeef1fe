// The command verify: is everything in a data directory as it was written?

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/store"
)

// verifySettings are the flags of verify.
type verifySettings struct {
	data, since string
	head        bool
}

func verifyFlags() (*flagSet, *verifySettings) {
	f, s := newFlags("verify", "almanac verify [flags]: read every byte of the log and of the snapshots, and say whether all of it is as it was written. A server may run."), &verifySettings{}
	f.StringVar(&s.data, "data", "almanac-data", "data `directory`, in which nothing is changed")
	f.StringVar(&s.since, "since", "", "a `head` noted earlier, or its first 8 digits or more: is it one of this log?")
	f.BoolVar(&s.head, "head", false, "print the head alone, and nothing if something is not as it was written")
	return f, s
}

// verify prints what was checked. It fails when something is not as it was
// written, and when the head that was asked for is not in the log.
func verify(ctx context.Context, args []string, p process) error {
	flags, s := verifyFlags()
	if err := flags.parse(args, p); errors.Is(err, errHelped) {
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return usageError{fmt.Errorf("verify takes no argument %q (see almanac help verify)", flags.Arg(0))}
	}
	s.since = strings.ToLower(s.since)
	if s.since != "" && (len(s.since) < 8 || len(s.since) > 64 || strings.Trim(s.since, "0123456789abcdef") != "") {
		return usageError{fmt.Errorf("-since %q: must be 8 to 64 hexadecimal digits, the head that verify printed", s.since)}
	}
	if err := checkData(s.data); err != nil {
		return err
	}
	report, err := store.Verify(ctx, s.data, store.VerifyOptions{Since: s.since})
	if err != nil {
		return err
	}
	out := p.stdout
	if s.head {
		out = io.Discard
	}
	if err := writeReport(out, report); err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Fprintln(p.stderr, finding(f))
	}
	if n := len(report.Findings) + report.More; n > 0 {
		err = fmt.Errorf("%s is not as it was written: %s; nothing was changed: restore a backup", s.data, counted(n, "finding", "findings"))
	}
	err = errors.Join(err, s.ancestor(out, report))
	if s.head && err == nil {
		_, err = fmt.Fprintf(p.stdout, "%x\n", report.Head)
	}
	return err
}

// checkData refuses a directory that is none of a calendar: it would be an
// empty one without mistakes.
func checkData(dir string) error {
	for _, part := range []string{"log", "snapshots"} {
		info, err := os.Stat(filepath.Join(dir, part))
		if err == nil && info.IsDir() {
			return nil
		}
	}
	return usageError{fmt.Errorf("-data: there is no log in %q; give the data directory of a server", dir)}
}

// counted gives a number with its noun.
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

// writeReport prints what was checked, a line for each part.
func writeReport(w io.Writer, r store.Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "log\t%s, %s, %d bytes\n", counted(r.Segments, "segment", "segments"), counted(r.Lines, "transaction", "transactions"), r.Bytes)
	if r.Lines > 0 {
		fmt.Fprintf(t, "from\t%s, transaction %d\n", r.FirstTime.Format(time.RFC3339Nano), r.First)
		fmt.Fprintf(t, "to\t%s, transaction %d\n", r.LastTime.Format(time.RFC3339Nano), r.Last)
	}
	if r.First > 1 {
		fmt.Fprintf(t, "pruned\ttransactions 1 to %d\n", r.First-1)
	}
	snapshots := "none"
	if len(r.Snapshots) > 0 {
		snapshots = "of transactions " + strings.Trim(fmt.Sprint(r.Snapshots), "[]")
	}
	fmt.Fprintf(t, "snapshots\t%s\n", snapshots)
	var records []string
	for k, n := range r.Records {
		records = append(records, fmt.Sprint(n, " ", store.Kind(k)))
	}
	fmt.Fprintf(t, "records\t%s\n", strings.Join(records, ", "))
	if r.Torn != nil {
		fmt.Fprintf(t, "torn\t%s\n", torn(r.Torn))
	}
	head := fmt.Sprintf("%x", r.Head)
	if r.Lines > 0 && r.Head == [len(r.Head)]byte{} {
		head = "unknown: the last line is damaged"
	}
	fmt.Fprintf(t, "head\t%s\n", head)
	return t.Flush()
}

// torn says what the end of the log is.
func torn(end *store.Torn) string {
	if end.Bytes == 0 {
		return fmt.Sprintf("%s: offset %d: the last line has no newline", end.File, end.Offset)
	}
	return fmt.Sprintf("%s: offset %d: %d bytes of a line that is being written, or was when the server died: it was never acknowledged", end.File, end.Offset, end.Bytes)
}

// ancestor says which transaction had the head that was asked for.
func (s *verifySettings) ancestor(w io.Writer, r store.Report) error {
	switch {
	case s.since == "":
		return nil
	case len(r.Since) == 0 && r.First > 1:
		return fmt.Errorf("-since %s: no transaction from %d to %d has this head, nor has a snapshot before them", s.since, r.First, r.Last)
	case len(r.Since) == 0:
		return fmt.Errorf("-since %s: no transaction of this log has this head", s.since)
	case len(r.Since) > 1:
		return fmt.Errorf("-since %s: transactions %d and %d have heads that begin like this; give more digits", s.since, r.Since[0].Seq, r.Since[1].Seq)
	}
	a := r.Since[0]
	what := fmt.Sprintf("transaction %d of %s", a.Seq, a.Time.Format(time.RFC3339Nano))
	switch {
	case a.Seq == 0:
		what = "before the first transaction"
	case a.Snapshot:
		what = fmt.Sprintf("transaction %d, by the snapshot of %s", a.Seq, a.Time.Format(time.RFC3339Nano))
	}
	_, err := fmt.Fprintf(w, "since      %x is %s\n", a.Head, what)
	return err
}
