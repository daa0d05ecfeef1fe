// Attempts show the powers of the process of a server here and now.

package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/cli"
)

// An attempt is something that is tried before and after the process is confined.
type attempt struct {
	what   string
	try    func() error
	needed bool // by a server
}

// tryProcess confines the process as a server is confined, and tries everything before and after
// that.
func (r *auditReport) tryProcess(s *settings, c Confiner) (all, tried cli.Rows) {
	kept := s.rights()
	for _, dirs := range []*[]string{&kept.Read, &kept.Write, &kept.Append} {
		*dirs = slices.DeleteFunc(
			*dirs,
			func(dir string) bool { return !isDirectory(dir) },
		) // which serve makes, or refuses
	}
	attempts, end := s.attempts()
	defer end()
	tried = cli.Rows{{"BEFORE", "CONFINED", "TO"}}
	for _, t := range attempts {
		tried.Add(outcome(t.try()), "", t.what)
	}
	status, noStatus := os.Open("/proc/self/status") // elsewhere than on Linux there is none
	confined := false
	how := ""
	calls := ""
	if s.sandbox == "off" || c == nil {
		how, _ = s.confine(c, nil) // it says why not
	} else {
		time.Now().Zone() // as confine does
		state, err := c(kept)
		confined = err == nil
		how = state.String()
		calls = strings.Join(state.Calls, " ")
		switch {
		case err != nil:
			how = "no: " + err.Error()
			r.find("the process cannot be confined here: %v", err)
		case !state.IsWhole():
			r.find("this process is confined less than a server asks for: %v", state)
		}
	}
	for i, t := range attempts {
		got := outcome(t.try())
		if tried[i+1][1] = got; confined && got == "yes" && !t.needed {
			r.find("a confined process may still %s", t.what)
		}
	}
	speaks := "without TLS"
	if s.cert != "" {
		speaks = "with TLS"
	}
	all.Add("listens", s.addr+" "+speaks)
	all.Add(
		"user",
		fmt.Sprintf("%d asks; where a server runs as another, ask as that one", os.Geteuid()),
	)
	all.Add("confined", how)
	below := func(does string, dirs []string) { all.Add(does, cmp.Or(strings.Join(dirs, ", "), "no directory")) }
	below("writes below", kept.Write)
	below("reads below", slices.Concat(kept.Write, kept.Read))
	below("only writes below", kept.Append)
	if noStatus == nil {
		text, _ := io.ReadAll(status) // of now: the kernel writes it when it is read
		status.Close()
		for line := range strings.Lines(string(text)) {
			if name, _, _ := strings.Cut(line, ":"); slices.Contains(
				[]string{"NoNewPrivs", "Seccomp", "CapEff"},
				name,
			) {
				all.Add("kernel says", strings.Join(strings.Fields(line), " "))
			}
		}
	}
	all.Add("system calls", cmp.Or(calls, "all, or not known"))
	return all, tried
}

// outcome says how an attempt went.
func outcome(err error) string {
	var path *os.PathError
	switch {
	case err == nil:
		return "yes"
	case errors.Is(err, os.ErrPermission), errors.Is(err, errors.ErrUnsupported):
		return "refused"
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}

// attempts returns what is tried: nothing that changes a file or reaches another machine.
// end ends what it needs.
func (s *settings) attempts() (all []attempt, end func()) {
	add := func(needed bool, what string, try func() error) {
		all = append(all, attempt{what, try, needed})
	}
	open := func(needed bool, verb, name string, flag int) {
		add(needed, verb+" "+name, func() error {
			f, err := os.OpenFile(name, flag, 0)
			return ended(f, err)
		})
	}
	files := []string{s.users, s.cert, s.key}
	if log, _ := filepath.Glob(filepath.Join(s.data, "log", "*.jsonl")); len(log) > 0 &&
		!s.memory {
		open(true, "read", log[len(log)-1], os.O_RDONLY)
		open(true, "write", log[len(log)-1], os.O_WRONLY) // nothing is
	}
	for _, file := range slices.DeleteFunc(files, func(file string) bool { return file == "" }) {
		open(true, "read", file, os.O_RDONLY)
		open(false, "write", file, os.O_WRONLY)
	}
	for _, log := range []string{s.accessLog, s.submissionLog} {
		if log != "" && log != "-" {
			open(true, "write", log, os.O_WRONLY)
		}
	}
	if file, err := os.Executable(); err == nil {
		open(false, "read", file, os.O_RDONLY)
	}
	add(false, "make a file in "+os.TempDir(), func() error {
		f, err := os.CreateTemp("", "almanac-audit-*")
		if err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
		return err
	})
	add(false, "listen to TCP", func() error { return ended(net.Listen("tcp", "127.0.0.1:0")) })
	ours, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return all, func() {}
	}
	add(false, "connect by TCP", func() error {
		return ended(net.DialTCP("tcp", nil, ours.Addr().(*net.TCPAddr)))
	})
	return all, func() { ours.Close() }
}

// ended closes what was opened.
func ended(c io.Closer, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}

func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
