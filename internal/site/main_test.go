package site_test

import (
	"os"
	"runtime/debug"
	"testing"

	"almanac/internal/tools/contract"
	"almanac/internal/tools/sample"
)

const v1 = sample.V1

// TestMain compares what calendars answer with the document of the service. The tests make many
// small servers: with so little alive the collector would take a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	sample.Observe = contract.Observe
	os.Exit(m.Run())
}
