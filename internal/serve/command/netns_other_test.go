//go:build !linux

package command

import "testing"

// inNamespace runs tests: there are no network namespaces here.
func inNamespace(m *testing.M) int { return m.Run() }
