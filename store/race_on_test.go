//go:build race

package store

// raced is whether the race detector looks on.
const raced = true
