// A disk that has room again, but little.

package store

import (
	"errors"
	"slices"
	"syscall"
	"testing"
)

// As long as a disk has room for some lines, and not for the largest request, the
// log is left as the failure left it.
func TestReopenWithLittleRoom(t *testing.T) {
	t.Parallel()
	l, m, j := failing(t, 2, 4, kept)
	m.most = map[string]int64{"probe": 1<<20 - 1}
	before := m.at(lastSegment(t, m))
	if err := l.reopen(j); !errors.Is(err, syscall.ENOSPC) || !IsPassing(j.Failed()) {
		t.Errorf("error %v, and %v from now on", err, j.Failed())
	}
	equal(t, "the log has changed", string(before), string(m.at(lastSegment(t, m))))
	m.most["probe"]++
	must(t, l.reopen(j), l.commit(j, 1))
	names, err := m.ReadDir(".")
	must(t, err)
	if slices.Contains(names, "probe") {
		t.Error("the probe is still there")
	}
	l.finish(m.crash(none, 0))
}
