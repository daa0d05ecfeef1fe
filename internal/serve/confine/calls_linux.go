// The system calls that a confined process keeps.

//go:build amd64 || arm64 || riscv64 || loong64 || ppc64 || ppc64le || 386 || arm

package confine

// A call is a system call that the filter allows, by its number in the two tables
// of Linux for the machines of filter_linux.go: amd64, and the common table of the
// other machines. A number of -1 says that a table has no such call.
type call struct {
	name          string
	amd64, common int
	limit         *limit // within which alone it passes; nil: always
}

// A limit is on one argument, counted from 0. The kernel compares its low 32 bits.
// The argument is within the limit when the test is true for a value.
type limit struct {
	argument uint32
	test     uint16 // equal, or set
	values   []uint32
}

// calls returns all that pass in a process, given its number. They are the calls of Go's runtime
// and its packages os, net and time on Linux, as far as a running server needs them: it reads,
// writes and waits, it opens files, which Landlock judges, and it answers connections. All other
// calls reach something else, and so they are refused:
//
//   - to make a socket or to name a receiver: socket, socketpair, connect, bind,
//     listen, sendto, sendmsg, sendmmsg. sendto can open a connection with
//     MSG_FASTOPEN, on a listener that was shut down. Go writes to TCP with write.
//   - to take a descriptor of another process: recvmsg, pidfd_getfd;
//   - to do the same without being seen: io_uring_setup, _enter, _register;
//   - to start programs: execve, execveat, fork, vfork, clone3, and clone but for
//     threads;
//   - to reach other processes: ptrace, process_vm_writev, kcmp, pidfd_open,
//     pidfd_send_signal, rt_sigqueueinfo, tkill, setpriority, sched_setaffinity,
//     queues, semaphores and memory of System V, queues of POSIX, and kill, tgkill,
//     fcntl and prlimit64 but for the process itself;
//   - to have the kernel or its helpers act: request_key, which can look up a
//     name, mount, which can connect, bpf, perf_event_open, userfaultfd, modules;
//   - to change the user or the place of the process: setuid, unshare, setns, chroot;
//   - ioctl, which configures interfaces and types into the terminal;
//   - to change files where Landlock does not guard them: chmod, chown, utimensat,
//     extended attributes, and truncate, which it guards in newer kernels alone.
//
// A test compares the numbers with those that Go has for each machine, and the
// names with the calls of Go's runtime.
func calls(process uint32) []call {
	only := func(argument uint32, values ...uint32) *limit { return &limit{argument, equal, values} }
	all := []call{
		// The kernel remembers which calls always pass, since 5.11, and runs the
		// filter for others alone. These come first since it is run for them.
		{"tgkill", 234, 131, only(0, process)}, // how threads of Go interrupt each other
		{"kill", 62, 129, only(0, process)},
		{"clone", 56, 220, &limit{0, set, []uint32{0x10000}}}, // CLONE_THREAD
		{
			"fcntl",
			72,
			25,
			only(1, 0, 1, 2, 3, 4, 1030),
		}, // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
		{"setsockopt", 54, 208, only(1, 1, 6)}, // SOL_SOCKET, IPPROTO_TCP
		{
			"shutdown",
			48,
			210,
			only(1, 1),
		}, // SHUT_WR, which leaves a listener alone
		{"prlimit64", 302, 261, only(0, 0)},      // the caller's
		{"prctl", 157, 167, only(0, 0x53564d41)}, // PR_SET_VMA, a name for memory

		{"futex", 202, 98, nil},
		{"read", 0, 63, nil},
		{"write", 1, 64, nil},
		{"readv", 19, 65, nil},
		{"writev", 20, 66, nil},
		{"pread64", 17, 67, nil},
		{"pwrite64", 18, 68, nil},
		{"lseek", 8, 62, nil},
		{"close", 3, 57, nil},
		{"pipe2", 293, 59, nil},
		{"eventfd2", 290, 19, nil},
		{"epoll_create1", 291, 20, nil},
		{"epoll_ctl", 233, 21, nil},
		{"epoll_wait", 232, -1, nil},
		{"epoll_pwait", 281, 22, nil},
		{"epoll_pwait2", 441, 441, nil},
		{"pselect6", 270, 72, nil},
		{"sendfile", 40, 71, nil},
		{"splice", 275, 76, nil},
		{"copy_file_range", 326, 285, nil},

		{"accept4", 288, 242, nil},
		{"getsockname", 51, 204, nil},
		{"getpeername", 52, 205, nil},
		{"getsockopt", 55, 209, nil},

		{"openat", 257, 56, nil},
		{"openat2", 437, 437, nil},
		{"fstat", 5, 80, nil},
		{"newfstatat", 262, 79, nil},
		{"statx", 332, 291, nil},
		{"statfs", 137, 43, nil},
		{"fstatfs", 138, 44, nil},
		{"faccessat", 269, 48, nil},
		{"faccessat2", 439, 439, nil},
		{"readlinkat", 267, 78, nil},
		{"getdents64", 217, 61, nil},
		{"getcwd", 79, 17, nil},
		{"mkdirat", 258, 34, nil},
		{"unlinkat", 263, 35, nil},
		{"renameat", 264, 38, nil},
		{"renameat2", 316, 276, nil},
		{"ftruncate", 77, 46, nil},
		{"fallocate", 285, 47, nil},
		{"fadvise64", 221, 223, nil},
		{"flock", 73, 32, nil},
		{"fsync", 74, 82, nil},
		{"fdatasync", 75, 83, nil},
		{"sync_file_range", 277, 84, nil},

		{"mmap", 9, 222, nil},
		{"munmap", 11, 215, nil},
		{"mprotect", 10, 226, nil},
		{"mremap", 25, 216, nil},
		{"madvise", 28, 233, nil},
		{"mincore", 27, 232, nil},
		{"brk", 12, 214, nil},

		{"rt_sigaction", 13, 134, nil},
		{"rt_sigprocmask", 14, 135, nil},
		{"rt_sigreturn", 15, 139, nil},
		{"sigaltstack", 131, 132, nil},
		{"restart_syscall", 219, 128, nil}, // the kernel's own, after a process was stopped

		{"clock_gettime", 228, 113, nil},
		{"gettimeofday", 96, 169, nil},
		{"nanosleep", 35, 101, nil},
		{"clock_nanosleep", 230, 115, nil},
		{"setitimer", 38, 103, nil},
		{"timer_create", 222, 107, nil},
		{"timer_settime", 223, 110, nil},
		{"timer_delete", 226, 111, nil},

		{"exit", 60, 93, nil},
		{"exit_group", 231, 94, nil},
		{"sched_yield", 24, 124, nil},
		{"sched_getaffinity", 204, 123, nil},
		{"arch_prctl", 158, -1, nil},
		{"getpid", 39, 172, nil},
		{"getppid", 110, 173, nil},
		{"gettid", 186, 178, nil},
		{"getuid", 102, 174, nil},
		{"geteuid", 107, 175, nil},
		{"getgid", 104, 176, nil},
		{"getegid", 108, 177, nil},
		{"getrandom", 318, 278, nil},
		{"getrusage", 98, 165, nil},
		{"sysinfo", 99, 179, nil},
		{"uname", 63, 160, nil},
	}
	if linkedWithC() { // whose threads end the process if they may not say where their own memory is
		all = append(
			all,
			call{"set_tid_address", 218, 96, nil},
			call{"set_robust_list", 273, 99, nil},
			call{"rseq", 334, 293, nil},
		)
	}
	return all
}
