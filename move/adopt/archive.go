// The archive: answers of a site as JSON Lines.

package adopt

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"almanac/move/oldsite"
	"almanac/move/transfer"
	"almanac/store/disk"
)

// stateFile has the state of an archive.
const stateFile = "adopt.json"

func fileOf(list string) string { return list + ".jsonl" }

// A state tells how far an adoption has come.
type state struct {
	Site     string          `json:"site"`            // address of the API
	Login    string          `json:"login,omitempty"` // of the requests
	Began    time.Time       `json:"began"`
	Lists    map[string]done `json:"lists"`    // complete lists, by name
	Imported bool            `json:"imported"` // all of it; the next adoption begins anew

	Silent bool `json:"silent,omitempty"` // the site does not tell which events are cancelled

	Facts oldsite.Facts `json:"facts,omitzero"` // of the site
}

// done is the result of reading a list.
type done struct {
	Total  int  `json:"total"`  // statement of the site
	Read   int  `json:"read"`   // records
	Steady bool `json:"steady"` // these are all
}

// A stamp tells about one answer. It is the first member of a line, and the members of the answer
// follow.
type stamp struct {
	Time   time.Time `json:"time"`
	URL    string    `json:"url"`
	SHA256 string    `json:"sha256"` // of the answer, without blanks between its tokens
	Page   int       `json:"page"`

	Protected []json.RawMessage `json:"protected,omitempty"` // set apart: a password hides them
}

// stampStart begins each line.
const stampStart = `{"fetched":`

// An archive is a directory with a file for each list.
type archive struct {
	root *os.Root
	lock *disk.Lock
	state
}

// openArchive opens the archive in a directory, which no other process may have open.
func openArchive(dir string) (*archive, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	a := &archive{root: root}
	if a.lock, err = disk.Acquire(root, "lock"); err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	text, err := disk.ReadIn(root.FS(), stateFile)
	if err == nil {
		err = json.Unmarshal(text, &a.state)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(
			fmt.Errorf("%s in %s: %w; remove the directory to begin again", stateFile, dir, err),
			a.Close(),
		)
	}
	return a, nil
}

func (a *archive) Close() error { return errors.Join(a.lock.Close(), a.root.Close()) }

// save writes the state.
func (a *archive) save() error {
	return transfer.WriteState(filepath.Join(a.root.Name(), stateFile), a.state)
}

// begin prepares the archive for answers of a site. It goes on with those that are there, unless
// they were imported.
func (a *archive) begin(site, login string, now time.Time) error {
	if a.Site != "" && (a.Site != site || a.Login != login && !a.Imported) {
		return fmt.Errorf(
			"it has answers of %s to the login %q: name another directory",
			a.Site,
			a.Login,
		)
	}
	if a.Site != "" && !a.Imported {
		return nil
	}
	a.state = state{Site: site, Login: login, Began: now.UTC(), Lists: map[string]done{}}
	for _, k := range oldsite.Kinds {
		if err := a.root.Remove(fileOf(k.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return a.save()
}

// read calls a function for each answer in the file of a list, and returns the length of the whole
// lines. Half a line at the end is not read; other damage is an error.
func (a *archive) read(
	name string,
	yield func(s stamp, body []byte) error,
) (size int64, err error) {
	f, err := a.root.Open(fileOf(name))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	defer f.Close()
	text := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := text.ReadBytes('\n')
		if err == io.EOF {
			return size, nil
		} else if err != nil {
			return size, err
		}
		s, body, ok := parseLine(line)
		if !ok {
			return size, fmt.Errorf(
				"%s:%d is damaged: remove the file and %s to read the site again",
				fileOf(name),
				n,
				stateFile,
			)
		}
		if err := yield(s, body); err != nil {
			return size, err
		}
		size += int64(len(line))
	}
}

// parseLine takes a line apart.
func parseLine(line []byte) (s stamp, body []byte, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(stampStart))
	dec := json.NewDecoder(bytes.NewReader(rest))
	if !ok || dec.Decode(&s) != nil {
		return s, nil, false
	}
	members, ok := bytes.CutPrefix(rest[dec.InputOffset():], []byte(","))
	body = slices.Concat([]byte("{"), bytes.TrimSuffix(members, []byte("\n")))
	return s, body, ok && s.SHA256 == hashOf(body)
}

func hashOf(body []byte) string { return fmt.Sprintf("%x", sha256.Sum256(body)) }

// appendLine adds the line of an answer, an object with members, to a file.
func appendLine(f *os.File, s stamp, body []byte) error {
	s.SHA256 = hashOf(body)
	head, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if _, err := f.Write(slices.Concat([]byte(stampStart), head, []byte(","), body[1:], []byte("\n"))); err != nil {
		return err
	}
	return f.Sync()
}
