// How the tests of this package run.

package store

import (
	"os"
	"runtime/debug"
	"testing"
)

// Thousands of small stores are opened one after the other. With so little
// alive the collector would take a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}
