// Files in memory.

package media

import (
	"bytes"
	"io"
	"io/fs"
	"sync"
	"time"
)

// A Memory keeps files in memory, beside those of another Memory that it begins with.
type Memory struct {
	below *Memory // nil if there is none
	mu    sync.Mutex
	files map[string]map[string][]byte // by directory and name
	bytes int64
}

// NewMemory returns files that begin as those of another store are, nil for none.
func NewMemory(below *Memory) *Memory {
	return &Memory{below: below, files: map[string]map[string][]byte{}}
}

// Write keeps a directory.
func (m *Memory) Write(directory string, files []File) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := map[string][]byte{}
	for _, f := range files {
		all[f.Name] = f.Data
		m.bytes += int64(len(f.Data))
	}
	m.files[directory] = all
	return nil
}

// Open opens a file.
func (m *Memory) Open(directory, name string) (Content, error) {
	for ; m != nil; m = m.below {
		m.mu.Lock()
		data, ok := m.files[directory][name]
		m.mu.Unlock()
		if ok {
			return Content{io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), io.NopCloser(nil)}, nil
		}
	}
	return Content{}, fs.ErrNotExist
}

// Bytes returns the bytes of all files.
func (m *Memory) Bytes() (sum int64) {
	for ; m != nil; m = m.below {
		m.mu.Lock()
		sum += m.bytes
		m.mu.Unlock()
	}
	return sum
}

// Sweep removes nothing: a savepoint may name any file. The files of a world go with it.
func (m *Memory) Sweep(func(string) bool, time.Time, time.Duration) error { return nil }
