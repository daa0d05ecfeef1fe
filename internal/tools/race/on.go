//go:build race

package race

// enabled is whether the race detector looks on.
const enabled = true
