// Package follow keeps a copy of another server's log and accounts: a standby, and a
// server for readers.
//
//	f := follow.New(follow.Options{Store: st, First: first, Name: "https://first.example.org", …})
//	err := f.Run(ctx)
//
// The first server is asked for what comes after the last line that is here, whose hash
// proves that the two logs are the same until there; it answers as soon as there is
// something. Package store holds every line to the chain before it is written. A server
// that cannot be reached is tried again and again, ever more seldom and at moments that
// chance chooses, so that many followers do not come at once. Logs that are not
// beginnings of one another end it: which of them is right is for people to say.
package follow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/store"
)

// How long it waits before it asks a server again that did not answer: twice as long
// each time. pause is also how long it waits after an answer without a line that came
// at once.
const (
	pause    = time.Second
	pauseMax = 30 * time.Second
)

// A Piece is what the first server answers.
type Piece struct {
	Lines    []byte // of its log, none after a while without any
	Seq      uint64 // of the last one that it has
	Accounts string // SHA-256 of its users file in hexadecimal digits
}

// A First is the server that is followed.
type First interface {
	Log(ctx context.Context, after uint64, head string) (Piece, error)
	Archive(ctx context.Context) (io.ReadCloser, error)
	Accounts(ctx context.Context) ([]byte, error)
}

// A RefusedError is an answer that no other will follow unless somebody does something:
// the token has no right, or there is no almanac at the address.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// Options says what is followed and where the copy is. All are needed.
type Options struct {
	Store    *store.Store
	First    First
	Name     string                                       // of the first server: its address
	Dir      string                                       // of the store, for messages
	Accounts []byte                                       // the users file that is here
	Replace  func(ctx context.Context, text []byte) error // puts another in its place
	Elapsed  func() time.Duration                         // a clock that nobody sets
	Log      *slog.Logger
}

// A Follower keeps a copy.
type Follower struct {
	Options
	accounts string // SHA-256 of the users file that is here
	met      bool   // the first server has answered before
	received bool   // it has answered the last question: what is wrong then is here

	mu       sync.Mutex // guards what follows
	lag      Lag
	complete bool          // the log was told that nothing is missing, since the first server was there
	last     time.Duration // when nothing was missing
}

// A Lag says how much may be missing here.
type Lag struct {
	Connected bool          // the first server answers
	Behind    uint64        // transactions of it that are not here, as far as is known
	Time      time.Duration // since nothing was missing
}

// New makes a follower, which follows while Run runs.
func New(o Options) *Follower {
	return &Follower{Options: o, accounts: sumOf(o.Accounts), last: o.Elapsed()}
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Lag returns how much may be missing.
func (f *Follower) Lag() Lag {
	f.mu.Lock()
	defer f.mu.Unlock()
	lag := f.lag
	if !lag.Connected || lag.Behind > 0 {
		lag.Time = f.Elapsed() - f.last
	}
	return lag
}

// Run follows until ctx ends, when it returns nil, or until it cannot go on: the error
// says what to do then, and nothing was changed.
func (f *Follower) Run(ctx context.Context) error {
	wait := pause
	for {
		began := f.Elapsed()
		lines, err := f.step(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && f.isFinal(err):
			return f.explain(err)
		case err != nil:
			f.lost(err, wait)
			if !sleep(ctx, wait/2+rand.N(wait/2+1)) {
				return nil
			}
			wait = min(2*wait, pauseMax)
		default:
			wait = pause
			if lines == 0 && f.Elapsed()-began < pause && !sleep(ctx, pause) {
				return nil
			}
		}
	}
}

// sleep waits, and reports whether ctx has not ended.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// step asks once and takes what comes. It returns how many bytes of lines that were.
func (f *Follower) step(ctx context.Context) (int, error) {
	state := f.Store.State()
	head := state.Head()
	f.received = false
	piece, err := f.First.Log(ctx, state.Seq(), hex.EncodeToString(head[:]))
	if err != nil {
		return 0, err
	}
	f.met = true
	f.found(piece.Seq)
	if piece.Accounts != "" && piece.Accounts != f.accounts {
		if err := f.takeAccounts(ctx); err != nil {
			return 0, fmt.Errorf("the accounts: %w", err)
		}
	}
	if len(piece.Lines) > 0 {
		f.received = true
		if err := f.Store.Append(piece.Lines, func() (io.ReadCloser, error) { return f.First.Archive(ctx) }); err != nil {
			return 0, err
		}
		f.found(piece.Seq)
	}
	return len(piece.Lines), nil
}

// takeAccounts takes the users file over.
func (f *Follower) takeAccounts(ctx context.Context) error {
	text, err := f.First.Accounts(ctx)
	if err == nil {
		err = f.Replace(ctx, text)
	}
	if err == nil {
		f.accounts = sumOf(text)
	}
	return err
}

// found notes what the last transaction of the first server is.
func (f *Follower) found(seq uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.lag
	f.lag = Lag{Connected: true, Behind: seq - min(seq, f.Store.Seq())}
	if f.lag.Behind > 0 {
		if !before.Connected {
			f.Log.Info("following", "first", f.Name, "behind", f.lag.Behind)
		}
		return
	}
	if missed := f.Elapsed() - f.last; !f.complete || missed > 10*pause && before.Behind > 0 {
		f.complete = true
		f.Log.Info("the copy is complete", "first", f.Name, "seq", seq, "behind", 0, "missed", missed.Round(time.Millisecond))
	}
	f.last = f.Elapsed()
}

// lost notes that the copy cannot go on for now, since the first server is lost, or has sent
// what could not be stored.
func (f *Follower) lost(err error, wait time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lag.Connected && !f.received {
		if f.lag.Behind == 0 {
			f.last = f.Elapsed()
		}
		f.lag.Connected, f.complete = false, false
	}
	f.Log.Warn("the first server cannot be followed for now", "first", f.Name, "err", err, "behind", f.lag.Behind,
		"lag", (f.Elapsed() - f.last).Round(time.Millisecond), "again", wait)
}

// isFinal reports whether trying again does not help. A server that was followed may come
// back, whatever answers in its place meanwhile.
func (f *Follower) isFinal(err error) bool {
	var refused *RefusedError
	var corrupt *store.CorruptError
	for _, final := range []error{store.ErrDiverged, store.ErrPruned, store.ErrNewer, store.ErrNotOwn, store.ErrClosed} {
		if errors.Is(err, final) {
			return true
		}
	}
	return errors.As(err, &refused) && !f.met || errors.Is(err, store.ErrLatched) && errors.As(err, &corrupt)
}

// explain says what to do.
func (f *Follower) explain(err error) error {
	switch {
	case errors.Is(err, store.ErrDiverged):
		state := f.Store.State()
		return fmt.Errorf("the log in %s, which ends with transaction %d and the head %x, is not the beginning of the log of %s: one of the "+
			"two was restored from an older state, or took changes of its own (%w). Nothing was changed here. almanac log -data %s shows "+
			"what is in this one. If the first server is right, move the directory away and start again: the copy begins anew. If this one "+
			"is right, stop the first server and start serve here", f.Dir, state.Seq(), state.Head(), f.Name, err, f.Dir)
	case errors.Is(err, store.ErrPruned):
		return fmt.Errorf("%s has removed what comes after transaction %d, as its -keep says: the copy in %s was away for too long. "+
			"Nothing was changed. Start again: another copy is taken, and this one is kept in a directory below", f.Name, f.Store.Seq(), f.Dir)
	case errors.Is(err, store.ErrNewer):
		return fmt.Errorf("%s: %w for the copy, too", f.Name, err)
	}
	return err
}
