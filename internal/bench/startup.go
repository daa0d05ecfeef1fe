// Starting up: from Open to the first answer, against reading the same bytes.

package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"almanac/store"
)

const (
	startName   = "o start-up"
	startRounds = 3 // at most
)

// startAll opens a calendar that was saved. L reads the same files into memory.
// The system has them in memory before, and gets the memory of both back between.
func startAll(s settings, c *saved, t *table) error {
	if !s.only.MatchString(startName) {
		return nil
	}
	files, err := startFiles(c.dir)
	if err != nil {
		return err
	}
	var first, searched, reads, firstRatio, searchedRatio, empty []float64
	for range 1 + min(s.rounds, startRounds) { // one more, which is not counted
		debug.FreeOSMemory()
		read, err := timeRead(files)
		if err != nil {
			return err
		}
		debug.FreeOSMemory()
		answered, complete, err := timeOpen(c.dir)
		if err != nil {
			return err
		}
		none, err := timeEmpty(s.dir)
		if err != nil {
			return err
		}
		reads, first, searched, empty = append(reads, read), append(first, answered), append(searched, complete), append(empty, none)
		firstRatio, searchedRatio = append(firstRatio, answered/read), append(searchedRatio, complete/read)
	}
	limit := goal{}
	if c.n >= 100_000 { // with fewer, syncs and files take most of the time
		limit = atMost(5)
	}
	t.add(
		row{name: startName, what: "first answer, ms", ours: spreadOf(first[1:]), bare: spreadOf(reads[1:]),
			ratio: spreadOf(firstRatio[1:]), goal: limit},
		row{name: startName, what: "search complete, ms", ours: spreadOf(searched[1:]), bare: spreadOf(reads[1:]),
			ratio: spreadOf(searchedRatio[1:])},
		row{name: startName, what: "empty store, ms", ours: spreadOf(empty[1:])})
	return nil
}

// startFiles returns the files that are read: the snapshot, and the log from the
// segment on that has its last line.
func startFiles(dir string) ([]string, error) {
	snapshots, err := filepath.Glob(filepath.Join(dir, "snapshots", "*"))
	if err != nil || len(snapshots) == 0 {
		return nil, errors.Join(err, errors.New("there is no snapshot"))
	}
	snapshot := slices.Max(snapshots)
	files, err := filepath.Glob(filepath.Join(snapshot, "*.json"))
	if err != nil {
		return nil, err
	}
	segments, err := filepath.Glob(filepath.Join(dir, "log", "*.jsonl"))
	for i := range segments {
		next := min(i+1, len(segments)-1)
		if next == i || strings.TrimSuffix(filepath.Base(segments[next]), ".jsonl") > filepath.Base(snapshot) {
			files = append(files, segments[i])
		}
	}
	return files, err
}

// since returns the milliseconds since a moment.
func since(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

// timeRead reads files into memory.
func timeRead(files []string) (float64, error) {
	for _, name := range files { // so that the system has them
		f, err := os.Open(name)
		if err != nil {
			return 0, err
		}
		_, err = io.Copy(struct{ io.Writer }{io.Discard}, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return 0, err
		}
	}
	var all [][]byte
	start := time.Now()
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		all = append(all, data)
	}
	took := since(start)
	runtime.KeepAlive(all)
	return took, nil
}

// timeOpen opens the store, asks for the first page, and waits for the words.
func timeOpen(dir string) (answered, complete float64, err error) {
	start := time.Now()
	s, err := openSaved(dir)
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	h, _, err := product(s, mode{})
	if err != nil {
		return 0, 0, err
	}
	if _, _, err := ask(h, get(eventsPath)); err != nil {
		return 0, 0, err
	}
	answered = since(start)
	awaitWords(s)
	return answered, since(start), nil
}

// timeEmpty opens a store that is empty, in a new directory.
func timeEmpty(parent string) (float64, error) {
	dir, err := os.MkdirTemp(parent, "almanac-bench-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		return 0, err
	}
	return since(start), s.Close()
}
