// The files of uploaded images.

package record

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"almanac/store/wal"
)

// MediaPath begins the addresses of uploads.
const MediaPath = "/media/"

// SentName is the file of an upload as it was sent. It is never served.
const SentName = "sent"

// Thumbnail is the name of the size that shows a square of the picture.
const Thumbnail = "thumbnail"

// A StoredFile is a file of an upload, below media/ of the data directory.
type StoredFile struct {
	Name   string // in the directory of the upload
	Bytes  int64
	SHA256 string
}

// Full returns the facts of the whole picture as those of a size.
func (i *Image) Full() ImageSize {
	return ImageSize{
		Name:     "full",
		URL:      i.URL,
		Width:    i.Width,
		Height:   i.Height,
		MIMEType: i.Type,
		Filesize: i.Filesize,
		Hash:     i.Hash,
	}
}

// Within returns the facts of the widest file of an upload that shows all of it and is no wider
// than a width, or else of the whole picture. Names of sizes do not tell: earlier versions gave
// them to others.
func (i *Image) Within(width int) ImageSize {
	widest := i.Full()
	for _, size := range i.Sizes {
		isFirst := widest.Width > width
		if size.Name != Thumbnail && size.Width <= width && (isFirst || size.Width > widest.Width) {
			widest = size
		}
	}
	return widest
}

// Stored returns the files of an upload: as sent, served whole, and scaled, each once: sizes of
// the same dimensions share one. An image elsewhere has none.
func (i *Image) Stored() []StoredFile {
	if i.Directory == "" {
		return nil
	}
	files := []StoredFile{{SentName, i.SentBytes, i.Sent}}
	for _, size := range append([]ImageSize{i.Full()}, i.Sizes...) {
		f := StoredFile{path.Base(size.URL), size.Filesize, size.Hash}
		if !slices.Contains(files, f) {
			files = append(files, f)
		}
	}
	return files
}

// Addresses returns the address of an image, and those elsewhere that it was taken from: of an
// upload here or there, also that of its directory, for all its files. No two images share one.
func (i *Image) Addresses() []string {
	all := append([]string{i.URL}, i.Origins...)
	if i.Directory != "" {
		all = append(all, MediaPath+i.Directory)
	}
	for _, origin := range i.Origins {
		if directory := MediaDirectory(origin); directory != "" {
			all = append(all, MediaPath+directory)
		}
	}
	return all
}

var mediaDirectory = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(MediaPath + `([0-9a-f]{32})(/[^/]*)?$`)
})

// MediaDirectory returns the directory of an upload, here or elsewhere, in the address of one of
// its files, or "".
func MediaDirectory(address string) string {
	if found := mediaDirectory().FindStringSubmatch(address); found != nil {
		return found[1]
	}
	return ""
}

// checkForm refuses an upload whose files are not where its directory is, or have no hash.
func (i *Image) checkForm() error {
	if i.Directory == "" {
		return nil
	}
	for _, size := range append([]ImageSize{i.Full()}, i.Sizes...) {
		if name, ok := strings.CutPrefix(size.URL, MediaPath+i.Directory+"/"); !ok || MediaDirectory(size.URL) != i.Directory ||
			name == SentName ||
			path.Clean(size.URL) != size.URL {
			return fmt.Errorf(
				"the address %q is not that of an upload in %q",
				size.URL,
				i.Directory,
			)
		}
	}
	for _, f := range i.Stored() {
		if !wal.IsSHA256(f.SHA256) {
			return fmt.Errorf("the file %s has no SHA-256", f.Name)
		}
	}
	if !hasForm(i.Date) || !hasForm(i.Modified) {
		return errors.New("a date is not in the years 0 to 9999")
	}
	return nil
}
