package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/store"
)

// copier returns the program of docs/growth.md that copies a data directory.
func copier(t *testing.T) (name string) {
	t.Helper()
	program := regexp.MustCompile(`(?s)<<'END'\n(.*?)END\n`).
		FindStringSubmatch(readFile(t, "docs/growth.md"))
	if program == nil {
		t.Fatal("docs/growth.md has no program that copies")
	}
	name = filepath.Join(t.TempDir(), "copy.sh")
	if err := os.WriteFile(name, []byte(program[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The program of docs/growth.md copies a directory again and again while 2,000 transactions are
// written to it, with snapshots and pruning. Each copy verifies, opens, and has everything that
// was acknowledged before it began; the last one is served. Time passes after each copy alone, so
// that the time to keep is longer than a copy takes, however slow the machine is.
func TestCopies(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "rsync"} {
		if missing(tool) {
			t.Skipf(
				"the copies of docs/growth.md are not tried out: there is no %s on this machine",
				tool,
			)
		}
	}
	const (
		writes  = 2000
		records = 50
		each    = 250 // transactions between the end of a copy and the end of the next one, at most
	)
	dir := filepath.Join(t.TempDir(), "data")
	to := filepath.Join(t.TempDir(), "standby")
	program := copier(t)
	first := startServer(t, on(dir, still...)...)
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	var minutes atomic.Int64
	began := time.Date(2031, 5, 10, 13, 0, 0, 0, time.UTC)
	s, err := store.Open(store.Options{
		Dir:      dir,
		Segment:  4 << 10,
		Snapshot: 32 << 10,
		Keep:     90 * time.Second,
		Now:      func() time.Time { return began.Add(time.Duration(minutes.Load()) * time.Minute) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var acknowledged atomic.Int64
	copied := make(chan struct{}, writes)
	written := make(chan error, 1)
	go func() {
		defer close(written)
		for i := int64(1); i <= writes; i++ {
			if i%each == 0 {
				<-copied
			}
			err := s.Update(1, func(tx *store.Tx) error {
				tag := &store.Term{
					Taxonomy: store.Tags,
					Name:     fmt.Sprint(i),
					Slug:     fmt.Sprint("tag-", i%records),
				}
				if i > records {
					tag.ID = (i-1)%records + 1
				}
				return tx.Put(tag)
			})
			if err != nil {
				written <- err
				return
			}
			acknowledged.Store(i)
		}
	}()

	good := 0
	again := 0
	for running := true; running; {
		select {
		case err, failed := <-written:
			if failed {
				t.Fatal(err)
			}
			running = false // this copy is the last one
		default:
		}
		from := acknowledged.Load()
		if out, err := exec.Command("sh", program, dir, to).CombinedOutput(); err != nil {
			if !running ||
				!bytes.Contains(out, []byte("vanished")) &&
					!bytes.Contains(out, []byte("No such file")) {
				t.Fatalf("copy %d: %v\n%s", good+again, err, out)
			}
			again++ // a snapshot was removed meanwhile
			continue
		}
		good++
		checkCopy(t, filepath.Join(to, "last"), from, records)
		minutes.Add(1)
		copied <- struct{}{}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	segments, err := filepath.Glob(filepath.Join(dir, "log", "*"))
	if err != nil || good < writes/each || strings.HasSuffix(segments[0], "00001.jsonl") {
		t.Errorf(
			"%d copies, and %d that were begun again; the log begins with %s (%v): want %d copies, and pruning",
			good,
			again,
			segments[0],
			err,
			writes/each,
		)
	}
	t.Logf(
		"%d copies, and %d that were begun again; %d segments are left",
		good,
		again,
		len(segments),
	)

	second := startServer(t, on(filepath.Join(to, "last"), still...)...)
	second.Token = first.Token
	if tags := second.Admin().Must(t, "GET", v1+"/tags?hide_empty=false", ""); !strings.Contains(
		tags,
		fmt.Sprintf(`"total":%d`, records),
	) {
		t.Errorf("the second machine has not %d tags: %s", records, tags)
	}
	second.Admin().Must(t, "POST", v1+"/tags", `{"name":"written on the second machine"}`)
}

// checkCopy looks at a copy that has to have the first transactions of TestCopies. It opens a copy
// of the copy: opening writes.
func checkCopy(t *testing.T, last string, from int64, records int64) {
	t.Helper()
	if exit, report, stderr := runCommand(t, "verify", "-data", last); exit != 0 {
		t.Fatalf("after %d transactions: verify ended with %d\n%s%s", from, exit, report, stderr)
	}
	opened := filepath.Join(t.TempDir(), "opened")
	if err := os.CopyFS(opened, os.DirFS(last)); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Dir: opened})
	if err != nil {
		t.Fatalf("after %d transactions: %v", from, err)
	}
	defer s.Close()
	err = s.View(func(v *store.View) error {
		for i := max(1, from-records+1); i <= from; i++ {
			r, _ := v.Get(store.Tags, (i-1)%records+1).(*store.Term)
			if r == nil {
				return fmt.Errorf("the tag of transaction %d is not there", i)
			}
			if n, err := strconv.ParseInt(r.Name, 10, 64); n < i {
				return fmt.Errorf(
					"transaction %d was acknowledged before the copy, which has %d of its tag (%v)",
					i,
					n,
					err,
				)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
