// Package confine lets a process give up rights that it will not need again, so
// that whoever takes it over has little in hand.
//
//	state, err := confine.Process(confine.Rights{Write: []string{"data"}, Read: []string{"certificates"}})
//	if err != nil {
//		log.Warn("not confined", "why", err)
//	}
//
// From then on, and as long as it lives, the process and all that it might start
//
//   - opens no file but below the directories that it named, and starts no
//     program from anywhere, those directories among it (Landlock, Linux 5.13);
//   - makes no socket, connects none and names no receiver of a message; the sockets
//     that are open already, a listener and the connections it takes, work on;
//   - reaches no other process, by a signal, a debugger, shared memory or a queue,
//     has the kernel do nothing for it but what is in calls_linux.go, and changes
//     no file's mode, times and owner (these two by seccomp, on the machines in the
//     table of filter_linux.go; Landlock alone, since 6.7, refuses TCP, but not its
//     multipath form, nor UDP);
//   - gains no rights by starting a program that would give it some
//     (no_new_privs).
//
// There is no way back, so a process does it when it has opened all that it needs
// once. Not taken away is looking whether a file is there, how large and whose it
// is.
//
// Landlock confines single threads, and Go knows none of C. So in a program that is linked
// with C files stay open; the filter of system calls the kernel sets for all threads.
//
// Other systems than Linux have nothing like that which is asked for in a few
// system calls without C. There Process changes nothing and says so.
package confine

import (
	"errors"
	"fmt"
)

// ErrUnsupported is in the error of Process where it can do nothing. Nothing was
// changed then.
var ErrUnsupported = errors.New("the system cannot confine a process")

// Rights are what a process keeps. The directories must exist. Below those of
// Write it may read, write, make, rename and remove files and directories, below
// those of Append make and write files, below those of Read it may read files.
//
// Rights are those of directories, since a file that is replaced by another under
// its name is another file to the kernel: who wants to see the new one needs the
// directory.
type Rights struct{ Write, Append, Read []string }

// A State is how far a process is confined.
type State struct {
	Landlock int    // its version; 0: files are as open as before
	Seccomp  bool   // no system calls pass but those of the list
	missing  string // the reason why one of them is missing

	Calls []string // the list, with Seccomp; some pass with some arguments alone
}

// IsWhole reports whether it is everything that Process asks for.
func (s State) IsWhole() bool { return s.Landlock > 0 && s.Seccomp }

// String says it in a few words.
func (s State) String() string {
	switch {
	case s.Landlock > 0 && s.Seccomp:
		return fmt.Sprintf("files by Landlock %d, system calls by seccomp", s.Landlock)
	case s.Landlock >= 4:
		return fmt.Sprintf("files and TCP by Landlock %d; other connections are not: %s", s.Landlock, s.missing)
	case s.Landlock > 0:
		return fmt.Sprintf("files by Landlock %d; connections are not: %s", s.Landlock, s.missing)
	case s.Seccomp:
		return "system calls by seccomp; files are not: " + s.missing
	}
	return "not at all"
}
