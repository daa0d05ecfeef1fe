// Backups of stores that are written to, and what is restored from them.

package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"almanac/store/archive"
	"almanac/store/record"
	"almanac/store/wal"
)

// A history is a store with the model of every state that it has had.
type history struct {
	t     *testing.T
	dir   string
	store *Store
	clock atomic.Int64 // seconds after testTime

	mu     sync.Mutex // guards what follows
	states []*model   // by sequence number
	times  []time.Time
}

func newHistory(t *testing.T, o Options) *history {
	h := &history{
		t:      t,
		dir:    filepath.Join(t.TempDir(), "data"),
		states: []*model{newModel()},
		times:  []time.Time{{}},
	}
	o.Dir = h.dir
	o.Now = func() time.Time { return testTime.Add(time.Duration(h.clock.Add(1)) * time.Second) }
	var err error
	h.store, err = Open(o)
	must(t, err)
	closeAfter(t, h.store)
	must(t, os.WriteFile(filepath.Join(h.dir, "users.json"), []byte(`{"users":[]}`), 0o644))
	return h
}

// write runs random transactions.
func (h *history) write(seed uint64, n int) {
	w := &writer{h.t, rand.New(rand.NewPCG(randomSeed, seed))}
	for range n {
		err := h.store.Update(1, func(tx *Tx) error {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.reach(tx.seq - 1)
			after := w.transaction(tx, h.states[len(h.states)-1])
			if len(tx.touched) > 0 {
				h.states, h.times = append(h.states, after), append(h.times, tx.Now())
			}
			return nil
		})
		if err != nil {
			h.t.Error(err)
		}
	}
}

// reach notes that the lines up to a transaction that nobody made are checkpoints.
func (h *history) reach(seq uint64) {
	for n := len(h.states); uint64(n) <= seq; n++ {
		same := h.states[n-1].clone()
		same.seq++
		h.states = append(h.states, same)
		h.times = append(h.times, time.Time{})
	}
}

// at returns the number of the last transaction until a time.
func (h *history) at(moment time.Time) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reach(h.store.Seq())
	for t, err := range History(h.dir, nil) {
		must(h.t, err)
		h.note(t)
	}
	n := 0
	for seq, at := range h.times {
		if !at.IsZero() && !at.After(moment) { // zero: a checkpoint that was pruned since
			n = seq
		}
	}
	return uint64(n)
}

// note notes the time of a checkpoint. A snapshot that the last writes began can write
// one at any time.
func (h *history) note(t Transaction) {
	h.reach(t.Seq)
	if h.times[t.Seq].IsZero() {
		h.times[t.Seq] = t.Time
	}
}

// same opens a restored directory and compares all records with the model of
// that moment. Then the store goes on.
func (h *history) same(dir string, s Summary, want uint64) {
	h.t.Helper()
	if s.Seq != want {
		h.t.Fatalf("restored transaction %d, want %d", s.Seq, want)
	}
	users := filepath.Join(dir, "users.json")
	info, err := os.Stat(users)
	must(h.t, err)
	if text, err := os.ReadFile(users); err != nil || string(text) != `{"users":[]}` ||
		runtime.GOOS != "windows" &&
			info.Mode().Perm() != 0o600 {
		h.t.Errorf("users.json has mode %o and holds %q, %v", info.Mode().Perm(), text, err)
	}
	if r, err := Verify(h.t.Context(), dir, VerifyOptions{
		Since: hex.EncodeToString(s.Head[:]),
	}); err != nil ||
		len(r.Findings) > 0 || len(r.Since) != 1 {
		h.t.Errorf(
			"verified with findings %v, ancestors %v and error %v",
			r.Findings,
			r.Since,
			err,
		)
	}
	st, err := Open(Options{Dir: dir})
	must(h.t, err)
	h.mu.Lock()
	h.reach(want)
	m := h.states[want]
	h.mu.Unlock()
	if end := st.Seq(); end == want+1 { // a checkpoint of a new snapshot
		m = m.clone()
		m.seq = end
		want = end
	}
	must(h.t, st.Check(), st.View(func(v *View) error { m.sameView(h.t, v); return nil }))
	for k := range kinds {
		if s.Counts[k] != len(m.records[k]) {
			h.t.Errorf("%d %s were counted, want %d", s.Counts[k], k, len(m.records[k]))
		}
	}
	put(h.t, st, &Event{})
	must(h.t, st.Close())
	st, err = Open(Options{Dir: dir})
	must(h.t, err)
	if st.Seq() != want+1 || st.Check() != nil {
		h.t.Errorf("it does not go on after transaction %d", want)
	}
	must(h.t, st.Close())
}

func (h *history) backup(file string) Summary {
	h.t.Helper()
	s, err := Backup(h.t.Context(), file, BackupOptions{
		Dir:  h.dir,
		Gzip: strings.HasSuffix(file, "z"),
		Now:  h.store.now(),
	}.Pack)
	must(h.t, err)
	return s
}

