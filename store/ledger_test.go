// The expected content of a journal, to compare with it.

package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/store/record"
	"almanac/store/wal"

	"github.com/google/go-cmp/cmp"
)

// A catalogue is the records by kind and id, as JSON.
type catalogue map[Removal]string

// load applies the change of a line.
func (c catalogue) load(e *wal.Entry) { c.apply(record.ChangeOf(e)) }

func (c catalogue) apply(change *Change) error {
	change.Each(c.put)
	for _, gone := range change.Removed {
		delete(c, Removal{Kind: gone.Kind, ID: gone.ID})
	}
	return nil
}

func (c catalogue) put(r Record) {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	c[Removal{Kind: r.Kind(), ID: r.Key()}] = string(text)
}

// A ledger has the entries that a journal has been asked to keep.
type ledger struct {
	t       testing.TB
	entries []wal.Entry // all that were tried and may be there
	acked   int         // how many have to be there
	made    int         // for contents that differ each time
	name    string      // of the scenario
	log     string      // messages of the last open
	keep    time.Duration
	tick    time.Duration // between two transactions; 0 is a nanosecond

	// After each entry, as far as they are known.
	positions []record.Position
	states    []catalogue
}

var testTime = time.Date(2026, 11, 20, 23, 48, 15, 123456789, time.UTC)

// sharedText is a text that a line and a snapshot have once.
var sharedText = strings.Repeat("<p>é\"", 26)

// next makes n entries after those there are.
func (l *ledger) next(n int) []wal.Entry {
	var batch []wal.Entry
	p := l.position(len(l.entries))
	for range n {
		l.made++
		p.Seq++
		c := new(Change)
		meta := Meta{ID: p.NextPost, Rev: p.Seq}
		text := fmt.Sprintf("No. %d <b>& \"so\" on</b>\u2028\x00\n日本", l.made)
		what := l.made % 6
		switch {
		case l.made%13 == 12:
			what = 6
		case p.NextPost == 1 && (what == 3 || what == 5):
			what = 1 // there is nothing to write again, or to remove
		}
		switch what {
		case 0:
			c.Tags = []*Term{{
				Meta: Meta{
					ID:  p.NextTerm,
					Rev: p.Seq,
				},
				Name: text,
				Slug: fmt.Sprint("t", l.made),
			}}
		case 1, 2:
			c.Events = []*Event{{
				Post: Post{
					Meta:        meta,
					Date:        testTime,
					Description: text,
				},
				Title:    text,
				Start:    3600,
				End:      7200,
				Timezone: "UTC",
			}}
		case 3:
			meta.ID-- // written again
			c.Events = []*Event{{
				Post: Post{
					Meta:   meta,
					Status: Draft,
				},
				Title:    text,
				Timezone: "Europe/Paris",
			}}
			c.Venues = []*Venue{{
				Post: Post{
					Meta: Meta{
						ID:  p.NextPost,
						Rev: p.Seq,
					},
				},
				Name: text,
				Geo: &Geo{
					Lat: 47.5,
					Lng: -0.25,
				},
			}}
		case 4:
			c.Images = []*Image{{Meta: meta, URL: text}}
			c.Series = []*Series{{
				Meta: Meta{
					ID:  meta.ID + 1,
					Rev: p.Seq,
				},
				Rule:    "FREQ=DAILY",
				EXDates: []Wall{3600 + 86400},
				Horizon: 86400 * 2,
				Event: Event{
					Post: Post{
						Date:        testTime,
						Description: text,
					},
					Title:    text,
					Start:    3600,
					End:      7200,
					Timezone: "UTC",
				},
			}}
			c.Events = []*Event{{
				Post: Post{
					Meta: Meta{
						ID:  meta.ID + 2,
						Rev: p.Seq,
					},
					Date:        testTime,
					Description: sharedText,
				},
				Title:    text,
				Start:    3600,
				End:      7200,
				Timezone: "UTC",
				Recurrence: &Recurrence{
					Series:  meta.ID + 1,
					Start:   3600,
					Changed: []string{"description"},
				},
			}, {
				Post: Post{
					Meta: Meta{
						ID:  meta.ID + 3,
						Rev: p.Seq,
					},
					Date:        testTime,
					Description: sharedText,
				},
				Title:    text,
				Start:    3600,
				End:      7200,
				Timezone: "UTC",
			}}
			c.Organizers = []*Organizer{{
				Post: Post{
					Meta: Meta{
						ID:  meta.ID + 4,
						Rev: p.Seq,
					},
				},
				Name: text,
			}}
			c.Categories = []*Term{{Meta: Meta{ID: p.NextTerm, Rev: p.Seq}, Name: text}}
		case 5:
			c.Removed = []Removal{{Kind: Organizers, ID: p.NextPost - 1}}
		case 6:
			c.Identity = fmt.Sprintf("a%d.example", l.made)
		}
		p.Note(c)
		batch = append(batch, wal.Entry{
			Seq:     p.Seq,
			Time:    l.now(),
			Account: int64(l.made % 3),
			Value:   c,
		})
	}
	for i := range batch {
		batch[i].Batch = batch[0].Seq
	}
	l.entries = append(l.entries, batch...)
	return batch
}

