//go:build !linux || !(amd64 || arm64 || riscv64 || loong64)

package confine_test

const callsVariable = "TEST_OF_CONFINE_CALLS"

func callAll(string) {}

// kernel says what the kernel has: here nothing that this package is sure of.
func kernel() (landlock int, seccomp bool) { return 0, false }
