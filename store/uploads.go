// Uploaded images: their files beside the log, and their place in the indexes.

package store

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"

	"almanac/store/media"
)

// sweepEvery is how often a store that takes changes looks for directories of uploads that no
// record names.
const sweepEvery = 24 * time.Hour

// ErrNoPictures is in the error of files of an upload that could not be written.
var ErrNoPictures = media.ErrWrite

// Media returns the files of uploads. A directory has to be written before a record that names it
// is put, and is removed some time after no record names it any more: see Options.Keep.
func (s *Store) Media() media.Files { return *s.media.Load() }

func (s *Store) setMedia(files media.Files) { s.media.Store(&files) }

// sweep removes the files of uploads that no record has named for as long as Keep says. A store
// that keeps everything removes none.
func (s *Store) sweep(now time.Time) error {
	disk, ok := s.Media().(media.Disk)
	if s.keep == 0 || !ok {
		return nil
	}
	if err := disk.Sweep(s.namesDirectory, now, s.keep); err != nil {
		return fmt.Errorf("store: media: %w", err)
	}
	return nil
}

// namesDirectory reports whether an upload has a directory.
func (s *Store) namesDirectory(directory string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return (&Reader{base: s.index}).ByDirectory(directory) != nil
}

// UploadRoom returns the bytes that the files of all uploads take, and of them those that count on
// an account: the files of its uploads, and of each directory that it made and that waits for its
// removal. An upload that is not yet put must not be among the files.
func (s *Store) UploadRoom(account int64) (own, all int64, err error) {
	waiting, err := s.Media().Waiting(s.namesDirectory)
	if err != nil {
		return 0, 0, fmt.Errorf("store: media: %w", err)
	}
	count := func(author, bytes int64) {
		if all += bytes; author == account {
			own += bytes
		}
	}
	for _, w := range waiting {
		count(w.Account, w.Bytes)
	}
	err = s.View(func(v *View) error {
		for _, r := range v.Uploads() {
			i := r.(*Image)
			count(i.Author, UploadBytes(i))
		}
		return nil
	})
	return own, all, err
}

// UploadBytes returns what the files of an upload take on the disk, about.
func UploadBytes(i *Image) int64 {
	sizes := []int64{1} // the account
	for _, f := range i.Stored() {
		sizes = append(sizes, f.Bytes)
	}
	return media.Room(sizes...)
}

// sweepIfDue sweeps in the background, with the first change of a day.
func (s *Store) sweepIfDue(now time.Time) {
	if since := now.Sub(s.swept); 0 <= since &&
		since < sweepEvery { // a clock may have been set back
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
		i := r.(*Image)
		found := len(v.report.Findings) + v.report.More
		for _, f := range i.Stored() {
			if err := v.ctx.Err(); err != nil {
				return err
			}
			if err := (media.Disk{
				Files: v.Files,
			}).Copy(io.Discard, i.Directory, f.Name, f.Bytes, f.SHA256); err != nil {
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

// Uploads returns the uploaded images, newest first. The slice is the store's, and valid as long
// as the View.
func (v *View) Uploads() []Record { return v.base.uploads }

// ByDirectory returns the uploaded image with a directory, or nil.
func (r *Reader) ByDirectory(directory string) *Image {
	if i := r.byAddress(MediaPath + directory); i != nil && i.Directory == directory {
		return i
	}
	return nil
}

// Showing returns the events, venues, organizers and series that show an image, whatever their
// status.
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
