// What the process of a server may do here and now: tried, not told.

package command

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An auditProcess is this process, before and after it was confined as a server is.
type auditProcess struct {
	User     int       `json:"user"`     // number; -1 where there are none
	Confined string    `json:"confined"` // how far
	Reads    []string  `json:"reads"`    // below these directories, once it is confined
	Writes   []string  `json:"writes"`
	Appends  []string  `json:"appends"` // there it makes and writes files, and reads none
	Kernel   []string  `json:"kernel"`  // what the kernel says of the confined process; none where it does not
	Calls    []string  `json:"calls"`   // system calls that pass; none: all, or not known
	Tried    []attempt `json:"tried"`
}

// An attempt is something that was tried. It went well ("yes"), or says what was the matter.
type attempt struct {
	What     string `json:"what"`
	Before   string `json:"before"`
	Confined string `json:"confined"`

	try    func() error
	needed bool // by a server
}

// tryProcess confines the process, and tries everything before and after that.
func (a *page) tryProcess(s *settings, c Confiner) {
	p := &a.Process
	*p = auditProcess{User: os.Geteuid(), Reads: []string{}, Writes: []string{}, Appends: []string{}, Kernel: []string{}, Calls: []string{}}
	kept := s.rights()
	for _, dirs := range []*[]string{&kept.Read, &kept.Write, &kept.Append} {
		*dirs = slices.DeleteFunc(*dirs, func(dir string) bool { return !isDirectory(dir) }) // which serve makes, or refuses
	}
	p.Reads, p.Writes, p.Appends = append(p.Reads, kept.Read...), append(p.Writes, kept.Write...), append(p.Appends, kept.Append...)
	attempts, end := s.attempts()
	defer end()
	for i := range attempts {
		attempts[i].Before = outcome(attempts[i].try())
	}
	status, noStatus := os.Open("/proc/self/status") // elsewhere than on Linux there is none
	confined := false
	if s.sandbox == "off" || c == nil {
		p.Confined, _ = s.confine(c, nil) // it says why not
	} else {
		time.Now().Zone() // as confine does
		state, err := c(kept)
		confined, p.Confined, p.Calls = err == nil, state.String(), append(p.Calls, state.Calls...)
		switch {
		case err != nil:
			p.Confined = "no: " + err.Error()
			a.find("the process cannot be confined here: %v", err)
		case !state.IsWhole():
			a.find("this process is confined less than a server asks for: %v", state)
		}
	}
	for i := range attempts {
		t := &attempts[i]
		if t.Confined = outcome(t.try()); confined && t.Confined == "yes" && !t.needed {
			a.find("a confined process may still %s", t.What)
		}
	}
	p.Tried = attempts
	if noStatus != nil {
		return
	}
	text, _ := io.ReadAll(status) // of now: the kernel writes it when it is read
	for line := range strings.Lines(string(text)) {
		if name, _, _ := strings.Cut(line, ":"); slices.Contains([]string{"NoNewPrivs", "Seccomp", "CapEff"}, name) {
			p.Kernel = append(p.Kernel, strings.Join(strings.Fields(line), " "))
		}
	}
	status.Close()
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
		all = append(all, attempt{What: what, try: try, needed: needed})
	}
	open := func(needed bool, verb, name string, flag int) {
		add(needed, verb+" "+name, func() error {
			f, err := os.OpenFile(name, flag, 0)
			return ended(f, err)
		})
	}
	files := []string{s.users, s.cert, s.key}
	if log, _ := filepath.Glob(filepath.Join(s.data, "log", "*.jsonl")); len(log) > 0 && !s.memory {
		open(true, "read", log[len(log)-1], os.O_RDONLY)
		open(true, "write", log[len(log)-1], os.O_WRONLY) // nothing is
	}
	for _, file := range slices.DeleteFunc(files, func(file string) bool { return file == "" }) {
		open(true, "read", file, os.O_RDONLY)
		open(false, "write", file, os.O_WRONLY)
	}
	if s.accessLog != "" && s.accessLog != "-" {
		open(true, "write", s.accessLog, os.O_WRONLY)
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
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"live":true}`) // what healthcheck wants
	})}
	go func() { _ = server.Serve(ours) }() // until it is closed
	add(false, "connect by TCP", func() error {
		to := &healthSettings{addr: ours.Addr().String(), need: "live", timeout: time.Minute}
		return healthcheck(context.Background(), to, nil, Process{Stdout: io.Discard})
	})
	return all, func() { server.Close() }
}

// ended closes what was opened.
func ended(c io.Closer, err error) error {
	if err != nil {
		return err
	}
	return c.Close()
}
