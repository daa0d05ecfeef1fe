// Pictures of an export: their files beside the document.

package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/intake/seed"
	"almanac/store"
	"almanac/store/media"
)

// writeSeed writes the records as a seed, and with -pictures the files of the uploads that it names. Files that are missing or
// damaged are an error after all others were written.
func (s *exportSettings) writeSeed(w io.Writer, st *store.Store, stderr io.Writer) error {
	var uploads []store.Record
	_ = st.View(func(v *store.View) error {
		uploads = v.Uploads()
		return nil
	})
	pictures := seed.Pictures{Site: strings.TrimSuffix(s.url, "/"), Files: map[int64]string{}}
	if s.pictures == "" {
		if len(uploads) > 0 && s.url == "" {
			fmt.Fprintf(stderr, "the files of %d pictures are not exported, and their addresses have no host: give -pictures DIRECTORY, or -url\n",
				len(uploads))
		}
		return seed.Write(w, st, pictures)
	}
	lost := s.copyPictures(uploads, pictures.Files)
	if err := seed.Write(w, st, pictures); err != nil {
		return err
	}
	return lost
}

// copyPictures copies files as they were sent, and notes their names: the hash, and an extension. The copy of an earlier export stays.
func (s *exportSettings) copyPictures(uploads []store.Record, names map[int64]string) error {
	if err := os.MkdirAll(s.pictures, 0o700); err != nil || len(uploads) == 0 {
		return err
	}
	to, err := os.OpenRoot(s.pictures)
	if err != nil {
		return err
	}
	defer to.Close()
	from, err := os.OpenRoot(filepath.Join(s.data, media.Dir))
	if err != nil {
		return err
	}
	defer from.Close()
	var lost []error
	for _, r := range uploads {
		i := r.(*store.Image)
		name := i.Sent // a SHA-256, which leads to no other directory
		if ext := "." + i.Extension; slices.Contains([]string{".jpg", ".png", ".webp"}, ext) {
			name += ext
		}
		if err := copyPicture(from, filepath.Join(i.Directory, store.SentName), to, name, i.Sent); err != nil {
			lost = append(lost, fmt.Errorf("picture %d: %w", i.ID, err))
			continue
		}
		names[i.ID] = name
	}
	return errors.Join(lost...)
}

// copyPicture copies a file with a hash, unless the copy is there.
func copyPicture(from *os.Root, source string, to *os.Root, name, hash string) (err error) {
	if has, err := copyHashed(io.Discard, to, name); err == nil && has == hash {
		return nil
	}
	temporary := name + ".tmp"
	f, err := to.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	has, err := copyHashed(f, from, source)
	if err == nil && has != hash {
		err = fmt.Errorf("%s is damaged: its SHA-256 is %s, and was %s", filepath.Join(from.Name(), source), has, hash)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		return to.Rename(temporary, name)
	}
	return errors.Join(err, to.Remove(temporary))
}

// copyHashed copies a file and returns its SHA-256.
func copyHashed(to io.Writer, root *os.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(to, sum), f)
	return hex.EncodeToString(sum.Sum(nil)), err
}
