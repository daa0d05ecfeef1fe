// Archives: the same files in the same order, of one user and one time.

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An entry is a file of an archive; one whose name ends in a slash is a folder.
type entry struct {
	name    string
	mode    int64
	content []byte
	owner   int // its number
}

// documents are the files of the source that go with a program: the manual, and all that its
// links lead to.
var documents = []string{
	"*.md",
	"LICENSE",
	"docs/*.md",
	"store/FORMAT.md",
	"internal/wire/pages/theme/*",
	"internal/serve/confine/calls_linux.go",
	"internal/tools/release/debian/almanac.service",
	"testdata/bench.txt",
	"testdata/rights.txt",
	"testdata/conversations/differences.txt",
}

// entries returns the files of a folder of the source that patterns name, below another folder.
func entries(to, from string, patterns []string) (found []entry, err error) {
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil || len(names) == 0 {
			return nil, fmt.Errorf("%s: there is no %s", from, pattern)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			below := strings.TrimPrefix(filepath.ToSlash(name), from+"/")
			found = append(found, entry{name: to + below, mode: 0o644, content: text})
		}
	}
	return found, nil
}

// archive makes the archive of a system: the programs with the manual.
func (m *maker) archive(p program) error {
	base := m.file("_" + p.os + "_" + p.arch + p.level)
	files, err := entries(base+"/", ".", documents)
	if err != nil {
		return err
	}
	files = withFolders(append(
		files,
		entry{name: base + "/" + p.file(name), mode: 0o755, content: p.content},
		entry{name: base + "/" + p.file(moverName), mode: 0o755, content: p.mover},
	))
	if p.os == "windows" {
		content, err := zipped(files, m.stamp)
		if err != nil {
			return err
		}
		return m.write(base+".zip", content)
	}
	content, err := tarred(files, m.stamp)
	if err != nil {
		return err
	}
	return m.write(base+".tar.gz", gzipped(content))
}

// tarred returns a tar archive in the form of POSIX.1-1988, which all programs read.
func tarred(files []entry, stamp time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{
			Format:   tar.FormatUSTAR,
			Typeflag: tar.TypeReg,
			Name:     f.name,
			Mode:     f.mode,
			Size:     int64(len(f.content)),
			ModTime:  stamp,
			Uid:      f.owner,
			Gid:      f.owner,
		}
		if f.name[len(f.name)-1] == '/' {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// gzipped returns compressed bytes, without a name and a time.
func gzipped(content []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(content) // into memory
	w.Close()
	return b.Bytes()
}

// zipped returns a zip archive.
func zipped(files []entry, stamp time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: stamp}
		h.SetMode(os.FileMode(f.mode))
		if f.name[len(f.name)-1] == '/' {
			h.Method = zip.Store
			h.SetMode(os.FileMode(f.mode) | os.ModeDir)
		}
		e, err := w.CreateHeader(h)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if _, err := e.Write(f.content); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
