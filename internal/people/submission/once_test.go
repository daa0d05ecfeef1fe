package submission

import (
	"strconv"
	"testing"
	"time"
)

// Forms are remembered for an hour, and no more than some at a time: the memory shows nowhere
// else.
func TestFormsKept(t *testing.T) {
	t.Parallel()
	start := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	now := start
	var forms Once
	made := int64(0)
	send := func(key string) int64 {
		id, _ := forms.Do(key, now, func() (int64, error) {
			made++
			return made, nil
		})
		return id
	}
	first := send("first")
	now = start.Add(formsTime)
	send("another")
	if again := send("first"); again != first {
		t.Errorf("a form that is sent again within an hour makes event %d after %d", again, first)
	}
	now = start.Add(formsTime + time.Second)
	send("a third")
	if again := send("first"); again == first {
		t.Error("a form is remembered for more than an hour")
	}
	for n := range formsMost + 10 {
		send(strconv.Itoa(n))
	}
	if n := len(forms.known); n > formsMost {
		t.Errorf("%d forms are remembered, want %d at most", n, formsMost)
	}
}
