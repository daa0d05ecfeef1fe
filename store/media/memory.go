// Files in memory.

package media

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Memory keeps files in memory.
type Memory struct {
	mu    sync.Mutex
	files map[string][]byte // by directory and name
}

// NewMemory returns files that begin as those of another store are, nil for none.
func NewMemory(from *Memory) *Memory {
	if from == nil {
		return &Memory{files: map[string][]byte{}}
	}
	from.mu.Lock()
	defer from.mu.Unlock()
	return &Memory{files: maps.Clone(from.files)}
}

// Write keeps a directory.
func (m *Memory) Write(directory string, files []File) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range files {
		m.files[directory+"/"+f.Name] = f.Data
	}
	return nil
}

// Open opens a file.
func (m *Memory) Open(directory, name string) (Content, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.files[directory+"/"+name]
	if !ok {
		return Content{}, fs.ErrNotExist
	}
	return Content{
		io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))),
		io.NopCloser(nil),
	}, nil
}

// Waiting removes the directories that have no name, since nothing goes back in time to them. So
// none waits.
func (m *Memory) Waiting(named func(directory string) bool) ([]Waiting, error) {
	m.mu.Lock()
	present := slices.Collect(maps.Keys(m.files))
	m.mu.Unlock()
	for _, name := range present {
		if directory, _, _ := strings.Cut(name, "/"); !named(
			directory,
		) { // it may take a lock of its own
			m.mu.Lock()
			delete(m.files, name)
			m.mu.Unlock()
		}
	}
	return nil, nil
}
