// Permissions of other users of this machine on the files of a server.

package command

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
)

// warnOpen warns of directories and of the file of -users if every user of this machine may write
// to them, and names the command that prevents it: write access controls the calendar and its
// accounts. It is no error, because volumes of containers often have such permissions and cannot
// change them.
func (s *settings) warnOpen(log *slog.Logger) {
	for _, path := range s.writable() {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		log.Warn(
			"everybody on this machine may write here, and so change the calendar and its accounts",
			"path",
			path,
			"mode",
			fmt.Sprintf("%04o", info.Mode().Perm()),
			"help",
			"chmod o-w "+strconv.Quote(path),
		)
	}
}

// writable returns what everybody may write to.
func (s *settings) writable() []string {
	var paths []string
	if !s.memory {
		paths = append(
			paths,
			s.data,
			filepath.Join(s.data, "log"),
			filepath.Join(s.data, "snapshots"),
		)
	}
	if s.users != "" {
		paths = append(paths, filepath.Dir(s.users), s.users)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return !isOpen(path, 0o002) })
}

// legible returns the files that nobody else should read and everybody may: keys, hashes
// of tokens, and records that are not published.
func (s *settings) legible() []string {
	paths := []string{s.users, s.key, s.tokenFile}
	if !s.memory {
		for _, names := range []string{"users.json*", "log/*.jsonl", "snapshots/*/*.json"} {
			found, _ := filepath.Glob(filepath.Join(s.data, names)) // the pattern is right
			paths = append(paths, found...)
		}
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		at, err := filepath.Abs(path)
		hidden := err != nil || !isOpen(path, 0o004)
		for dir := filepath.Dir(at); !hidden && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
			hidden = !isOpen(dir, 0o001) // other users cannot reach the files below
		}
		return hidden
	})
}

// isOpen reports whether the mode of a path gives everybody a right. On Windows a mode
// says nothing about it.
func isOpen(path string, right fs.FileMode) bool {
	info, err := os.Stat(path)
	return runtime.GOOS != "windows" && err == nil && info.Mode().Perm()&right != 0
}
