//go:build !race

package race

// Enabled is whether the race detector looks on.
const Enabled = false
