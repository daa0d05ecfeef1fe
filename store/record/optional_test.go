// Optional members of events in a row.

package record

import (
	"testing"
	"unsafe"
)

// Events in a row with the same optional members share one text, and every other event has its
// own.
func TestMoreWriter(t *testing.T) {
	made := func(before more, state, value string) *Event {
		e := &Event{State: state}
		e.More = before
		e.CustomFields = CustomFields{{Key: "a", Value: value}}
		return e
	}
	var w MoreWriter
	var last *Event
	for i, test := range []struct {
		event  *Event
		shares bool
	}{
		{made("", Canceled, "x"), false},
		{made("", Canceled, "x"), true},
		{made("", Postponed, "x"), false},
		{made("", Postponed, "y"), false},
		{made(`{"colour":1}`, Postponed, "y"), false},
		{made(`{"colour":1}`, Postponed, "y"), true},
		{made("", Postponed, "y"), false},
	} {
		alone := *test.event
		must(t, WriteMore(&alone), w.Write(test.event))
		equal(t, "text", alone.More, test.event.More)
		if last != nil {
			one := unsafe.StringData(string(last.More))
			other := unsafe.StringData(string(test.event.More))
			if (one == other) != test.shares {
				t.Errorf("event %d: the same text: %t", i, one == other)
			}
		}
		last = test.event
	}
}
