// FORMAT.md tells the truth: its commands run.

package store

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"almanac/store/wal"
)

func TestFormatCommands(t *testing.T) {
	for _, tool := range []string{"sh", "sha256sum", "awk"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	text, err := os.ReadFile("FORMAT.md")
	must(t, err)
	blocks := strings.Split(string(text), "```sh\n")[1:]
	if len(blocks) != 3 {
		t.Fatalf("%d commands, want 3", len(blocks))
	}
	dir := t.TempDir()
	run := func(block int) string {
		cmd := exec.Command("sh", "-c", blocks[block][:strings.Index(blocks[block], "```")])
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		return string(out)
	}

	fsys, err := wal.OpenDir(dir)
	must(t, err)
	l := &ledger{t: t}
	j := opened(t, l, fsys, 2000)
	for range 3 {
		must(t, l.commit(j, 4), l.snapshot(j))
	}
	must(t, l.commit(j, 1))
	if got, want := run(0), "the chain is whole\n"; got != want {
		t.Errorf("chain: %q, want %q", got, want)
	}
	if got, want := run(1), fmt.Sprintf("%x", j.at.Head); !strings.HasPrefix(got, want) {
		t.Errorf("head: %q, want %q", got, want)
	}
	got := run(2)
	for _, seq := range []int{9, 14} {
		if want := fmt.Sprintf("%x  -\n%d is in the log\n%d is named by the log\n", l.position(seq).Head, seq,
			seq); !strings.Contains(
			got,
			want,
		) {
			t.Errorf("snapshots: %s, want %q", got, want)
		}
	}
	if n := strings.Count(got, ".json: OK\n"); n != 16 {
		t.Errorf("snapshots: %d files are OK, want 16", n)
	}

	// Of a pruned log, too.
	must(t, j.Close())
	l.keep = -1
	if fsys, err = wal.OpenDir(dir); err == nil {
		j = opened(t, l, fsys, 2000)
	}
	must(t, err, l.snapshot(j), l.commit(j, 2), j.Close())
	first := segmentsOf(t, reading(t, dir))[0]
	if got, want := run(0), "the chain is whole\n"; got != want || first == 1 {
		t.Errorf("chain from line %d: %q, want %q", first, got, want)
	}

	name := filepath.Join(dir, filepath.FromSlash(wal.SegmentName(first)))
	data, err := os.ReadFile(name)
	must(t, err)
	must(
		t,
		os.WriteFile(
			name,
			[]byte(strings.Replace(string(data), `"account":`, `"account":1`, 1)),
			0o600,
		),
	)
	if got, want := run(0), fmt.Sprintf(`broken: {"v":7,"seq":%d,`, first+1); !strings.HasPrefix(
		got,
		want,
	) {
		t.Errorf("a changed log: %q, want %q", got, want)
	}
}

func reading(t *testing.T, dir string) wal.Files {
	t.Helper()
	fsys, err := wal.ReadDir(dir)
	must(t, err)
	t.Cleanup(func() { fsys.Close() })
	return fsys
}
