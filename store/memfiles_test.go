// A data directory in memory that fails and crashes on demand.

package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
	"syscall"

	"almanac/store/wal"
)

var (
	errInjected = errors.New("injected failure")
	errDead     = errors.New("the process is dead")
)

// An outcome is the effect of a failing operation.
type outcome int

const (
	lost outcome = iota // nothing; a sync forgets what it should have written, as kernels do
	kept                // everything
	half                // of a write the first half; else as kept, and as lost for a sync
)

// A survival is the part of unsynced data that is on the disk after a crash.
type survival int

const (
	none survival = iota // nothing
	all                  // everything
	some                 // any of the sectors and of the directory entries
)

// memFiles counts its operations. Written data is seen at once and on the disk
// after a sync.
type memFiles struct {
	mu      sync.Mutex
	root    *memNode
	locked  bool
	ops     int
	changes int // how many operations were more than a look
	failAt  int // operation that fails, from 1
	failTo  int // all from it to this one fail; 0 is it alone
	outcome outcome
	dieAt   int // from this operation on nothing happens any more

	most     map[string]int64 // largest size of a file, by name; then the disk is full
	room     int64            // bytes that free returns
	roomless error            // or its error

	before func(op int) // each operation, if not nil; the machine stands still meanwhile
}

func newMemFiles() *memFiles { return &memFiles{root: newMemDir()} }

// crash returns what a machine finds that starts again after a crash.
func (m *memFiles) crash(s survival, seed uint64) *memFiles {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left(s, seed)
}

// left is crash for a machine that stands still.
func (m *memFiles) left(s survival, seed uint64) *memFiles {
	return &memFiles{root: m.root.crash(s, newLot(seed))}
}

// restart returns what a new process finds on the same machine, which stands
// still or has ended.
func (m *memFiles) restart() *memFiles {
	return &memFiles{root: m.root.clone(map[*memNode]*memNode{})}
}

// do counts a change and runs it, unless it has to fail and be lost.
func (m *memFiles) do(name string, run func(outcome) error) error {
	return m.look(name, func(o outcome) error {
		m.changes++
		return run(o)
	})
}

// look counts an operation that changes nothing and runs it, unless it has to
// fail and be lost.
func (m *memFiles) look(name string, run func(outcome) error) error {
	return m.count(name, func(o outcome) error {
		if o == lost {
			return nil
		}
		return run(o)
	})
}

// count counts an operation and runs it, telling it how to fail.
func (m *memFiles) count(name string, run func(outcome) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ops++
	if m.before != nil {
		m.before(m.ops)
	}
	switch {
	case m.dieAt > 0 && m.ops >= m.dieAt:
		return errDead
	case m.ops == m.failAt, m.ops > m.failAt && m.ops <= m.failTo:
		run(m.outcome)
		return fmt.Errorf("%s: %w", name, errInjected)
	}
	return run(kept)
}

// find returns a node, and the directory and name that it has or would have.
func (m *memFiles) find(name string) (dir *memNode, base string, node *memNode) {
	if name == "." {
		return nil, "", m.root
	}
	_, _, dir = m.find(path.Dir(name))
	if dir == nil || dir.entries == nil {
		return nil, "", nil
	}
	base = path.Base(name)
	return dir, base, dir.entries[base]
}

func (m *memFiles) existing(name string, dir bool) (*memNode, error) {
	_, _, n := m.find(name)
	if n == nil || dir != (n.entries != nil) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

// add makes a node where there is none.
func (m *memFiles) add(name string, n *memNode) error {
	dir, base, there := m.find(name)
	switch {
	case dir == nil:
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrNotExist}
	case there != nil:
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	dir.list(base, n)
	return nil
}

func (m *memFiles) Lock(name string) (wal.File, error) {
	l := memLock{&memFile{m: m, name: name}}
	return l, m.do(name, func(outcome) error {
		if m.locked {
			return ErrInUse
		}
		m.locked = true
		if l.node = m.root.entries[name]; l.node == nil {
			l.node = new(memNode)
			m.root.entries[name], m.root.onDisk[name] = l.node, l.node
		}
		return nil
	})
}

// Own implements files.
func (m *memFiles) Own(f wal.File, name string) (size int64, err error) {
	for wrapped, ok := f.(interface{ unwrap() wal.File }); ok; wrapped, ok = f.(interface{ unwrap() wal.File }) {
		f = wrapped.unwrap()
	}
	err = m.look(name, func(outcome) error {
		_, _, there := m.find(name)
		if there == nil || there != f.(*memFile).node {
			return fmt.Errorf("%s: %w", name, ErrNotOwn)
		}
		size = int64(len(there.data))
		return nil
	})
	return size, err
}

// set says which operations fail.
func (m *memFiles) set(failAt, failTo int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failAt = failAt
	m.failTo = failTo
}

type memLock struct{ *memFile }

func (l memLock) unwrap() wal.File { return l.memFile }

func (l memLock) Close() error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	l.m.locked = false
	return nil
}

