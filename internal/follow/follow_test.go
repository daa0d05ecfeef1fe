package follow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/store"
)

// A scripted server answers what a test says.
type scripted struct {
	store *store.Store // that is followed
	log   func(after uint64, head string) (Piece, error)
	asked []time.Duration // when it was asked, since the start
	began time.Time
}

func (s *scripted) Log(ctx context.Context, after uint64, head string) (Piece, error) {
	s.asked = append(s.asked, time.Since(s.began))
	return s.log(after, head)
}

func (s *scripted) Archive(context.Context) (io.ReadCloser, error) {
	return nil, errors.New("no archive")
}

func (s *scripted) Accounts(context.Context) ([]byte, error) { return []byte(`{"users":[]}`), nil }

// follow follows a scripted server for a time, and returns what was logged.
func follow(t *testing.T, s *scripted, long time.Duration) (*Follower, *store.Store, string, error) {
	t.Helper()
	open := func(o store.Options) *store.Store {
		o.Dir = t.TempDir()
		st, err := store.Open(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := errors.Join(st.Close(), st.Check()); err != nil {
				t.Error(err)
			}
		})
		return st
	}
	s.store = open(store.Options{})
	copied := open(store.Options{Follow: "https://first.example.org"})
	s.began = time.Now()
	var logged bytes.Buffer
	f := New(Options{Store: copied, First: s, Name: "https://first.example.org", Dir: "copy", Log: slog.New(slog.NewTextHandler(&logged, nil)),
		Elapsed: func() time.Duration { return time.Since(s.began) },
		Replace: func(context.Context, []byte) error { return nil }})
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	err := f.Run(ctx)
	return f, copied, logged.String(), err
}

func (s *scripted) put(t *testing.T, slug string) {
	t.Helper()
	err := s.store.Update(1, func(tx *store.Tx) error { return tx.Put(&store.Term{Taxonomy: store.Tags, Name: slug, Slug: slug}) })
	if err != nil {
		t.Fatal(err)
	}
}

// A server that does not answer is asked ever more seldom, at moments that differ; as soon
// as it answers, the copy is complete. Meanwhile the lag is known.
func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{}
		s.log = func(after uint64, head string) (Piece, error) {
			if len(s.asked) < 12 {
				return Piece{}, errors.New("nobody is there")
			}
			if after == 0 {
				s.put(t, "a")
			} else {
				time.Sleep(10 * time.Second) // as a server waits for something to come
			}
			text, err := s.store.Tail(after, head, 1<<20)
			return Piece{Lines: text, Seq: s.store.Seq()}, err
		}
		f, copied, logged, err := follow(t, s, 10*time.Minute)
		if err != nil || copied.Seq() != 1 {
			t.Errorf("the copy ends with %d, %v", copied.Seq(), err)
		}
		for i := 1; i < 12; i++ {
			wait, most := s.asked[i]-s.asked[i-1], min(pause<<(i-1), pauseMax)
			if wait < most/2 || wait > most+time.Millisecond {
				t.Errorf("it waited %v before attempt %d, want between half of %v and that", wait, i+1, most)
			}
		}
		if lag := f.Lag(); !lag.Connected || lag.Behind != 0 || lag.Time != 0 {
			t.Errorf("the lag is %+v", lag)
		}
		if !strings.Contains(logged, "nobody is there") || !strings.Contains(logged, "the copy is complete") {
			t.Errorf("the log says:\n%s", logged)
		}
	})
}

// A server that answers at once and with nothing is not asked without a pause.
func TestNothingAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{log: func(uint64, string) (Piece, error) { return Piece{}, nil }}
		if _, _, _, err := follow(t, s, time.Minute); err != nil || len(s.asked) > 61 {
			t.Errorf("asked %d times in a minute, %v", len(s.asked), err)
		}
	})
}

// What cannot get better by itself ends it, with what to do; what can does not.
func TestFinal(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		says string // "" goes on
	}{
		"diverged":     {fmt.Errorf("409: %w", store.ErrDiverged), "move the directory away"},
		"pruned":       {fmt.Errorf("410: %w", store.ErrPruned), "away for too long"},
		"newer":        {store.ErrNewer, "written by a newer almanac"},
		"refused":      {&RefusedError{"no right"}, "no right"},
		"out of reach": {io.ErrUnexpectedEOF, ""},
		"a full disk":  {store.ErrLatched, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{log: func(uint64, string) (Piece, error) { return Piece{}, test.err }}
				_, copied, _, err := follow(t, s, time.Minute)
				if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
					t.Errorf("it ends with %v, want %q", err, test.says)
				}
				if copied.Seq() != 0 {
					t.Error("something was written")
				}
			})
		})
	}
}

// Lines that are none are not taken, and the server is asked again: a proxy may have
// answered in its place.
func TestLies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{log: func(uint64, string) (Piece, error) { return Piece{Lines: []byte("<html>\n"), Seq: 9}, nil }}
		f, copied, _, err := follow(t, s, time.Minute)
		if err != nil || copied.Seq() != 0 || f.Lag().Behind != 9 || f.Lag().Time < 30*time.Second || len(s.asked) < 3 {
			t.Errorf("%v, %d lines, %+v, asked %d times", err, copied.Seq(), f.Lag(), len(s.asked))
		}
	})
}