func restore(t *testing.T, tarball []byte, dir string, p archive.Point) (Summary, error) {
	return Restore(t.Context(), dir, RestoreOptions{Archive: bytes.NewReader(tarball), Point: p})
}

// Backups at random moments while writing goes on, restored to random moments.
func TestBackupBesideWriting(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]time.Duration{
		"for ever":              0,
		"as little as possible": -1,
		"a while":               2 * time.Minute,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, Options{Segment: 3000, Snapshot: 12_000, Keep: keep})
			h.write(0, 5)
			dir := t.TempDir()
			rng := rand.New(rand.NewPCG(randomSeed, 7))
			for n := range 4 {
				file := filepath.Join(dir, []string{"a.tar", "a.tgz"}[n%2])
				least := h.store.Seq()
				var writing sync.WaitGroup
				defer writing.Wait()
				for i := range 3 {
					writing.Go(func() { h.write(uint64(10*n+i+1), 20) })
				}
				wait(t, func() bool { return h.store.Seq() > least+uint64(rng.IntN(20)) })
				least = h.store.Seq()
				s := h.backup(file)
				if s.Seq < least {
					t.Fatalf(
						"the backup ends with transaction %d; %d was there before it began",
						s.Seq,
						least,
					)
				}
				tarball, err := os.ReadFile(file)
				must(t, err)
				if s.Bytes != int64(len(tarball)) {
					t.Errorf("%d bytes were reported of %d", s.Bytes, len(tarball))
				}
				to := filepath.Join(dir, "deep", "restored")
				writing.Wait()
				whole, err := restore(t, tarball, to, archive.Point{})
				must(t, err)
				h.same(to, whole, s.Seq)
				must(t, os.RemoveAll(to))

				unpacked := newMemFiles()
				m, _, err := archive.Unpack(
					t.Context(),
					bytes.NewReader(tarball),
					unpacked,
					h.store.log,
				)
				must(t, err)
				h.at(
					time.Time{},
				) // notes the times of all that are still there, and of the archive
				must(
					t,
					readHistory(
						unpacked,
						record.DecodeLine,
						nil,
						func(t Transaction, _ error) bool { h.note(t); return true },
					),
				)
				least = 1
				if m.Base != nil {
					least = m.Base.Seq
				}
				seq := least + rng.Uint64N(s.Seq-least+1)
				part, err := restore(t, tarball, to, archive.Point{Seq: seq})
				must(t, err)
				h.same(to, part, seq)
				must(t, os.RemoveAll(to))
				moment := h.times[seq]
				if moment.Before(
					h.times[s.Seq],
				) { // it may have been taken in the very moment of its last transaction
					moment = moment.Add(time.Duration(rng.IntN(1000)) * time.Millisecond)
				}
				part, err = restore(t, tarball, to, archive.Point{At: moment})
				must(t, err)
				h.same(to, part, min(h.at(moment), s.Seq))
				must(t, os.RemoveAll(to))

				// Without an archive, from a directory that was pruned meanwhile.
				part, err = Restore(t.Context(), to, RestoreOptions{
					From: h.dir,
					Point: archive.Point{
						Seq: s.Seq,
					},
					Now: h.store.now(),
				})
				if keep < 0 && errors.Is(err, archive.ErrReach) {
					continue
				}
				must(t, err)
				h.same(to, part, s.Seq)
				must(t, os.RemoveAll(to))
			}
			names, err := os.ReadDir(dir)
			must(t, err)
			if len(names) != 3 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

