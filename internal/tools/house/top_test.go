package house

import (
	"os"
	"testing"
)

// atTop changes to the directory of the module, at which the paths of the tests begin. Each test
// calls it first: go test knows which files a test reads, and runs it again when one has changed,
// only if the directory is changed by a test.
func atTop(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("go.mod"); err == nil {
		return
	}
	if err := os.Chdir("../../.."); err != nil {
		t.Fatal(err)
	}
}
