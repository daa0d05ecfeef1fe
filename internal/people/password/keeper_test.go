// Tests of the memory of a Keeper, and of its limit.

package password_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"almanac/internal/people/limit"
	"almanac/internal/people/password"
)

// compare compares without being refused.
func compare(t *testing.T, k *password.Keeper, stored, text string) bool {
	t.Helper()
	right, err := k.Compare(t.Context(), "", stored, text)
	if err != nil {
		t.Fatal(err)
	}
	return right
}

// The answer is the same before and after something was remembered, by whom it
// was stored, and whether it is hashed.
func TestCompare(t *testing.T) {
	t.Parallel()
	hashing := password.NewKeeper(few)
	remembered, err := hashing.Hash(t.Context(), "", "one")
	if err != nil {
		t.Fatal(err)
	}
	for name, stored := range map[string]string{
		"hashed elsewhere": password.NewKeeper(few).HashNow("one"),
		"hashed here":      remembered,
		"plain":            "one",
	} {
		k := hashing
		for round := range 3 {
			for text, want := range map[string]bool{
				"one":    true,
				"One":    false,
				"":       false,
				"onetwo": false,
				stored:   stored == "one",
			} {
				if got := compare(t, k, stored, text); got != want {
					t.Errorf("%s, round %d: %q is %t", name, round, text, got)
				}
				taken := 0
				take := func() error { taken++; return nil }
				if err := k.Try(t.Context(), "", new(password.Attempt), stored, text, take, func(int) {}); err != nil {
					t.Fatal(err)
				}
				if got := taken == 0; got != !want {
					t.Errorf(
						"%s, round %d: that %q was wrong is known: %t",
						name,
						round,
						text,
						got,
					)
				}
			}
		}
	}
}

// The passwords of two events are independent.
func TestEventsAreApart(t *testing.T) {
	t.Parallel()
	k := password.NewKeeper(few)
	a := k.HashNow("one")
	b := k.HashNow("two")
	for range 2 {
		if !compare(t, k, a, "one") || !compare(t, k, b, "two") || compare(t, k, a, "two") ||
			compare(t, k, b, "one") {
			t.Fatal("the passwords of two events are mixed up")
		}
	}
}

// slow is a stored password that takes as long to work out as one may.
var slow = func() string {
	stored := password.NewKeeper(few).HashNow("x")
	return "$pbkdf2-sha256$i=10000000" + stored[len("$pbkdf2-sha256$i=3"):]
}()

// A comparison without a turn waits. It ends when its client has gone, and is refused if too many
// wait. Every turn is returned.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := password.NewKeeper(few)
		ctx, leave := context.WithCancel(t.Context())
		working := max(1, runtime.GOMAXPROCS(0)/2)
		busy := make(chan struct{})
		var turns sync.WaitGroup
		for range working {
			turns.Go(func() { k.HoldTurn(busy) })
		}
		synctest.Wait()
		var waiting sync.WaitGroup
		left := make(chan error, password.MaxWaiting)
		for i := range password.MaxWaiting {
			waiting.Go(func() {
				_, err := k.Compare(ctx, i, slow, fmt.Sprint(i))
				left <- err
			})
		}
		synctest.Wait()
		if _, err := k.Compare(t.Context(), "", slow, "one more"); !errors.Is(err, limit.ErrBusy) {
			t.Errorf("one more than may wait: %v", err)
		}
		if _, err := k.Hash(t.Context(), "", "new"); !errors.Is(err, limit.ErrBusy) {
			t.Errorf("a new one beside them: %v", err)
		}
		leave()
		waiting.Wait()
		close(left)
		for err := range left {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("one whose client had gone: %v", err)
			}
		}
		close(busy)
		turns.Wait()
		if _, err := k.Hash(t.Context(), "", "new"); err != nil {
			t.Errorf("after all that: %v", err)
		}
	})
}

// One client leaves places to wait to others, and a client that has gone gets no turn.
func TestShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := password.NewKeeper(few)
		ctx, leave := context.WithCancel(t.Context())
		busy := make(chan struct{})
		var others sync.WaitGroup
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			others.Go(func() { k.HoldTurn(busy) })
		}
		synctest.Wait()
		refused := 0
		var clients sync.WaitGroup
		hash := func(client string) {
			if _, err := k.Hash(ctx, client, "x"); errors.Is(err, limit.ErrBusy) {
				refused++
			}
		}
		for range password.ClientWaiting + 3 {
			clients.Go(func() { hash("one") })
			synctest.Wait()
		}
		clients.Go(func() { hash("another") })
		synctest.Wait()
		if refused != 3 {
			t.Errorf(
				"%d are refused beside the %d of a client that may wait",
				refused,
				password.ClientWaiting,
			)
		}
		leave()
		clients.Wait()
		close(busy)
		others.Wait()
		if _, err := k.Hash(ctx, "one", "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("one whose client had gone before: %v", err)
		}
	})
}

// Remembered results need no turn.
func TestKnownNeedsNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := password.NewKeeper(few)
		stored, err := k.Hash(t.Context(), "", "one")
		if err != nil {
			t.Fatal(err)
		}
		busy := make(chan struct{})
		var turns sync.WaitGroup
		for range max(1, runtime.GOMAXPROCS(0)/2) {
			turns.Go(func() { k.HoldTurn(busy) })
		}
		synctest.Wait()
		if !compare(t, k, stored, "one") || compare(t, k, stored, "two") ||
			!compare(t, k, "plain", "plain") {
			t.Error("an answer from memory is wrong")
		}
		close(busy)
		turns.Wait()
	})
}