func (m *memFiles) Open(name string) (wal.File, error) {
	f := &memFile{m: m, name: name}
	return f, m.look(name, func(outcome) (err error) {
		f.node, err = m.existing(name, false)
		return err
	})
}

func (m *memFiles) Edit(name string) (wal.File, error) { return m.Open(name) }

func (m *memFiles) Create(name string) (wal.File, error) {
	f := &memFile{m: m, name: name, node: new(memNode)}
	return f, m.do(name, func(outcome) error { return m.add(name, f.node) })
}

func (m *memFiles) Mkdir(name string) error {
	return m.do(name, func(outcome) error { return m.add(name, newMemDir()) })
}

func (m *memFiles) Rename(from, to string) error {
	return m.do(from, func(outcome) error {
		dir, base, n := m.find(from)
		if n == nil {
			return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
		}
		if err := m.add(to, n); err != nil {
			return err
		}
		dir.list(base, nil)
		return nil
	})
}

func (m *memFiles) Remove(name string) error {
	return m.do(name, func(outcome) error {
		dir, base, n := m.find(name)
		if n == nil {
			return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
		}
		if len(n.entries) > 0 {
			return &fs.PathError{Op: "remove", Path: name, Err: errors.New("not empty")}
		}
		dir.list(base, nil)
		return nil
	})
}

func (m *memFiles) ReadDir(name string) (names []string, err error) {
	err = m.look(name, func(outcome) error {
		n, err := m.existing(name, true)
		if err == nil {
			names = slices.Sorted(maps.Keys(n.entries))
		}
		return err
	})
	return names, err
}

func (m *memFiles) Size(name string) (size int64, err error) {
	err = m.do(name, func(outcome) error {
		n, err := m.existing(name, false)
		if err == nil {
			size = int64(len(n.data))
		}
		return err
	})
	return size, err
}

func (m *memFiles) SyncDir(name string) error {
	return m.do(name, func(o outcome) error {
		n, err := m.existing(name, true)
		if err == nil && o == kept {
			n.onDisk = maps.Clone(n.entries)
			n.unlisted = nil
		}
		return err
	})
}

func (m *memFiles) Free() (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.room, m.roomless
}

func (m *memFiles) Close() error { return nil }

// A memFile is an open file. It follows its node when that is renamed.
type memFile struct {
	m    *memFiles
	name string
	node *memNode
}

func (f *memFile) ReadAt(b []byte, at int64) (n int, err error) {
	err = f.m.look(f.name, func(outcome) error {
		if at >= int64(len(f.node.data)) {
			return io.EOF
		}
		if n = copy(b, f.node.data[at:]); n < len(b) {
			return io.EOF
		}
		return nil
	})
	return n, err
}

func (f *memFile) WriteAt(b []byte, at int64) (int, error) {
	n := len(b)
	if most, ok := f.m.most[f.name]; ok && at+int64(n) > most {
		return 0, &fs.PathError{Op: "write", Path: f.name, Err: syscall.ENOSPC}
	}
	err := f.m.do(f.name, func(o outcome) error {
		if o == half {
			n /= 2
		}
		f.node.change(memEdit{at, append([]byte{}, b[:n]...)})
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

func (f *memFile) Truncate(size int64) error {
	return f.m.do(f.name, func(outcome) error {
		f.node.change(memEdit{at: size})
		return nil
	})
}

func (f *memFile) Sync() error {
	return f.m.count(f.name, func(o outcome) error {
		f.m.changes++
		for _, e := range f.node.unsynced {
			if o == kept {
				f.node.disk = e.apply(f.node.disk)
			}
		}
		f.node.unsynced = nil // for good or bad
		return nil
	})
}

func (f *memFile) Close() error { return nil }

// at returns the bytes of a file as they are seen.
func (m *memFiles) at(name string) []byte {
	n, err := m.existing(name, false)
	if err != nil {
		return nil
	}
	return slices.Clone(n.data)
}

// put makes a durable file, with the directories above it.
func (m *memFiles) put(name string, data []byte) {
	if dir := path.Dir(name); dir != "." {
		m.Mkdir(dir)
		m.SyncDir(path.Dir(dir))
	}
	dir, base, _ := m.find(name)
	n := &memNode{data: slices.Clone(data), disk: slices.Clone(data)}
	dir.entries[base], dir.onDisk[base] = n, n
}

// names returns the names of all files.
func (m *memFiles) names() []string {
	var names []string
	var visit func(dir string, n *memNode)
	visit = func(dir string, n *memNode) {
		for name, child := range n.entries {
			if child.entries != nil {
				visit(path.Join(dir, name), child)
			} else {
				names = append(names, path.Join(dir, name))
			}
		}
	}
	visit("", m.root)
	slices.Sort(names)
	return names
}
