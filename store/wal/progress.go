// How much has been read.

package wal

// A Progress counts bytes that were read. A nil progress does not.
type Progress struct {
	Report      func(done, total int64)
	done, total int64
}

// add counts bytes more.
func (p *Progress) add(n int) {
	if p != nil && n > 0 {
		p.done += int64(n)
		p.Report(p.done, max(p.done, p.total))
	}
}

// Expect says what is to be read: a snapshot, and the segments from its
// transaction on.
func (p *Progress) Expect(fsys Files, m *Manifest, segments []uint64) {
	if p == nil {
		return
	}
	p.done, p.total = 0, 0
	for _, f := range m.Files {
		p.total += f.Bytes
	}
	for _, first := range segments[segmentOf(segments, m.Seq):] {
		size, _ := fsys.Size(SegmentName(first))
		p.total += size
	}
}
