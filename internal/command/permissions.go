// Who may write to the files of a server.

package command

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// warnOpen names the directories and the file of accounts that everybody on this
// machine may write to, and how to close them: whoever writes there decides what the
// calendar says and who may change it. It is no error, as volumes of containers are
// like that, and some can be nothing else.
func (s *settings) warnOpen(log *slog.Logger) {
	if runtime.GOOS == "windows" { // where a mode says nothing about it
		return
	}
	var paths []string
	if !s.memory {
		paths = append(paths, s.data, filepath.Join(s.data, "log"), filepath.Join(s.data, "snapshots"), filepath.Join(s.data, usersName))
	}
	if s.users != "" {
		paths = append(paths, filepath.Dir(s.users), s.users)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o002 == 0 {
			continue
		}
		log.Warn("everybody on this machine may write here, and so change the calendar and its accounts",
			"path", path, "mode", fmt.Sprintf("%04o", info.Mode().Perm()), "help", "chmod o-w "+strconv.Quote(path))
	}
}
