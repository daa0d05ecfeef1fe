package desk

import (
	"strconv"
	"testing"
	"time"

	"almanac/internal/api"
)

// Forms are remembered for an hour, and no more than some at a time: the memory shows nowhere
// else.
func TestFormsKept(t *testing.T) {
	t.Parallel()
	start := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	p := &page{Call: &api.Call{Server: &api.Server{}}}
	p.Now = start
	made := int64(0)
	send := func(key string) int64 {
		id, _ := p.once(key, func() (int64, error) {
			made++
			return made, nil
		})
		return id
	}
	first := send("first")
	p.Now = start.Add(formsTime)
	send("another")
	if again := send("first"); again != first {
		t.Errorf("a form that is sent again within an hour makes event %d after %d", again, first)
	}
	p.Now = start.Add(formsTime + time.Second)
	send("a third")
	if again := send("first"); again == first {
		t.Error("a form is remembered for more than an hour")
	}
	for n := range formsMost + 10 {
		send(strconv.Itoa(n))
	}
	kept, _ := p.Memo.Load(formsKey{})
	if n := len(kept.(*forms).known); n > formsMost {
		t.Errorf("%d forms are remembered, want %d at most", n, formsMost)
	}
}
