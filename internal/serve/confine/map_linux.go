//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le

package confine

import "syscall"

// sysMap is the system call that gives memory.
const sysMap = syscall.SYS_MMAP