// Every moment in the time to keep can be gone back to.
func TestRestoreFrom(t *testing.T) {
	t.Parallel()
	const keep = 40 * time.Second
	h := newHistory(t, Options{Segment: 2000, Snapshot: -1, Keep: keep})
	for n := range uint64(30) {
		h.write(n, 3)
		must(t, h.store.Snapshot(t.Context()))
	}
	segments, err := os.ReadDir(filepath.Join(h.dir, wal.LogDir))
	must(t, err)
	if segments[0].Name() == filepath.Base(wal.SegmentName(1)) {
		t.Error("nothing was pruned")
	}
	now := h.store.now()
	to := filepath.Join(t.TempDir(), "restored")
	for at := now; !at.Before(now.Add(-keep)); at = at.Add(-7 * time.Second) {
		s, err := Restore(t.Context(), to, RestoreOptions{
			From: h.dir,
			Point: archive.Point{
				At: at,
			},
			Now: now,
		})
		must(t, err)
		h.same(to, s, h.at(at))
		must(t, os.RemoveAll(to))
	}
	for name, p := range map[string]archive.Point{
		"before everything": {At: testTime}, "the future": {At: now.Add(time.Hour)},
		"pruned": {Seq: 1}, "not yet": {Seq: h.store.Seq() + 1},
	} {
		_, err := Restore(t.Context(), to, RestoreOptions{From: h.dir, Point: p, Now: now})
		if !errors.Is(err, archive.ErrReach) ||
			!strings.Contains(err.Error(), "it reaches from transaction") {
			t.Errorf("%s: error %v, want one that says the reach", name, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s: something was restored", name)
		}
	}
}

// The end of a log that is being written to, or that a crash tore.
func TestCutAtTheEnd(t *testing.T) {
	t.Parallel()
	_, log, lines := written(t, 2, 3)
	tests := []struct {
		name string
		log  []byte
		seq  uint64
		size int
		err  string
	}{
		{"whole", log, 5, len(log), ""},
		{"nothing", nil, 0, 0, ""},
		{"half a line of a new batch", log[:lines[2]+40], 2, lines[2], ""},
		{"a few bytes of a line", log[:lines[2]+4], 2, lines[2], ""},
		{"half a line of a batch that has begun", log[:lines[4]+40], 4, lines[4], ""},
		{"without the newline", log[:len(log)-1], 5, len(log) - 1, ""},
		{
			"zeros",
			append(slices.Clone(log[:lines[2]]), make([]byte, 512-lines[2]%512)...),
			2,
			lines[2],
			"",
		},
		{
			"one byte gone bad",
			bytes.Replace(log, []byte(`"seq":3`), []byte(`"seq":4`), 1),
			0,
			0,
			"checksum",
		},
		{"one zero", zero(log, lines[2]+9, lines[2]+10), 0, 0, "NUL"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := newMemFiles()
			m.put(firstSegment, test.log)
			all, err := wal.ListFiles(m)
			must(t, err)
			c, err := archive.Cut(m, all, archive.Point{}, testTime, nil)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error %v, want %q", err, test.err)
				}
				return
			}
			must(t, err)
			to := newMemFiles()
			must(t, c.Copy(t.Context(), m, to))
			size := len(to.at(firstSegment))
			if c.Seq != test.seq || size != test.size {
				t.Errorf(
					"transaction %d and %d bytes, want %d and %d",
					c.Seq,
					size,
					test.seq,
					test.size,
				)
			}
		})
	}
}

// fullTarget is a file on a disk with a number of bytes left.
type fullTarget struct {
	*os.File
	left int
}

func (f *fullTarget) Write(b []byte) (int, error) {
	if len(b) > f.left {
		return 0, syscall.ENOSPC
	}
	f.left -= len(b)
	return f.File.Write(b)
}

// Whatever fails, there is an error, and no archive of less than all.
func TestBackupFailures(t *testing.T) {
	t.Parallel()
	l, m := daily(t, 4*day, 9)
	pack := func(m *memFiles, left int) ([]byte, error) {
		f, err := os.CreateTemp(t.TempDir(), "")
		must(t, err)
		defer f.Close()
		if err := (BackupOptions{
			Now: l.now(),
		}).pack(t.Context(), m, &fullTarget{f, left}); err != nil {
			return nil, err
		}
		return os.ReadFile(f.Name())
	}
	want, err := pack(m, 1<<20)
	must(t, err)
	for left := 0; left < len(want); left += 997 {
		if _, err := pack(m, left); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes left: error %v", left, err)
		}
	}
	for n := 1; ; n++ {
		m := m.crash(none, 0)
		m.failAt = n
		got, err := pack(m, 1<<20)
		if m.ops < n {
			break
		}
		// An unreadable snapshot counts as damaged: an older snapshot takes its place.
		if err == nil && !bytes.Equal(got, want) {
			_, err = Restore(t.Context(), filepath.Join(t.TempDir(), "r"), RestoreOptions{
				Archive: bytes.NewReader(got),
			})
			must(t, err)
		} else if err != nil && !errors.Is(err, errInjected) {
			t.Errorf("operation %d: %v", n, err)
		}
	}
	dir := t.TempDir()
	for name, o := range map[string]BackupOptions{
		"no directory": {
			Dir: filepath.Join(dir, "none"),
		},
		"no log": {
			Dir: dir,
		},
	} {
		if _, err := Backup(t.Context(), filepath.Join(dir, "a.tar"), o.Pack); err == nil ||
			!strings.HasPrefix(err.Error(), "store: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// A cancelled backup or restore leaves no files behind, and the older archive as it was.
func TestBackupCanceled(t *testing.T) {
	t.Parallel()
	h := newHistory(t, Options{})
	h.write(1, 20)
	dir := t.TempDir()
	file := filepath.Join(dir, "a.tar")
	must(t, os.WriteFile(file, []byte("the one before"), 0o600))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrUnexpectedEOF)
	if _, err := Backup(ctx, file, BackupOptions{
		Dir: h.dir,
	}.Pack); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	if _, err := Restore(ctx, filepath.Join(dir, "new"), RestoreOptions{
		From: h.dir,
	}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
	names, err := os.ReadDir(dir)
	must(t, err)
	if text, err := os.ReadFile(file); err != nil || string(text) != "the one before" ||
		len(names) != 1 {
		t.Errorf("%q, %v, and left behind: %v", text, err, names)
	}
	if s := h.backup(file); s.Seq != h.store.Seq() { // in the place of the one before
		t.Errorf("transaction %d, want %d", s.Seq, h.store.Seq())
	}
}
