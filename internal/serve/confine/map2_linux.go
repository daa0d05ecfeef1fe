//go:build 386 || arm

package confine

import "syscall"

// sysMap is the system call that maps memory. The mmap of these machines takes its
// arguments in another way.
const sysMap = syscall.SYS_MMAP2
