package confine_test

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"almanac/internal/confine"
)

// A program that is linked with C is told that it must not be, and is not confined.
func TestWithC(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || !linkedWithC() {
		t.Skip("this test is not linked with C")
	}
	for what, err := range map[string]error{
		"Check":   confine.Check(),
		"Process": func() error { _, err := confine.Process(confine.Rights{}); return err }(),
	} {
		if err == nil || errors.Is(err, confine.ErrUnsupported) || !strings.Contains(err.Error(), "CGO_ENABLED=0") {
			t.Errorf("%s: got error %v", what, err)
		}
	}
	if _, err := os.ReadFile("confine.go"); err != nil {
		t.Errorf("the process is confined: %v", err)
	}
}
