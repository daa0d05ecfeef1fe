// Repeated comparisons: the memory of results, and the limit of concurrent computations.

package password

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"runtime"

	"almanac/internal/people/limit"
	"almanac/store/cache"
)

const (
	// remembered is how many bytes the memory of each kind may take: that of some
	// thousand events.
	remembered = 2 << 20
	// maxWaiting is how many may wait for a turn: more would wait for longer than
	// clients do.
	maxWaiting = 32
	// clientWaiting is how many of them may be of one client.
	clientWaiting = maxWaiting / 2
)

// A Keeper hashes passwords and compares them. It works each one out once: then
// it remembers the keyed hash of the right password of an event, which decides
// about every other text at once. Texts that were wrong before are remembered as
// well. Few are worked out at the same time, so that guessing leaves processors
// to others. Clients take turns; a client is a value of any comparable type.
//
// It is safe for concurrent use.
type Keeper struct {
	iterations int
	key        [sha256.Size]byte                         // of this process
	right      *cache.Cache[string, [sha256.Size]byte]   // by stored hash: the digest of the password
	wrong      *cache.Cache[[sha256.Size]byte, struct{}] // digests of stored hash and text
	places     *limit.Budget[any]                        // to wait or to work, by client
	turns      *limit.Budget[any]                        // to work
}

// NewKeeper returns a Keeper whose new hashes have a number of iterations: Iterations, or fewer in
// tests.
func NewKeeper(iterations int) *Keeper {
	working := max(1, runtime.GOMAXPROCS(0)/2)
	k := &Keeper{
		iterations: iterations,
		right:      cache.New[string, [sha256.Size]byte](remembered),
		wrong:      cache.New[[sha256.Size]byte, struct{}](remembered),
		places: limit.NewBudget(
			int64(working+maxWaiting),
			func(any) int64 { return clientWaiting },
			0,
		),
		turns: limit.NewTurns[any](working, maxWaiting),
	}
	rand.Read(k.key[:])
	return k
}

// digest is the keyed hash of texts.
func (k *Keeper) digest(texts ...string) (sum [sha256.Size]byte) {
	mac := hmac.New(sha256.New, k.key[:])
	for _, text := range texts {
		one := sha256.Sum256([]byte(text)) // so that texts cannot run into each other
		mac.Write(one[:])
	}
	return [sha256.Size]byte(mac.Sum(nil))
}

// HashNow returns what is to be stored of a password: itself if it is a hash already
// or none at all, else its hash. It waits for nobody; it is for those who cannot.
func (k *Keeper) HashNow(stored string) string {
	if stored == "" || IsHash(stored) {
		return stored
	}
	return newHash(stored, k.iterations)
}

// work runs f in a turn of a client. The error is limit.ErrBusy or that of the context.
func (k *Keeper) work(ctx context.Context, client any, f func()) error {
	place := k.places.Hold(client)
	defer place.End()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case place.Grow(ctx, 1) != nil:
		return limit.ErrBusy
	}
	return k.turns.Do(ctx, client, f)
}

// Hash hashes a new password, whatever its text, and remembers it. The error is
// limit.ErrBusy or that of the context.
func (k *Keeper) Hash(ctx context.Context, client any, text string) (stored string, err error) {
	err = k.work(ctx, client, func() { stored = newHash(text, k.iterations) })
	if err == nil {
		k.right.Put(stored, k.digest(text), int64(len(stored)))
	}
	return stored, err
}

// wasWrong reports whether a text is known not to be a stored password because
// it was compared before. It costs nothing and tells nothing new.
func (k *Keeper) wasWrong(stored, text string) bool {
	_, was := k.wrong.Lookup(k.digest(stored, text))
	return was
}

// known reports whether Compare answers from memory.
func (k *Keeper) known(stored, text string) bool {
	_, known := k.right.Lookup(stored)
	return known || !IsHash(stored) || k.wasWrong(stored, text)
}

// Compare reports whether a text is a stored password. The error is ErrBusy or
// that of the context.
func (k *Keeper) Compare(
	ctx context.Context,
	client any,
	stored, text string,
) (right bool, err error) {
	right, known := k.recall(stored, text)
	if known {
		return right, nil
	}
	err = k.work(ctx, client, func() {
		// Others may have waited for the same answer.
		if right, known = k.recall(stored, text); !known {
			right = Matches(stored, text)
			k.remember(stored, text, right)
		}
	})
	return right, err
}

// recall decides from memory, if that knows enough.
func (k *Keeper) recall(stored, text string) (right, known bool) {
	if k.wasWrong(stored, text) {
		return false, true
	}
	digest, known := k.right.Lookup(stored)
	switch {
	case !IsHash(stored):
		right = Matches(stored, text)
		known = true
	case known:
		sent := k.digest(text)
		right = subtle.ConstantTimeCompare(digest[:], sent[:]) == 1
	}
	if known && !right {
		k.remember(stored, text, false)
	}
	return right, known
}

// remember notes an answer.
func (k *Keeper) remember(stored, text string, right bool) {
	if right {
		k.right.Put(stored, k.digest(text), int64(len(stored)))
	} else {
		k.wrong.Put(k.digest(stored, text), struct{}{}, sha256.Size)
	}
}
