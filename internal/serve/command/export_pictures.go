// Pictures of an export: their files beside the document.

package command

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/write/seed"
	"almanac/store"
	"almanac/store/disk"
	"almanac/store/media"
)

// writeSeed writes the records as a seed, and with -pictures the files of the uploads that it
// names. Files that are missing or damaged are an error after all others were written.
func (s *exportSettings) writeSeed(w io.Writer, st *store.Store, stderr io.Writer) error {
	var uploads []store.Record
	_ = st.View(func(v *store.View) error {
		uploads = v.Uploads()
		return nil
	})
	pictures := seed.Pictures{Site: strings.TrimSuffix(s.url, "/"), Files: map[int64]string{}}
	if s.pictures == "" {
		if len(uploads) > 0 && s.url == "" {
			fmt.Fprintf(
				stderr,
				"the files of %d pictures are not exported, and their addresses have no host: give -pictures DIRECTORY, or -url\n",
				len(uploads),
			)
		}
		return seed.Write(w, st, pictures)
	}
	lost := s.copyPictures(uploads, pictures.Files)
	if err := seed.Write(w, st, pictures); err != nil {
		return err
	}
	return lost
}

// copyPictures copies files as they were sent, and notes their names: the hash, and an extension.
// The copy of an earlier export stays.
func (s *exportSettings) copyPictures(uploads []store.Record, names map[int64]string) error {
	lost := []error{os.MkdirAll(s.pictures, 0o700)}
	for _, r := range uploads {
		i := r.(*store.Image)
		source := filepath.Join(s.data, media.Dir, i.Directory, store.SentName)
		name := i.Sent // a SHA-256, which leads to no other directory
		if ext := "." + i.Extension; slices.Contains([]string{".jpg", ".png", ".webp"}, ext) {
			name += ext
		}
		data, err := os.ReadFile(source)
		if has := fmt.Sprintf("%x", sha256.Sum256(data)); err == nil && has != i.Sent {
			err = fmt.Errorf("%s is damaged: its SHA-256 is %s, and was %s", source, has, i.Sent)
		}
		to := filepath.Join(s.pictures, name)
		if has, failed := os.ReadFile(to); err == nil &&
			(failed != nil || !bytes.Equal(has, data)) {
			err = disk.Replace(
				to,
				func(w io.Writer) error { _, err := w.Write(data); return err },
			)
		}
		if err != nil {
			lost = append(lost, fmt.Errorf("picture %d: %w", i.ID, err))
			continue
		}
		names[i.ID] = name
	}
	return errors.Join(lost...)
}
