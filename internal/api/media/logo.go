// Uploads as the logo of the site.

package media

import (
	"fmt"
	"io"
	"path"

	"almanac/internal/wire/pages"
	"almanac/store"
)

// logoWidth is the width of the widest file that is a logo.
const logoWidth = 480

// Logo returns an uploaded picture as a logo: a smaller size, if it has one.
func Logo(st *store.Store, id int64) (logo *pages.Asset, err error) {
	var i *store.Image
	_ = st.View(func(v *store.View) error { i = v.Image(id); return nil })
	if i == nil {
		return nil, fmt.Errorf("there is no picture %d", id)
	}
	shown := i.Within(logoWidth)
	file, err := st.Media().Open(i.Directory, path.Base(shown.URL))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := file.Check(shown.Filesize, shown.Hash); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return pages.NewLogo(text)
}
