package admission

import (
	"bytes"
	"context"
	"testing"
)

// A thousand uploads at once have as much memory as the budget of bodies says: all others are
// refused.
func TestUploadsShareMemory(t *testing.T) {
	limits := Default()
	b := New(&limits)
	body := make([]byte, 2<<20)
	inMemory := 0
	refused := 0
	var all []*Reservations
	for n := range 1000 {
		r := b.Reservations(context.Background())
		all = append(all, &r)
		switch text, err := r.Body(int64(1+n%5), bytes.NewReader(body), int64(len(body)), true); err {
		case nil:
			inMemory += 2 * cap(text) // with its copy
		case ErrBodies:
			refused++
		default:
			t.Fatal(err)
		}
		if used := b.bodyBudget.Used(); used > limits.BodyBytes || int64(inMemory) > used {
			t.Fatalf(
				"upload %d: %d bytes are counted, %d are in memory, and %d may be",
				n,
				used,
				inMemory,
				limits.BodyBytes,
			)
		}
	}
	if inMemory < 32<<20 || refused == 0 {
		t.Errorf("%d bytes are in memory, and %d uploads were refused", inMemory, refused)
	}
	for _, r := range all {
		r.End()
	}
	if used := b.bodyBudget.Used(); used != 0 {
		t.Errorf("%d bytes are counted at the end", used)
	}
}
