// How much has been read.

package store

import "io/fs"

// A progress counts bytes that were read. A nil progress does not.
type progress struct {
	report      func(done, total int64)
	done, total int64
}

// add counts bytes more.
func (p *progress) add(n int) {
	if p != nil && n > 0 {
		p.done += int64(n)
		p.report(p.done, max(p.done, p.total))
	}
}

// expect says what is to be read: a snapshot, and the segments from its
// transaction on.
func (p *progress) expect(fsys files, m *manifest, segments []uint64) {
	if p == nil {
		return
	}
	p.done, p.total = 0, 0
	for _, f := range m.Files {
		p.total += f.Bytes
	}
	for _, first := range segments[segmentOf(segments, m.Seq):] {
		p.total += sizeOf(fsys, segmentName(first))
	}
}

// sizeOf returns the bytes of a file, 0 when it is not one of the system's.
func sizeOf(fsys files, name string) int64 {
	f, err := fsys.open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	if f, ok := f.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil {
			return info.Size()
		}
	}
	return 0
}
