//go:build race

package rest_test

// raced is whether the race detector looks on.
const raced = true
