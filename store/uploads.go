// Uploaded images: their files beside the log, and their place in the indexes.

package store

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"almanac/store/media"
	"almanac/store/wal"
)

// sweepEvery is how often a store that takes changes looks for directories of uploads that no record names.
const sweepEvery = 24 * time.Hour

// ErrNoPictures is in the error of files of an upload that could not be written.
var ErrNoPictures = media.ErrWrite

// Media returns the files of uploads. A directory has to be written before a record that names it is put, and is removed some
// time after no record names it any more: see Options.Keep.
func (s *Store) Media() media.Files { return *s.media.Load() }

func (s *Store) setMedia(files media.Files) { s.media.Store(&files) }

// openMedia opens the files of uploads of a directory.
func (s *Store) openMedia(fsys wal.Files) error {
	disk, err := media.OpenDisk(fsys, func(directory string) int64 {
		if i, ok := s.index.get(Images, s.index.directories[directory]).(*Image); ok {
			return i.StoredBytes()
		}
		return 0
	})
	if err == nil {
		s.setMedia(disk)
		err = s.sweep(s.now())
	}
	if err != nil {
		return fmt.Errorf("store: media: %w", err)
	}
	return nil
}

// sweep removes the files of uploads that no record has named for as long as Keep says. A store that keeps everything
// removes none.
func (s *Store) sweep(now time.Time) error {
	if s.keep == 0 || s.journal == nil {
		return nil
	}
	return s.Media().Sweep(func(directory string) bool {
		s.mu.RLock()
		defer s.mu.RUnlock()
		return s.index.directories[directory] != 0
	}, now, s.keep)
}

// sweepIfDue sweeps in the background, with the first change of a day.
func (s *Store) sweepIfDue(now time.Time) {
	if s.swept.IsZero() {
		s.swept = now // Open has swept
	}
	if now.Sub(s.swept) < sweepEvery {
		return
	}
	s.swept = now
	s.work.Go(func() {
		if err := s.sweep(now); err != nil {
			s.log.Error("files of pictures were not removed", "err", err)
		}
	})
}

// uploads verifies the files of all uploads of the state.
func (v *verifier) uploads() error {
	for _, r := range v.state.uploads {
		i, found := r.(*Image), len(v.report.Findings)+v.report.More
		for _, f := range i.Stored() {
			if err := v.ctx.Err(); err != nil {
				return err
			}
			if err := media.Verify(v.Files, i.Directory, f.Name, f.Bytes, f.SHA256); err != nil {
				v.find(media.Dir+"/"+i.Directory+"/"+f.Name, err)
			}
		}
		if len(v.report.Findings)+v.report.More == found {
			v.report.Uploads++
		}
	}
	return nil
}

// byUpload is the order of uploads: newest first.
func byUpload(a, b Record) int {
	return cmp.Or(b.(*Image).Date.Compare(a.(*Image).Date), cmp.Compare(b.Key(), a.Key()))
}

// upload adds an uploaded image to the indexes, or takes it out.
func (x *index) upload(i *Image, by int64) {
	if i.Directory == "" {
		return
	}
	if by > 0 {
		enterRecord(&x.uploads, i, byUpload)
		x.directories[i.Directory] = i.ID
	} else {
		leaveRecord(&x.uploads, i, byUpload)
		delete(x.directories, i.Directory)
	}
	if x.uploaded[i.Author] += by * i.StoredBytes(); x.uploaded[i.Author] == 0 {
		delete(x.uploaded, i.Author)
	}
}

// Uploads returns the uploaded images, newest first. The slice is the store's, and valid as long as the View.
func (v *View) Uploads() []Record { return v.base.uploads }

// ByDirectory returns the uploaded image with a directory, or nil.
func (r *Reader) ByDirectory(directory string) *Image {
	i, _ := r.by(Images, func(x *index) int64 { return x.directories[directory] }).(*Image)
	return i
}

// Uploaded returns the bytes of the files of an account's uploads. In a transaction, uploads that it replaced count too.
func (r *Reader) Uploaded(account int64) int64 {
	sum := r.base.uploaded[account]
	if r.over != nil {
		sum += r.over.uploaded[account]
	}
	return sum
}

// Showing returns the events, venues, organizers and series that show an image, whatever their status.
func (r *Reader) Showing(image int64) (all []Record) {
	for _, k := range []Kind{Events, Venues, Organizers, AllSeries} {
		for rec := range r.Each(k) {
			if PostOf(rec).Image == image {
				all = append(all, rec)
			}
		}
	}
	slices.SortFunc(all, byKey)
	return all
}
