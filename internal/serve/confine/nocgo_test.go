//go:build !cgo

package confine_test

func linkedWithC() bool { return false }
