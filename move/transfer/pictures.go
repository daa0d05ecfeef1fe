// Pictures that records bring along.

package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"almanac/internal/cli"
	"almanac/internal/text/caltime"
	"almanac/internal/write"
	"almanac/internal/write/intake"
	"almanac/move/client"
	"almanac/store"
)

// Bounds of fetching.
const (
	fetchTime = 30 * time.Second // for a picture
	fetchMost = time.Hour        // for all pictures of a source
)

// errFetchedLong is the reason for pictures that were not fetched any more.
var errFetchedLong = fmt.Errorf("it was not fetched: the pictures before it took more than %v; "+
	"give the same command again", fetchMost)

// A gallery has the files of the pictures of an import. Its zero value has none.
type gallery struct {
	dir   *os.Root // of -pictures; nil without it
	fetch bool
	most  int64 // bytes of a file

	source string          // address that somebody named for the records, or ""
	spent  time.Duration   // on fetching for the source
	tried  map[string]bool // addresses that the source named

	taken int // pictures from files
	left  int // pictures that no flag takes along
}

// openGallery opens the directory of -pictures, and prepares to fetch.
func (s *Settings) openGallery() (g gallery, err error) {
	g = gallery{fetch: s.Fetch, most: int64(s.PictureMB) << 20}
	if s.Pictures != "" {
		if g.dir, err = os.OpenRoot(s.Pictures); err != nil {
			err = cli.Usage(fmt.Errorf("-pictures: %w", err))
		}
	}
	return g, err
}

// From begins the records of a source: the address that somebody named for it, or "" for files.
// Pictures may come from its host, also in a private network.
func (l *Loader) From(source string) {
	l.pictures.source = source
	l.pictures.spent = 0
	l.pictures.tried = map[string]bool{}
}

// find returns the name of the file of a picture in the directory of -pictures, or "". A name from
// a document may lead nowhere else, and to no pipe.
func (g *gallery) find(p picture) string {
	if g.dir == nil {
		return ""
	}
	for _, name := range p.names() {
		name = filepath.FromSlash(name)
		if info, err := g.dir.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}

// read returns a picture, and the name that people know it by: the file with a name, or without a
// name what its address gives.
func (g *gallery) read(
	ctx context.Context,
	p picture,
	name string,
) (data []byte, shown string, err error) {
	shown = pictureName(p.address)
	switch {
	case name != "":
		if name != p.file { // which is a hash
			shown = filepath.Base(name)
		}
		var f *os.File
		if f, err = g.dir.Open(name); err == nil {
			data, err = io.ReadAll(io.LimitReader(f, g.most+1))
			f.Close()
		}
	case !g.fetch:
		err = fmt.Errorf("there is no file of this name in %s", g.dir.Name())
	case g.spent > fetchMost:
		err = errFetchedLong
	default:
		data, err = g.get(ctx, p)
	}
	switch {
	case err != nil && !errors.Is(err, client.ErrTooLong):
	case err == nil && len(data) == 0:
		err = errors.New("it is empty")
	case err != nil || int64(len(data)) > g.most:
		err = fmt.Errorf(
			"it is larger than %d MB: save it smaller, or give a larger -max-picture-mb",
			g.most>>20,
		)
	}
	return data, shown, err
}

// get fetches a picture from its address.
func (g *gallery) get(ctx context.Context, p picture) ([]byte, error) {
	now := caltime.System().Now
	began := now()
	crawler := client.Crawler{
		Accept:  "image/*",
		Timeout: fetchTime,
		Most:    g.most,
		Tries:   1,
		Now:     now,
		Named:   g.source,
		Site:    p.site,
	}
	page, err := crawler.Get(ctx, p.address)
	g.spent += now().Sub(began)
	if err == nil && page.Code != http.StatusOK {
		err = errors.New("the site answers " + page.Status)
	}
	return page.Body, err
}

// errNotTaken is in the error of a picture that the target refuses.
var errNotTaken = errors.New("the picture is refused")

// picture takes one picture of an item along, unless the target has it. A picture that cannot be
// had is a refusal of its own.
func (l *Loader) picture(item intake.Item, p picture) error {
	if l.pictures.tried[p.address] {
		return nil
	}
	l.pictures.tried[p.address] = true
	if l.pictures.dir == nil && !l.pictures.fetch {
		l.pictures.left++
		return nil
	}
	name := l.pictures.find(p)
	isFile := name != ""
	taken, err := l.target.picture(p, "", nil)
	if err == nil && taken.ID == 0 {
		var data []byte
		if data, name, err = l.pictures.read(l.ctx, p, name); err == nil {
			taken, err = l.target.picture(p, name, data)
			if err == nil && isFile {
				l.pictures.taken++
			}
		} else {
			err = fmt.Errorf("%w: %w", errNotTaken, err)
		}
	}
	switch {
	case l.ctx.Err() != nil:
		return fmt.Errorf("%w: %w", errStopped, context.Cause(l.ctx))
	case errors.Is(err, errNotTaken):
		l.Report.Merge(intake.Report{Refusals: []intake.Refusal{{
			Kind:     store.Images.String(),
			File:     item.File,
			Position: item.Position,
			Line:     item.Line,
			ID:       p.address,
			Reason:   strings.TrimPrefix(err.Error(), errNotTaken.Error()+": "),
		}}})
		if l.strict {
			l.tell()
			return fmt.Errorf("%w: a picture cannot be taken", errStopped)
		}
	case err != nil:
		return fmt.Errorf("%w: picture %s: %w", errStopped, p.address, err)
	case taken.ID != 0:
		l.Report.Merge(intake.Report{
			Records: map[store.Kind]map[int64]write.Outcome{
				store.Images: {
					taken.ID: taken.Outcome,
				},
			},
		})
	}
	return nil
}

// WritePictures writes how many pictures came from files, and how many stayed where they are
// because no flag took them along.
func (l *Loader) WritePictures(w io.Writer) {
	if n := l.pictures.taken; n > 0 {
		fmt.Fprintf(w, "pictures taken from files in %s: %d\n", l.pictures.dir.Name(), n)
	}
	if n := l.pictures.left; n > 0 {
		fmt.Fprintf(
			w,
			"pictures left where they are: %d; give -pictures DIRECTORY to take files along, "+
				"or -fetch-pictures\n",
			n,
		)
	}
}
