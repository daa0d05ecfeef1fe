// Making a copy anew in the place of another one.

package store

import (
	"io"
	"path"
	"slices"
	"strings"
	"testing"
	"time"
)

// stocked returns a disk with a store that has some snapshots, and a users file.
func stocked(t *testing.T, names ...string) (*memFiles, position) {
	t.Helper()
	disk := newMemFiles()
	s := on(t, Options{Snapshot: -1, Segment: 1, Keep: -1, Now: func() time.Time { return testTime }}, disk)
	for _, name := range names {
		put(t, s, category(name, 0))
		must(t, s.Snapshot(t.Context()))
	}
	at := s.State().at
	must(t, s.Close(), writeFile(disk, usersName, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(names, ","))
		return err
	}))
	return disk.crash(all, 0), at
}

// place copies the files of a disk below a directory of another one.
func (m *memFiles) place(t *testing.T, dir string, from *memFiles) {
	t.Helper()
	for _, name := range from.walk() {
		name := path.Join(dir, name)
		var dirs []string
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			dirs = append(dirs, d)
		}
		for _, d := range slices.Backward(dirs) {
			_ = m.mkdir(d) // it may be there
		}
		text, err := readFile(from, strings.TrimPrefix(name, dir+"/"))
		must(t, err, writeFile(m, name, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}))
	}
}

// Whenever the process dies, the directory has the former copy, or none, or the new one;
// no file of the former copy is lost; and who comes next puts the new one in its place.
func TestExchange(t *testing.T) {
	t.Parallel()
	former, was := stocked(t, "A", "B")
	next, is := stocked(t, "C", "D", "E")
	begun, done := 0, 0
	for at, finished := 1, false; !finished; at++ {
		disk := former.crash(all, 0)
		disk.place(t, renewName, next)
		disk = disk.crash(all, 0)
		disk.dieAt = disk.ops + at
		finished = exchange(disk, "until-4") == nil
		for _, how := range []survival{none, all} {
			left := disk.crash(how, uint64(at))
			for _, name := range former.walk() {
				want, err := readFile(former, name)
				must(t, err)
				if name == lockName {
					continue
				}
				got, _ := readFile(left, name)
				aside, _ := readFile(left, "until-4/"+name)
				if string(got) != string(want) && string(aside) != string(want) {
					t.Errorf("step %d: %s is neither where it was nor aside", at, name)
				}
			}
			names, err := left.readDir(".")
			must(t, err)
			if !slices.Contains(names, logDir) {
				begun++
				for _, name := range left.walk() { // as Renew removes what it finds there
					if strings.HasPrefix(name, renewName+"/") {
						must(t, left.remove(name))
					}
				}
				left.place(t, renewName, next)
				must(t, exchange(left, "without-log"))
			}
			s := on(t, Options{Follow: first}, left)
			switch s.State().at {
			case is:
				done++
			case was:
			default:
				t.Errorf("step %d: the store is at %+v", at, s.State().at)
			}
			must(t, s.Close())
			if _, found := verified(t, left, ""); len(found) > 0 {
				t.Errorf("step %d: %v", at, found)
			}
		}
	}
	if begun == 0 || done == 0 {
		t.Errorf("%d times there was no store, %d times the new one", begun, done)
	}
}

// A directory that another process has open stays as it is, and so does one whose former
// copy would have no place.
func TestRenewRefuses(t *testing.T) {
	t.Parallel()
	h := newHistory(t, Options{Segment: 1 << 10, Snapshot: -1})
	h.write(1, 10)
	before := logText(t, h.dir)
	archive, err := packed(h.store)
	must(t, err)
	for _, open := range []bool{true, false} {
		if !open {
			must(t, h.store.Close())
		}
		_, err := Renew(t.Context(), h.dir, "log", RestoreOptions{Archive: archive, Follow: true})
		want := map[bool]string{true: "in use by another almanac", false: "file exists"}[open]
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if string(logText(t, h.dir)) != string(before) {
			t.Error("the log is another")
		}
	}
}
