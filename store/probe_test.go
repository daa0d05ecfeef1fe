// A disk that has room again, but little.

package store

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cramped is files of which the probe may have so many bytes.
type cramped struct {
	*memFiles
	room int64
}

func (c *cramped) create(name string) (file, error) {
	f, err := c.memFiles.create(name)
	if err == nil && name == probeName {
		f = crampedFile{f, c}
	}
	return f, err
}

type crampedFile struct {
	file
	disk *cramped
}

func (f crampedFile) WriteAt(b []byte, at int64) (int, error) {
	if fits := f.disk.room - at; fits < int64(len(b)) {
		n, err := f.file.WriteAt(b[:max(0, fits)], at)
		return n, errors.Join(err, errInjected)
	}
	return f.file.WriteAt(b, at)
}

// As long as a disk has room for some lines, and not for the largest request, the
// log is left as the failure left it.
func TestReopenWithLittleRoom(t *testing.T) {
	t.Parallel()
	l, m, j := failing(t, 2, 4, kept)
	disk := &cramped{m, probeSize - 1}
	j.fsys = disk
	before := m.at(segmentName(j.first))
	if err := l.reopen(j); !errors.Is(err, errInjected) || !IsPassing(j.failed) {
		t.Errorf("error %v, and %v from now on", err, j.failed)
	}
	if diff := cmp.Diff(string(before), string(m.at(segmentName(j.first)))); diff != "" {
		t.Errorf("the log has changed (-before +after):\n%s", diff)
	}
	disk.room++
	must(t, l.reopen(j), l.commit(j, 1))
	names, err := m.readDir(".")
	must(t, err)
	if slices.Contains(names, probeName) {
		t.Error("the probe is still there")
	}
	l.finish(m.crash(none, 0))
}
