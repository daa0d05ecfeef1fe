// Package confine lets a process give up rights that it will not need again, so
// that an attacker who takes it over gains little.
//
//	state, err := confine.Process(confine.Rights{Write: []string{"data"}, Read: []string{"certificates"}})
//	if err != nil {
//		log.Warn("not confined", "why", err)
//	}
//
// From then on, the process and its children
//
//   - open only files below the named directories, and start no program, also not
//     from these directories (Landlock, Linux 5.13);
//   - make no socket, connect none and send no message to an address; open sockets,
//     a listener and its connections, continue to work;
//   - reach no other process by a signal, a debugger, shared memory or a queue, call
//     only the system calls in calls_linux.go, and change no file's mode, times and
//     owner (these two items by seccomp, on the machines in the table of
//     filter_linux.go; Landlock alone, since 6.7, refuses TCP, but neither multipath
//     TCP nor UDP);
//   - gain no rights by starting a program (no_new_privs).
//
// There is no way back, so a process does it after it has opened all files that it
// needs once. It can still see whether a file exists, its size and its owner.
//
// Landlock confines single threads, and Go does not know the threads of C: programs
// linked with C are not confined to directories. The kernel sets the filter of system
// calls for all threads.
//
// Other systems than Linux have no similar calls that work without C. There Process
// changes nothing and returns an error.
package confine

import (
	"errors"
	"fmt"
)

// ErrUnsupported is in the error of Process where it can do nothing. Nothing was
// changed then.
var ErrUnsupported = errors.New("the system cannot confine a process")

// Rights are the rights that a process keeps below directories, which must exist:
// with Write to read, write, make, rename and remove files and directories, with
// Append to make and write files, with Read to read files.
//
// Rights on single files would not help: to the kernel a file that replaces another
// under the same name is a different file.
type Rights struct{ Write, Append, Read []string }

// A State is how far a process is confined.
type State struct {
	landlock int    // its version; 0: files are as open as before
	seccomp  bool   // no system calls pass but those of the list
	missing  string // the reason why one of them is missing

	Calls []string // the list, with Seccomp; some pass with some arguments alone
}

// IsWhole reports whether it is everything that Process asks for.
func (s State) IsWhole() bool { return s.landlock > 0 && s.seccomp }

// String says it in a few words.
func (s State) String() string {
	switch {
	case s.landlock > 0 && s.seccomp:
		return fmt.Sprintf("files by Landlock %d, system calls by seccomp", s.landlock)
	case s.landlock >= 4:
		return fmt.Sprintf(
			"files and TCP by Landlock %d; other connections are not: %s",
			s.landlock,
			s.missing,
		)
	case s.landlock > 0:
		return fmt.Sprintf("files by Landlock %d; connections are not: %s", s.landlock, s.missing)
	case s.seccomp:
		return "system calls by seccomp; files are not: " + s.missing
	}
	return "not at all"
}
