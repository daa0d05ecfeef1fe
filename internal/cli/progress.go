// How far an import, or the opening of a store, has come, for those who watch it.

package cli

import (
	"fmt"
	"io"
	"time"

	"almanac/internal/cli/systemd"
)

// When progress is shown: not for what is over at once.
const (
	progressAfter = time.Second
	progressEvery = time.Second / 5
)

// A Progress shows records and bytes on one line of a terminal.
type Progress struct {
	w           io.Writer // nil shows nothing
	now         func() time.Time
	next        time.Time // when to show it again
	shown       bool
	records     int
	bytes, size int64 // read, and of all files; size 0 is unknown
}

// NewProgress makes a progress for files of a size together. The clock is that of the people who
// wait.
func NewProgress(w io.Writer, now func() time.Time, size int64, quiet bool) *Progress {
	p := &Progress{now: now, size: size}
	if !quiet && systemd.IsTerminal(w) {
		p.w = w
		if s, ok := w.(*stream); ok {
			p.w = s.to // takes its line away
		}
	}
	p.next = p.now().Add(progressAfter)
	return p
}

// Add counts records that were stored.
func (p *Progress) Add(records int) {
	p.records += records
	of := ""
	if p.size > 0 {
		of = fmt.Sprintf(" of %.1f", float64(p.size)/1e6)
	}
	what := "reading the data directory"
	if p.records > 0 {
		what = fmt.Sprint(p.records, " records")
	}
	p.Show(fmt.Sprintf("%s, %.1f%s MB", what, float64(p.bytes)/1e6, of))
}

// Show shows a text, if the last text was shown long enough.
func (p *Progress) Show(text string) {
	now := p.now()
	if p.w == nil || now.Before(p.next) {
		return
	}
	p.next = now.Add(progressEvery)
	p.shown = true
	fmt.Fprint(p.w, "\r\x1b[K", text)
}

// Reach notes how many bytes were read of all there are.
func (p *Progress) Reach(done, total int64) {
	p.bytes = done
	p.size = total
	p.Add(0)
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// A Watched file counts the bytes that were read for a progress.
type Watched struct {
	file io.ReadSeeker
	by   *Progress
	read int64
}

// Watch returns a file whose bytes count.
func (p *Progress) Watch(file io.ReadSeeker) *Watched { return &Watched{file, p, 0} }

func (w *Watched) Read(b []byte) (int, error) {
	n, err := w.file.Read(b)
	w.read += int64(n)
	w.by.bytes += int64(n)
	return n, err
}

// Seek goes back in a file that is read again.
func (w *Watched) Seek(offset int64, whence int) (int64, error) {
	at, err := w.file.Seek(offset, whence)
	if err == nil {
		w.by.bytes += at - w.read
		w.read = at
	}
	return at, err
}
