// The way of records from files to a target.

package transfer

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/jsonio"
	"almanac/internal/write/intake"
	"almanac/move/files"
)

// Limits of a transaction or a request.
const (
	batchItems = 500
	batchBytes = 512 << 10 // of records; a request holds more than these
)

// mostKnown limits the records that are known to have been added.
const mostKnown = 1 << 20

// A Loader carries records to a target.
type Loader struct {
	Reader   files.Reader
	Pages    files.Pages // that were read
	Report   intake.Report
	Progress *cli.Progress
	Taken    func([]*intake.Taken) error // gets the results of a batch of a source

	ctx      context.Context
	target   target
	pictures gallery
	strict   bool
	stderr   io.Writer // for refusals

	changes map[uint64]int64 // by record of the file: last time of change that was added, or 0
	seed    maphash.Seed     // of its keys

	batch intake.Batch // waits to be stored
	bytes int          // of it
	last  intake.Item  // the last that was stored
	told  int          // of the refusals in Report
}

// Load loads files in their order. An error says how far the import came.
func (l *Loader) Load(names []string) error {
	var err error
	for i := 0; i < len(names) && err == nil; i++ {
		err = l.file(names[i])
	}
	if err == nil {
		err = l.Flush()
	}
	if err == nil {
		return nil
	}
	stored := "nothing was stored"
	if l.last.File != "" {
		stored = fmt.Sprintf("stored up to record %d of %s", l.last.Position, l.last.File)
	}
	if errors.As(err, &unconfirmed{}) {
		stored += fmt.Sprintf(", and perhaps some of the next %d: import all again", len(l.batch.Items))
	}
	return fmt.Errorf("%w (%s)", err, stored)
}

// file imports one file. Records before an error in it are stored.
func (l *Loader) file(name string) error {
	f := os.Stdin
	shown := "standard input"
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return err
		}
		defer f.Close()
		shown = name
	}
	l.changes = map[uint64]int64{}
	l.seed = maphash.MakeSeed()
	err := l.Reader.Read(l.Progress.Watch(f), shown, l.Add, l.Pages.Add)
	if err != nil && !errors.Is(err, errStopped) {
		return errors.Join(err, l.Flush())
	}
	return err
}

// errStopped is in the errors that end an import before its files do.
var errStopped = errors.New("stopped")

// Add adds a record to the batch, and stores that when it is full. A record that its file has twice
// is added again only in a later version: else the two would replace each other at each import.
func (l *Loader) Add(item intake.Item) error {
	if l.isRepeated(item) {
		return nil
	}
	if len(l.batch.Items) == batchItems || l.bytes+len(item.Record) > batchBytes {
		if err := l.Flush(); err != nil {
			return err
		}
	}
	for _, p := range pictures(item) {
		if err := l.picture(item, p); err != nil {
			return err
		}
	}
	l.batch.Items = append(l.batch.Items, item)
	l.bytes += len(item.Record)
	return nil
}

// isRepeated reports whether the file had a record of a list before, and does not say that it
// changed since. Sites and sources that are read again and again have their own rules.
func (l *Loader) isRepeated(item intake.Item) bool {
	id, changed := version(item)
	if l.changes == nil || id == "" {
		return false
	}
	key := maphash.String(l.seed, item.Kind+" "+id)
	before, isKnown := l.changes[key]
	if isKnown && (before == 0 || changed <= before) {
		return true
	}
	if isKnown || len(l.changes) < mostKnown {
		l.changes[key] = changed
	}
	return false
}

// version returns the global id of a record of a list, "" for other records, and the second of its
// last change, 0 for none.
func version(item intake.Item) (global string, changed int64) {
	if item.Form != "" || item.Exact || item.Row || item.Reject != "" {
		return "", 0
	}
	record := jsonio.Value{Raw: item.Record}
	global, _ = record.Member("global_id").Text()
	text, _ := record.Member("modified_utc").Text()
	if at, err := time.Parse(time.DateTime, text); err == nil {
		changed = at.Unix()
	}
	return global, changed
}

// Flush stores the batch.
func (l *Loader) Flush() error {
	if len(l.batch.Items) == 0 {
		return nil
	}
	if err := l.ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", errStopped, context.Cause(l.ctx))
	}
	l.batch.Strict = l.strict
	result, err := l.target.apply(l.batch)
	if err != nil {
		return fmt.Errorf("%w: %w", errStopped, err)
	}
	for i, refusal := range result.Report.Refusals {
		for _, item := range l.batch.Items {
			if item.File == refusal.File && item.Position == refusal.Position {
				result.Report.Refusals[i] = inWords(refusal, item)
				break
			}
		}
	}
	l.Report.Merge(result.Report)
	l.tell()
	if l.strict && len(result.Report.Refusals) > 0 {
		return fmt.Errorf("%w: a record cannot be taken", errStopped)
	}
	if l.Taken != nil {
		if err := l.Taken(result.Taken); err != nil {
			return fmt.Errorf("%w: %w", errStopped, err)
		}
	}
	l.last = l.batch.Items[len(l.batch.Items)-1]
	l.Progress.Add(len(l.batch.Items))
	l.batch = intake.Batch{State: result.State}
	l.bytes = 0
	return nil
}

// tell prints the refusals that were not printed yet.
func (l *Loader) tell() {
	for ; l.told < len(l.Report.Refusals); l.told++ {
		l.Progress.Clear()
		fmt.Fprintln(l.stderr, line(l.Report.Refusals[l.told]))
	}
}

// Close closes the target.
func (l *Loader) Close() error { return l.target.Close() }