// lineOf returns the line of an entry, nil if its change has no form.
func lineOf(e *wal.Entry, prev [32]byte) []byte {
	one := []wal.Entry{*e}
	if record.Encode(one) != nil {
		return nil
	}
	return wal.AppendLine(nil, &one[0], prev)
}

// position returns what the position after n entries should be.
func (l *ledger) position(n int) record.Position {
	if len(l.positions) == 0 {
		l.positions = []record.Position{{NextPost: 1, NextTerm: 1}}
	}
	for i := len(l.positions); i <= n; i++ {
		p := l.positions[i-1]
		e := l.entries[i-1]
		line := lineOf(&e, p.Head)
		if line == nil {
			l.t.Fatal("a change without a form")
		}
		p.Seq = e.Seq
		p.Head = sha256.Sum256(line)
		p.Note(record.ChangeOf(&e))
		l.positions = append(l.positions, p)
	}
	return l.positions[n]
}

// state returns the records after n entries. Nobody may change them.
func (l *ledger) state(n int) catalogue {
	if len(l.states) == 0 {
		l.states = []catalogue{{}}
	}
	for i := len(l.states); i <= n; i++ {
		c := maps.Clone(l.states[i-1])
		c.apply(record.ChangeOf(&l.entries[i-1]))
		l.states = append(l.states, c)
	}
	return l.states[n]
}

// records returns the state after n entries as a snapshot wants it.
func (l *ledger) records(n int) (records [kinds][]Record) {
	for k := range kinds {
		byID := map[int64]Record{}
		for _, e := range l.entries[:n] {
			record.ChangeOf(&e).Each(func(r Record) {
				if r.Kind() == k {
					byID[r.Key()] = r
				}
			})
			for _, gone := range record.ChangeOf(&e).Removed {
				if gone.Kind == k {
					delete(byID, gone.ID)
				}
			}
		}
		for _, id := range slices.Sorted(maps.Keys(byID)) {
			records[k] = append(records[k], byID[id])
		}
	}
	return records
}

// open opens a journal and compares what it recovers with the ledger.
func (l *ledger) open(fsys wal.Files, segmentSize int64) (*journal, error) {
	l.t.Helper()
	got := catalogue{}
	var log bytes.Buffer
	j, p, err := openJournal(fsys, journalOptions{Options: wal.Options{
		Keep:        l.keep,
		SegmentSize: segmentSize,
		Logger:      slog.New(slog.NewTextHandler(&log, nil)),
	}}, got.load)
	l.log = log.String()
	if err != nil {
		return nil, err
	}
	l.found(p, got)
	return j, nil
}

