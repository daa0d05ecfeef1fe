// Landlock (landlock(7)): no files but those below some directories.

//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm

package confine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// System calls and constants that package syscall does not have. They have the
// same numbers on all machines that this file is built for.
const (
	landlockCreateRuleset = 444
	landlockAddRule       = 445
	landlockRestrictSelf  = 446

	askVersion  = 1        // flag of landlockCreateRuleset
	ruleBeneath = 1        // LANDLOCK_RULE_PATH_BENEATH: rights below a directory
	openPath    = 0x200000 // O_PATH: a name, which need not be readable
)

// Rights on files, one bit each, in the order in which versions of Landlock came
// to know them.
const (
	execute = 1 << iota
	writeFile
	readFile
	readDir
	removeDir
	removeFile
	makeChar
	makeDir
	makeRegular
	makeSocket
	makeFifo
	makeBlock
	makeSymlink
	refer    // since 2: rename and link into another directory, which is refused before
	truncate // since 3, and allowed before
	control  // since 5: ioctl of devices, and allowed before
)

// known are the rights on files that each version knows, from version 1.
var known = [...]uint64{refer - 1, truncate - 1, control - 1, control - 1, control<<1 - 1}

// Rights removed from the network, since version 4, and from reaching other
// processes, since 6. Signals are allowed: each thread is confined on its own, and
// the threads of a Go program signal each other, which kernels before 6.15 would
// refuse.
const (
	bindTCP         = 1 << 0
	connectTCP      = 1 << 1
	abstractSockets = 1 << 0
)

// Rights kept below directories.
const (
	toRead   = readFile
	toAppend = writeFile | makeRegular
	toWrite  = readFile | readDir | writeFile | truncate | makeRegular | makeDir | removeFile | removeDir | refer
)

// landlockVersion asks the kernel. Landlock confines single threads, so all must be known.
func landlockVersion() (int, error) {
	if linkedWithC() {
		return 0, errors.New(
			"the program is linked with C; build it with CGO_ENABLED=0, as make build does",
		)
	}
	version, _, errno := syscall.Syscall(landlockCreateRuleset, 0, 0, askVersion)
	if errno != 0 {
		return 0, fmt.Errorf("Landlock: %w", errno)
	}
	return int(version), nil
}

// landlock takes all rights away that a version knows, but for those to keep.
func landlock(version int, keep Rights) error {
	handled := known[min(version, len(known))-1]
	rules, err := ruleset(version, handled)
	if err != nil {
		return err
	}
	defer syscall.Close(rules)
	for _, dir := range keep.Write {
		if err := allow(rules, dir, toWrite&handled); err != nil {
			return err
		}
	}
	for _, dir := range keep.Append {
		if err := allow(rules, dir, toAppend); err != nil {
			return err
		}
	}
	for _, dir := range keep.Read {
		if err := allow(rules, dir, toRead); err != nil {
			return err
		}
	}
	if _, _, errno := syscall.AllThreadsSyscall(landlockRestrictSelf, uintptr(rules), 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// ruleset makes rules that leave nothing yet.
func ruleset(version int, handled uint64) (fd int, err error) {
	attributes := [3]uint64{handled}
	if version >= 4 {
		attributes[1] = bindTCP | connectTCP
	}
	if version >= 6 {
		attributes[2] = abstractSockets
	}
	var text []byte
	for _, a := range attributes {
		text = binary.NativeEndian.AppendUint64(text, a)
	}
	err = lend(
		len(text),
		func(uintptr) []byte { return text },
		func(address uintptr) syscall.Errno {
			// An older kernel takes a longer text if what it does not know is zero.
			r, _, errno := syscall.Syscall(landlockCreateRuleset, address, uintptr(len(text)), 0)
			fd = int(r)
			return errno
		},
	)
	return fd, err
}

// allow keeps rights below a directory.
func allow(rules int, dir string, rights uint64) error {
	parent, err := syscall.Open(dir, openPath|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	defer syscall.Close(parent)
	text := binary.NativeEndian.AppendUint64(nil, rights)
	text = binary.NativeEndian.AppendUint32(text, uint32(parent))
	err = lend(
		len(text),
		func(uintptr) []byte { return text },
		func(address uintptr) syscall.Errno {
			_, _, errno := syscall.Syscall6(
				landlockAddRule,
				uintptr(rules),
				ruleBeneath,
				address,
				0,
				0,
				0,
			)
			return errno
		},
	)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}
