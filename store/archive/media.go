// The files of uploads in a state.

package archive

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"almanac/store/media"
	"almanac/store/record"
	"almanac/store/wal"
)

// mediaName matches the files of uploads in archives.
var mediaName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + media.Dir + `/[0-9a-f]{32}/[a-z0-9-]+(\.[a-z]+)?$`)
})

// images are the uploads of a state: the present ones, and all that the snapshot and the log after
// it have, by directory.
type images struct {
	now map[int64]*record.Image
	all map[string]*record.Image
}

// load has a replay note the images of the snapshot and of each line after it. Only the lines that
// name images are decoded.
func (m *images) load(r *wal.Replay, base *wal.Manifest) error {
	m.now = map[int64]*record.Image{}
	m.all = map[string]*record.Image{}
	note := func(i *record.Image) {
		if m.now[i.ID] = i; i.Directory != "" {
			m.all[i.Directory] = i
		}
	}
	r.Decode = func(l *wal.Line) error {
		if bytes.Contains(l.Change, []byte(`"images"`)) {
			return record.DecodeLine(l)
		}
		return nil
	}
	r.Load = func(l *wal.Line) {
		change := record.ChangeOf(&l.Entry)
		for _, i := range change.Images {
			note(i)
		}
		for _, gone := range change.Removed {
			if gone.Kind == record.Images {
				delete(m.now, gone.ID)
			}
		}
	}
	if base == nil {
		return nil
	}
	at := slices.Index(record.SnapshotOrder[:], record.Images)
	return record.ReadRecords(
		r.Files,
		base,
		at,
		record.Images,
		nil,
		func(r record.Record) { note(r.(*record.Image)) },
	)
}

// stored returns the files of the uploads that are there. A file of a present upload must be:
// without it the state is not whole, but for a point of the past, whose files may have been
// removed since.
func (m *images) stored(fsys wal.Files, past bool) (all []content, err error) {
	for _, directory := range slices.Sorted(maps.Keys(m.all)) {
		i := m.all[directory]
		isPresent := m.now[i.ID] != nil && m.now[i.ID].Directory == directory
		for _, f := range i.Stored() {
			name := media.Dir + "/" + directory + "/" + f.Name
			switch size, err := fsys.Size(name); {
			case err == nil && size == f.Bytes:
				all = append(all, content{member: member{name, f.Bytes, f.SHA256}, file: name})
			case !wal.IsAbsent(err) && err != nil:
				return nil, fmt.Errorf("store: %w", err)
			case isPresent && !past:
				return nil, &wal.CorruptError{
					File: name,
					Err: fmt.Errorf(
						"this file of a picture is missing, or has not %d bytes",
						f.Bytes,
					),
				}
			}
		}
	}
	return all, nil
}

// CopyUpload copies the files of an upload. If one is missing or changed, it copies none.
func CopyUpload(src, to wal.Files, i *record.Image) error {
	files := []media.File{media.OfAccount(i.Author)}
	for _, f := range i.Stored() {
		var data bytes.Buffer
		if err := (media.Disk{
			Files: src,
		}).Copy(&data, i.Directory, f.Name, f.Bytes, f.SHA256); err != nil {
			return fmt.Errorf("%s/%s/%s: %w", media.Dir, i.Directory, f.Name, err)
		}
		files = append(files, media.File{Name: f.Name, Data: data.Bytes()})
	}
	return media.Disk{Files: to}.Write(i.Directory, files)
}
