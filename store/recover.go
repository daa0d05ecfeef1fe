// Recovery, from the files to a journal that goes on and to the indexes of a store, and a look at
// a directory of another process.

package store

import (
	"cmp"
	"errors"
	"slices"

	"almanac/store/record"
	"almanac/store/wal"
)

// read loads the newest snapshot that verifies, and the log after it, and notes where it leads. It
// changes no file.
func (j *journal) read(
	fsys wal.Files,
	o journalOptions,
	load func(*wal.Entry),
) (*wal.Replay, error) {
	all, err := wal.ListFiles(fsys)
	if err != nil {
		return nil, err
	}
	j.at = record.Position{NextPost: 1, NextTerm: 1}
	r := &wal.Replay{
		Reader: wal.Reader{
			Files:  fsys,
			Decode: record.DecodeLine,
		},
		Load: func(l *wal.Line) {
			j.at.Note(record.ChangeOf(&l.Entry))
			load(&l.Entry)
		},
	}
	if o.progress != nil {
		r.Progress = &wal.Progress{Report: o.progress}
	}
	var least uint64
	if len(all.Snapshots) > 0 {
		least = all.Snapshots[len(all.Snapshots)-1]
	}
	for _, seq := range slices.Backward(all.Snapshots) {
		m, err := wal.ReadManifest(fsys, seq, record.SnapshotFiles)
		records := new(Change)
		last := [kinds]int64{}
		var forged error // a file is as the manifest says, and not as one is written
		if err == nil {
			r.Progress.Expect(fsys, m, all.Segments)
			forged = record.ReadSnapshot(fsys, m, r.Progress, func(r Record) {
				if last[r.Kind()] = r.Key(); o.only == nil || o.only(r.Kind()) {
					records.Add(r)
				}
			})
			if forged != nil {
				err = m.Verify(fsys)
			}
		}
		var corrupt *CorruptError
		if errors.As(err, &corrupt) {
			// The log has all that it held, or replay refuses.
			o.Logger.Warn("snapshot is damaged; recovering from what is older, and from the log",
				"file", corrupt.File, "err", corrupt.Err)
			if r.Bad == nil {
				r.Bad = err
			}
			continue
		}
		if err = cmp.Or(err, forged); err != nil { // err: a newer format
			return nil, err
		}
		r.Base = m.At()
		r.Manifest = m.Sum()
		j.at = record.PositionOf(m)
		j.taken.Store(&m.Time)
		for k, id := range last {
			j.at.Count(Kind(k), id)
		}
		load(&wal.Entry{Value: records})
		break
	}
	if r.Base.Seq == 0 {
		r.Progress.Expect(fsys, new(wal.Manifest), all.Segments)
	}
	err = r.Recover(all.Segments, least)
	j.at.Position = r.At
	return r, err
}

// Peek returns the present state of a directory as a store in memory, to read and
// to change without consequences. It takes no lock and changes no file, so a
// server may have the directory open and go on writing; Peek may miss later
// transactions. It uses the directory, the clock, the logger and Progress of o.
// The caller closes the store.
//
// Damage that Open would refuse is refused with the same *CorruptError, and a
// directory without a log with an error that says so.
func Peek(o Options) (*Store, error) {
	fsys, err := wal.ReadDir(o.Dir)
	if err != nil {
		return nil, err
	}
	s, err := peek(o, fsys)
	return s, errors.Join(err, fsys.Close())
}

// peek reads, and starts over when the store that has the directory open has
// pruned meanwhile what was to be read.
func peek(o Options, fsys wal.Files) (*Store, error) {
	var s *Store
	err := wal.AttemptLog(fsys, func(wal.Listing) error {
		s = newStore(o)
		s.index = newIndex()
		var j journal
		_, err := j.read(fsys, journalOptions{
			Options: wal.Options{
				Logger: s.log,
			},
			progress: o.Progress,
		}, s.index.load)
		if err == nil {
			s.begin(j.at)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// load takes the records of a snapshot, and then of each line of the log, while a store is opened.
// The indexes come last, by fill.
func (x *index) load(e *wal.Entry) {
	change := record.ChangeOf(e)
	reader := &Reader{base: x}
	change.Each(func(r Record) {
		reader.shareTexts(r)
		x.records[r.Kind()][r.Key()] = r
	})
	for _, gone := range change.Removed {
		delete(x.records[gone.Kind], gone.ID)
	}
}

// fill makes the indexes and lists of the records.
func (x *index) fill() {
	for k, records := range x.all() {
		switch Kind(k) { // in the order of their lists
		case Venues, Organizers:
			slices.SortFunc(records, byNewest)
		case Images:
			slices.SortFunc(records, byUpload)
		}
		for _, r := range records {
			x.enter(r)
			if e, ok := r.(*Event); ok {
				x.count(e, +1)
			}
		}
	}
	x.makeLists()
}
