// Directories that change while they are restored from.

package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"almanac/store/wal"
)

// A rewriting context changes something before it says for the first time whether
// it has ended.
type rewriting struct {
	context.Context
	rewrite func()
}

func (r rewriting) Err() error { r.rewrite(); return r.Context.Err() }

// Restore compares hashes: it refuses a log that is rewritten between reading and copying, even
// if all of its lines are valid.
func TestRestoreFromARewrittenLog(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "from")
	to := filepath.Join(t.TempDir(), "to")
	s, err := Open(Options{Dir: dir, Snapshot: -1})
	must(t, err)
	put(t, s, category("Music", 0))
	put(t, s, category("Dance", 0))
	must(t, s.Close(), s.Check())
	name := filepath.Join(dir, filepath.FromSlash(wal.SegmentName(1)))
	var failed error
	rewrite := sync.OnceFunc(func() {
		log, err := os.ReadFile(name)
		at := bytes.IndexByte(log, '\n') + 1
		body := strings.Replace(string(bodyOf(log[at:])), "Dance", "Films", 1)
		failed = errors.Join(
			err,
			os.WriteFile(name, append(append(log[:at:at], sealed(body)...), '\n'), 0o600),
		)
	})
	_, err = Restore(rewriting{t.Context(), rewrite}, to, RestoreOptions{From: dir, Now: testTime})
	must(t, failed)
	if err == nil || !strings.Contains(err.Error(), "was restored, and not") {
		t.Errorf("error %v from a log that is not the one that was read", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("something was restored")
	}
	if _, err := Restore(t.Context(), to, RestoreOptions{From: dir, Now: testTime}); err != nil {
		t.Errorf("the rewritten log by itself: %v", err)
	}
}