// found compares what was recovered with the ledger, and strikes from the ledger
// what was not acknowledged and is not there.
func (l *ledger) found(p record.Position, got catalogue) {
	l.t.Helper()
	n := int(p.Seq)
	if n < l.acked || n > len(l.entries) {
		l.t.Fatalf(
			"%s: recovered %d transactions, want %d to %d",
			l.name,
			n,
			l.acked,
			len(l.entries),
		)
	}
	if want := l.position(n); want != p {
		l.t.Fatalf("%s: position (-want +got):\n%s", l.name, cmp.Diff(want, p))
	}
	if want := l.state(n); !maps.Equal(want, got) {
		l.t.Fatalf("%s: records (-want +got):\n%s", l.name, cmp.Diff(want, got))
	}
	// From here on readers see all of it. Clones keep what they have.
	l.acked = n
	l.entries, l.positions, l.states = slices.Clip(
		l.entries[:n],
	), slices.Clip(
		l.positions[:n+1],
	), slices.Clip(
		l.states[:n+1],
	)
}

// commit commits n new entries.
func (l *ledger) commit(j *journal, n int) error {
	l.t.Helper()
	batch := l.next(n)
	if err := j.commit(batch); err != nil {
		if !errors.Is(err, ErrLatched) {
			l.t.Fatalf("%s: the error of a commit is not latched: %v", l.name, err)
		}
		if again := j.commit(batch); again != err {
			l.t.Fatalf("%s: second error %v, want the first, %v", l.name, again, err)
		}
		return err
	}
	l.acked = len(l.entries)
	return nil
}

// reopen lets a journal go on after a failure. Transactions that were not acknowledged
// are gone, also after a crash.
func (l *ledger) reopen(j *journal) error {
	l.t.Helper()
	err := j.Reopen()
	if err != nil {
		if again := j.commit(l.entries[l.acked:]); !errors.Is(again, ErrLatched) {
			l.t.Fatalf("%s: not reopened (%v), and a commit returns %v", l.name, err, again)
		}
		return err
	}
	if want := l.position(l.acked); j.at != want {
		l.t.Fatalf("%s: position after reopening (-want +got):\n%s", l.name, cmp.Diff(want, j.at))
	}
	l.entries, l.positions, l.states = slices.Clip(
		l.entries[:l.acked],
	), slices.Clip(
		l.positions[:l.acked+1],
	), nil
	return nil
}

// now is the time of the last transaction that was tried.
func (l *ledger) now() time.Time { return testTime.Add(time.Duration(l.made) * max(l.tick, 1)) }

// snapshot takes a snapshot, which has to be there after a crash, enters it into the
// log, and prunes.
func (l *ledger) snapshot(j *journal) error {
	l.t.Helper()
	return l.snapshotAt(j, l.now())
}

func (l *ledger) snapshotAt(j *journal, now time.Time) error {
	l.t.Helper()
	at := j.at
	r, err := j.snapshot(at, l.records(l.acked), now)
	if m, ok := j.Files.(*memFiles); ok && err == nil && at.Seq > 0 && at.Seq != j.same {
		if _, err := wal.VerifySnapshot(m.crash(none, 0), at.Seq, record.SnapshotFiles); err != nil {
			l.t.Fatalf("%s: lost a snapshot: %v", l.name, err)
		}
	}
	if err != nil || r == nil {
		return err
	}
	return l.enter(j, r, now)
}

// enter commits the checkpoint of a snapshot, and prunes.
func (l *ledger) enter(j *journal, r *wal.Retention, now time.Time) error {
	l.t.Helper()
	batch := []wal.Entry{{Seq: uint64(len(l.entries)) + 1, Time: now, Snapshots: r.Stays}}
	batch[0].Batch = batch[0].Seq
	l.entries = append(l.entries, batch[0])
	if err := j.commit(batch); err != nil {
		return err
	}
	l.acked = len(l.entries)
	j.entered(batch[0].Seq)
	return j.Prune(r)
}
