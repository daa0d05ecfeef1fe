package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A progress is shown on terminals, after a while, and taken away at the end.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
	p := NewProgress(&out, func() time.Time { return now }, 3_000_000, false)
	if p.w != nil {
		t.Error("a buffer is taken for a terminal")
	}
	p.w = &out
	file := p.Watch(strings.NewReader(strings.Repeat("x", 1_500_000)))
	for range 2 { // the second time counts no more
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, file); err != nil {
			t.Fatal(err)
		}
	}
	p.Add(500)
	now = now.Add(2 * time.Second)
	p.Add(500)
	p.Add(1)
	p.Clear()
	if diff := cmp.Diff("\r\x1b[K1000 records, 1.5 of 3.0 MB\r\x1b[K", out.String()); diff != "" {
		t.Errorf("progress (-want, +got):\n%s", diff)
	}
}
