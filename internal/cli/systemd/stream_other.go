//go:build !unix

package systemd

func nameOf(any) string { return "" }
