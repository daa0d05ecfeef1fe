// Following another store.

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/race"
)

// first is the address of stores that others follow.
const first = "https://first.example.org"

// packed returns an archive of an open store.
func packed(s *Store) (io.ReadCloser, error) {
	var text bytes.Buffer
	a, err := s.Archive(context.Background(), "")
	if err == nil {
		err = a.Write(context.Background(), &text)
	}
	return io.NopCloser(&text), err
}

// tail returns what one store has more than another, some bytes of it.
func tail(s, follower *Store, most int) ([]byte, error) {
	at := follower.State().at
	return s.Tail(at.Seq, fmt.Sprintf("%x", at.Head), most)
}

// catchUp appends all of it.
func catchUp(s, follower *Store, most int) error {
	for {
		text, err := tail(s, follower, most)
		if err != nil || len(text) == 0 {
			return err
		}
		if err := follower.Append(text, func() (io.ReadCloser, error) { return packed(s) }); err != nil {
			return err
		}
	}
}

// files of a log, as one text.
func logText(t *testing.T, dir string) (text []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "log", "*"))
	must(t, err)
	for _, name := range names {
		part, err := os.ReadFile(name)
		must(t, err)
		text = append(text, part...)
	}
	return text
}

// The follower of a store has its log byte for byte from where it began, its records,
// and snapshots that the log names; what is older than it keeps goes; and it goes on when
// it is opened as a store of its own.
func TestFollow(t *testing.T) {
	t.Parallel()
	h := newHistory(t, Options{Segment: 4 << 10, Snapshot: -1, Keep: 200 * time.Second})
	h.write(1, 40)
	must(t, h.store.Snapshot(t.Context()))
	dir := filepath.Join(t.TempDir(), "follower")
	archive, err := packed(h.store)
	must(t, err)
	_, err = Restore(t.Context(), dir, RestoreOptions{Archive: archive, Follow: true})
	must(t, err)
	var follower *Store
	reopen := func(o Options) {
		if follower != nil {
			must(t, follower.Check(), follower.Close())
		}
		o.Dir, o.Segment, o.Snapshot, o.Keep, o.Now = dir, 6<<10, -1, 200*time.Second, h.store.now
		follower, err = Open(o)
		must(t, err)
	}
	for round := range 12 {
		reopen(Options{Follow: first})
		h.write(uint64(round+2), 25)
		if round%2 == 0 {
			must(t, h.store.Snapshot(t.Context()))
			h.write(uint64(round+100), 5)
		}
		must(t, catchUp(h.store, follower, 1<<10))
		if got, want := follower.State().at, h.store.State().at; got != want {
			t.Fatalf("round %d: the follower is at %+v, want %+v", round, got, want)
		}
		whole, part := logText(t, h.dir), logText(t, dir)
		if !bytes.HasSuffix(whole, part) && !bytes.HasSuffix(part, whole) {
			t.Fatal("the logs are not the same")
		}
		h.reach(h.store.Seq())
		must(t, follower.View(func(v *View) error { h.states[len(h.states)-1].sameView(t, v); return nil }))
		r, err := Verify(t.Context(), dir, VerifyOptions{})
		if err != nil || len(r.Findings) > 0 || len(r.Snapshots) == 0 {
			t.Fatalf("round %d: findings %v, snapshots %v, %v", round, r.Findings, r.Snapshots, err)
		}
	}
	segments, err := numbered(follower.journal.fsys, logDir, segmentSuffix)
	must(t, err)
	if segments[0] < 30 {
		t.Errorf("nothing was pruned: the log begins with %d of %d", segments[0], follower.Seq())
	}
	var refused *FollowerError
	if err := follower.Update(1, func(*Tx) error { return nil }); !errors.As(err, &refused) || refused.First != first {
		t.Errorf("a change of a follower: %v", err)
	}
	if follower.Due(testTime.AddDate(1000, 0, 0)) {
		t.Error("something is due in a follower")
	}

	// Promoted.
	reopen(Options{})
	put(t, follower, &Event{})
	if _, err := tail(h.store, follower, 1); !errors.Is(err, ErrDiverged) {
		t.Errorf("after the follower went its own way: %v", err)
	}
	must(t, follower.Check(), follower.Close())
}

