//go:build 386 || arm

package confine

import "syscall"

// sysMap is the system call that gives memory. What these machines call mmap
// takes its arguments in another way.
const sysMap = syscall.SYS_MMAP2
