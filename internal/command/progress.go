// How far an import, or the opening of a store, has come, for those who watch it.

package command

import (
	"fmt"
	"io"
	"time"

	"almanac/internal/systemd"
)

// When progress is shown: not for what is over at once.
const (
	progressAfter = time.Second
	progressEvery = time.Second / 5
)

// A progress shows records and bytes on one line of a terminal.
type progress struct {
	w           io.Writer        // nil shows nothing
	now         func() time.Time // the real time: somebody waits in it
	next        time.Time        // when to show it again
	shown       bool
	records     int
	bytes, size int64 // read, and of all files; size 0 is unknown
}

// newProgress makes a progress for files of a size together.
func newProgress(w io.Writer, size int64, quiet bool) *progress {
	p := &progress{now: time.Now, size: size}
	if !quiet && systemd.IsTerminal(w) {
		p.w = w
	}
	p.next = p.now().Add(progressAfter)
	return p
}

// add counts records that were stored.
func (p *progress) add(records int) {
	p.records += records
	now := p.now()
	if p.w == nil || now.Before(p.next) {
		return
	}
	p.next, p.shown = now.Add(progressEvery), true
	of := ""
	if p.size > 0 {
		of = fmt.Sprintf(" of %.1f", float64(p.size)/1e6)
	}
	what := "reading the data directory"
	if p.records > 0 {
		what = fmt.Sprint(p.records, " records")
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s, %.1f%s MB", what, float64(p.bytes)/1e6, of)
}

// reach notes how many bytes were read of all there are.
func (p *progress) reach(done, total int64) {
	p.bytes, p.size = done, total
	p.add(0)
}

// clear takes the line away.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// Write counts bytes that were read.
func (p *progress) Write(b []byte) (int, error) {
	p.bytes += int64(len(b))
	return len(b), nil
}