// A follower on a disk that loses what was not synced, or fails, at any operation has
// what it was told of, and catches up.
func TestFollowCrashes(t *testing.T) {
	race.Alone(t)
	h := newHistory(t, Options{Segment: 2 << 10, Snapshot: 3 << 10})
	h.write(1, 60)
	must(t, h.store.Snapshot(t.Context())) // and none in the background writes a line from here on
	for _, how := range []outcome{lost, kept, half} {
		for at, reached := 1, true; reached; at += stride() {
			disk := newMemFiles()
			s, err := open(Options{Follow: first, Segment: 3 << 10, Snapshot: -1}, disk)
			must(t, err)
			disk.outcome = how
			disk.set(disk.ops+at, disk.ops+at+1000000)
			err = catchUp(h.store, s, 1)
			reached = err != nil
			acknowledged := s.State().at
			disk.set(0, 0)
			_ = s.Close() // of a disk that failed
			left := disk.crash(survival(at%3), uint64(at))
			s, err = open(Options{Follow: first, Segment: 3 << 10, Snapshot: -1}, left)
			if err != nil {
				t.Fatalf("operation %d: %v", at, err)
			}
			if s.Seq() < acknowledged.Seq {
				t.Fatalf("operation %d: %d, and %d was acknowledged", at, s.Seq(), acknowledged.Seq)
			}
			must(t, catchUp(h.store, s, 1<<10), s.Check())
			if got, want := s.State().at, h.store.State().at; got != want {
				t.Fatalf("operation %d: %+v, want %+v", at, got, want)
			}
			if _, found := verified(t, left, ""); len(found) > 0 {
				t.Fatalf("operation %d: %v", at, found)
			}
			must(t, s.Close())
		}
	}
}

// A follower whose disk is full goes on when there is room.
func TestFollowGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, other := on(t, Options{}, newMemFiles()), newMemFiles()
		s := on(t, Options{Follow: first}, other)
		put(t, h, category("A", 0), category("B", 0))
		must(t, catchUp(h, s, 1))
		put(t, h, category("C", 0))
		put(t, h, category("D", 0))
		other.outcome = half
		other.set(other.ops+1, other.ops+1000000)
		if err := catchUp(h, s, 1); !IsPassing(err) || s.Refusing() == nil {
			t.Errorf("a full disk: %v, %v", err, s.Refusing())
		}
		if err := catchUp(h, s, 1); !IsPassing(err) {
			t.Errorf("a disk that is still full: %v", err)
		}
		other.set(0, 0)
		time.Sleep(2 * reopenEvery)
		must(t, catchUp(h, s, 1))
		if s.State().at != h.State().at {
			t.Error("it did not catch up")
		}
	})
}

