// Files of other calendars, imported.

package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"almanac/internal/caltime"
	"almanac/internal/importer"
	"almanac/store"
)

const (
	importName  = "x a calendar file, imported"
	importBytes = 10_000_000
	importBatch = 500 // events in a transaction, as the command has them
)

// importAll imports a calendar file into a data directory that is new each time, in the
// transactions of the command.
func importAll(s settings, t *table) error {
	if !s.only.MatchString(importName) {
		return nil
	}
	text, events := calendarFile()
	t.heading(fmt.Sprintf("%d events of other calendars, %d KB", events, len(text)/1000))
	var seconds []float64
	for range s.rounds {
		before, elapsed := processorTime(), time.Now()
		if err := importFile(s.dir, text, events); err != nil {
			return err
		}
		used := processorTime() - before
		if used == 0 { // where it is not known
			used = time.Since(elapsed)
		}
		seconds = append(seconds, used.Seconds())
	}
	t.add(row{name: importName, what: "processor s", ours: spreadOf(seconds), goal: atMostItself(2)})
	return nil
}

// calendarFile returns a calendar of importBytes, and how many events it has.
func calendarFile() (text string, events int) {
	var b strings.Builder
	b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for ; b.Len() < importBytes; events++ {
		i := events
		fmt.Fprintf(&b, "BEGIN:VEVENT\r\nUID:%d@club.example.org\r\nDTSTART;TZID=Europe/Paris:2031%02d%02dT190000\r\nDURATION:PT2H\r\n"+
			"SUMMARY:Concert number %d\r\nDESCRIPTION:An evening of songs\\, with a bar and a raffle. Doors open at six\\; bri\r\n ng friends."+
			"\\nAll are welcome\\, entry is free for members of the club.\r\nLOCATION:Hall %d\\, %d Main St\\, Springfield\r\n"+
			"CATEGORIES:Music,Category %d\r\nORGANIZER;CN=Ann %d:mailto:ann%d@example.org\r\nLAST-MODIFIED:20260101T000000Z\r\nEND:VEVENT\r\n",
			i, 1+i/28%12, 1+i%28, i, i%50, i%50, i%20, i%30, i%30)
	}
	b.WriteString("END:VCALENDAR\r\n")
	return b.String(), events
}

// importFile imports a calendar into a new directory, and makes sure that all of it is
// there.
func importFile(dir, text string, events int) (err error) {
	if dir, err = os.MkdirTemp(dir, "almanac-import-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	st, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	options := importer.Options{Site: caltime.UTC(), Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Account: 1}
	var batch importer.Batch
	flush := func() error {
		return st.Update(1, func(tx *store.Tx) error {
			result, err := batch.Apply(tx, options)
			batch = importer.Batch{State: result.State}
			return err
		})
	}
	err = importer.Read(strings.NewReader(text), "calendar.ics", func(item importer.Item) error {
		if batch.Items = append(batch.Items, item); len(batch.Items) == importBatch {
			return flush()
		}
		return nil
	}, nil)
	if err == nil {
		err = flush()
	}
	return errors.Join(err, st.View(func(v *store.View) error {
		if n := v.Len(store.Events); n != events {
			return fmt.Errorf("%s: %d events are there, want %d", importName, n, events)
		}
		return nil
	}))
}