// What a first store must not send, whether it lies or is another one, changes nothing.
func TestFollowRefuses(t *testing.T) {
	t.Parallel()
	h, disk := on(t, Options{}, newMemFiles()), newMemFiles()
	s := on(t, Options{Follow: first}, disk)
	put(t, h, category("A", 0))
	must(t, catchUp(h, s, 1))
	put(t, h, category("B", 0))
	put(t, h, category("C", 0))
	good, err := tail(h, s, 1<<20)
	must(t, err)
	lines := slices.Collect(strings.Lines(string(good)))
	l := mustLine(t, lines[0])
	forged := func(change func(*entry)) string {
		e := l.entry
		e.Change = &Change{Categories: []*Term{category("X", 0)}}
		e.Change.Categories[0].ID = 2
		change(&e)
		text, _, err := appendLine(nil, e, s.State().at.Head)
		must(t, err)
		return string(text) + "\n"
	}
	before := disk.walk()
	at := s.State()
	for name, test := range map[string]struct {
		text string
		want error
		says string
	}{
		"a line is cut off":             {lines[0][:20], nil, "in the middle"},
		"without the newline":           {strings.TrimSuffix(lines[0], "\n"), nil, "in the middle"},
		"no line":                       {"hello\n", nil, "no line of a log"},
		"a page":                        {"<!DOCTYPE html>\n<p>Sign in</p>\n", nil, "no line of a log"},
		"a letter is another":           {strings.Replace(lines[0], `"B"`, `"X"`, 1), nil, "checksum"},
		"one is left out":               {lines[1], ErrDiverged, "transaction 3 where 2 should be"},
		"one comes twice":               {lines[0] + lines[0] + lines[1], ErrDiverged, "transaction 2 where 3 should be"},
		"the second one is wrong":       {lines[0] + strings.Replace(lines[1], `"C"`, `"X"`, 1), nil, "checksum"},
		"another chain":                 {forged(func(e *entry) { e.Batch = 2 }) + lines[1], ErrDiverged, "the chain is broken"},
		"the middle of a batch":         {forged(func(e *entry) { e.Batch = 1 }), ErrDiverged, "in batch 1"},
		"a record without an id":        {forged(func(e *entry) { e.Change.Categories[0].ID = 0 }), nil, "the id 0"},
		"an id that is beyond all":      {forged(func(e *entry) { e.Change.Categories[0].ID = 1<<63 - 1 }), nil, "with the id"},
		"a line that comes in a future": {reseal(`{"v":99,` + lines[0][1:]), ErrNewer, "newer"},
	} {
		err := s.Append([]byte(test.text), func() (io.ReadCloser, error) { return nil, errors.New("no archive") })
		if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.State() != at {
		t.Error("the follower has moved")
	}
	if diff := cmp.Diff(before, disk.walk()); diff != "" {
		t.Errorf("files (-before, +after):\n%s", diff)
	}
	must(t, s.Append(good, nil))
}

// mustLine parses a line of a log.
func mustLine(t *testing.T, text string) logLine {
	t.Helper()
	l, err := parseLine([]byte(strings.TrimSuffix(text, "\n")))
	must(t, err)
	return l
}

// reseal closes a line anew.
func reseal(line string) string {
	body := strings.TrimSuffix(line, "\n")
	body = body[:len(body)-sealSize]
	return body + string(seal(nil, []byte(body))) + "\n"
}

// A snapshot that is not what the line says, or not whole, is not taken; and the line
// that names it waits.
func TestFollowSnapshots(t *testing.T) {
	t.Parallel()
	h, disk := on(t, Options{}, newMemFiles()), newMemFiles()
	s := on(t, Options{Follow: first}, disk)
	put(t, h, category("A", 0))
	must(t, h.Snapshot(t.Context()))
	text, err := tail(h, s, 1<<20)
	must(t, err)
	lines := slices.Collect(strings.Lines(string(text)))
	must(t, s.Append([]byte(lines[0]), nil))
	good, err := packed(h)
	must(t, err)
	archive, err := io.ReadAll(good)
	must(t, err)
	other := on(t, Options{Now: func() time.Time { return testTime }}, newMemFiles())
	put(t, other, category("A", 0))
	must(t, other.Snapshot(t.Context()))
	otherArchive, err := packed(other)
	must(t, err)
	before := disk.walk()
	for name, archive := range map[string]io.Reader{
		"it ends early":    bytes.NewReader(archive[:len(archive)/2]),
		"it is of another": otherArchive,
		"it is none":       strings.NewReader("<!DOCTYPE html>"),
		"it is empty":      strings.NewReader(""),
		"it is changed":    bytes.NewReader(bytes.Replace(archive, []byte(`"name":"A"`), []byte(`"name":"B"`), 1)),
	} {
		if err := s.Append([]byte(lines[1]), func() (io.ReadCloser, error) { return io.NopCloser(archive), nil }); err == nil {
			t.Errorf("an archive was taken though %s", name)
		}
	}
	if diff := cmp.Diff(before, disk.walk()); diff != "" {
		t.Errorf("files (-before, +after):\n%s", diff)
	}
	must(t, s.Append([]byte(lines[1]), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil }))
	if _, found := verified(t, disk, ""); len(found) > 0 {
		t.Error(found)
	}
}

// What is asked for must be on the chain, and be there.
func TestTail(t *testing.T) {
	t.Parallel()
	memory := memory(t)
	if _, err := memory.Tail(0, "", 1); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("of a store in memory: %v", err)
	}
	h := newHistory(t, Options{Segment: 1 << 10, Snapshot: -1})
	h.write(1, 30)
	zero, head := strings.Repeat("0", 64), fmt.Sprintf("%x", h.store.State().at.Head)
	seq := h.store.Seq()
	for name, test := range map[string]struct {
		after uint64
		head  string
		want  error
	}{
		"nothing yet":           {0, zero, nil},
		"all":                   {seq, head, nil},
		"another head":          {seq, zero, ErrDiverged},
		"another one before":    {5, head, ErrDiverged},
		"a head before line 1":  {0, head, ErrDiverged},
		"more than there is":    {seq + 1, head, ErrDiverged},
		"no number at all":      {seq, "zero", ErrDiverged},
		"a head that is longer": {seq, head + "00", ErrDiverged},
	} {
		if _, err := h.store.Tail(test.after, test.head, 1<<20); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	all, err := h.store.Tail(0, zero, 1)
	must(t, err)
	if n := bytes.Count(all, []byte("\n")); n != 1 {
		t.Errorf("a byte of lines is %d of them", n)
	}
	must(t, os.Remove(filepath.Join(h.dir, segmentName(1))))
	if _, err := h.store.Tail(0, zero, 1); !errors.Is(err, ErrPruned) {
		t.Errorf("of a log that begins later: %v", err)
	}
}
