// Uploaded pictures: the list, and the forms that add and change one.

package desk

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"path"
	"slices"
	"strings"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/media"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/store"
)

// The operations on pictures.
var (
	Pictures    = operation("desk.pictures", servePictures)
	NewPicture  = operation("desk.new-picture", serveNewPicture)
	Upload      = api.Uploads(operation("desk.upload", serveUpload))
	EditPicture = operation("desk.edit-picture", serveEditPicture)
	SavePicture = operation("desk.save-picture", serveSavePicture)

	AskPictureMerge = operation("desk.ask-picture-merge", serveAskPictureMerge)
	MergePicture    = operation("desk.merge-picture", serveMergePicture)
)

// servePictures answers GET /desk/pictures, the newest first.
func servePictures(p *page) (*respond.Response, error) {
	l := listing{Search: p.input("search")}
	number := p.number()
	found := p.uploads(p.Store.View, l.Search, math.MaxInt)
	l.Total = len(found)
	found = part(found, number, rowsMost)
	showing := p.showing(found...)
	for _, i := range found {
		one := row{
			Title: pictureName(i),
			Note:  p.factsOf(i, showing[i.ID]),
			Image: p.thumbnail(i),
		}
		if access.MayEditImage(p.Caller, i) {
			one.Href = p.Desk("pictures/" + digits(i.ID))
		}
		l.Rows = append(l.Rows, one)
	}
	p.turn(&l, number)
	if p.MayUpload() {
		l.Add = p.Desk("pictures/new")
	}
	return p.show(http.StatusOK, "records.html", p.T("desk.pictures"), l)
}

// uploads returns the newest uploads that the caller may see, with all words of a search, at most
// as many as said.
func (p *page) uploads(view filters.Viewing, search string, most int) (found []*store.Image) {
	words := filters.ParseWords(search)
	kept := 0
	all := func(v *store.View) []store.Record {
		return slices.Clone(v.Uploads())
	}
	records, _ := filters.InSteps(view, all, func(v *store.View, r store.Record) bool {
		i := r.(*store.Image)
		if kept == most || !access.MaySeeImage(p.Caller, &v.Reader, i.ID) ||
			!words.In(i.Title, i.Alt, i.Caption) {
			return false
		}
		kept++
		return true
	})
	for _, r := range records {
		found = append(found, r.(*store.Image))
	}
	return found
}

// showing returns the records that show each of some pictures, the oldest first, as far as the
// caller finds them in lists. It is for outside of a View.
func (p *page) showing(pictures ...*store.Image) map[int64][]row {
	all := map[int64][]row{}
	viewer := access.ViewerOf(p.Caller)
	for _, i := range pictures {
		all[i.ID] = nil
	}
	var found []store.Record
	for _, k := range []store.Kind{store.Events, store.Venues, store.Organizers} {
		for _, r := range p.all(k) {
			post := store.PostOf(r)
			if _, asked := all[post.Image]; asked && viewer.Sees(post) &&
				post.Status != store.Trash {
				found = append(found, r)
			}
		}
	}
	slices.SortFunc(found, byAge)
	for _, r := range found {
		image := store.PostOf(r).Image
		below := r.Kind().String() + "/" + digits(r.Key())
		all[image] = append(all[image], row{Title: p.nameOf(r), Href: p.Desk(below)})
	}
	return all
}

// pictureName returns the name of a picture in lists.
func pictureName(i *store.Image) string {
	return cmp.Or(i.Title, i.Alt, path.Base(i.URL))
}

// factsOf returns the size of a picture, and the records that show it, in words.
func (p *page) factsOf(i *store.Image, showing []row) string {
	facts := []string{p.sizeOf(i)}
	for _, r := range showing {
		facts = append(facts, r.Title)
	}
	return strings.Join(facts, "\u00a0· ")
}

// sizeOf returns the size of a picture in words.
func (p *page) sizeOf(i *store.Image) string {
	number := p.locale().Number
	bytes := p.T("desk.kilobytes", "{count}", number(int(i.Filesize+999)/1000))
	return number(i.Width) + "\u00a0×\u00a0" + number(i.Height) + "\u00a0· " + bytes
}

// thumbnail returns the address of the smallest file of a picture.
func (p *page) thumbnail(i *store.Image) string {
	small := i.URL
	if n := slices.IndexFunc(i.Sizes, func(s store.ImageSize) bool {
		return s.Name == store.Thumbnail
	}); n >= 0 {
		small = i.Sizes[n].URL
	}
	return p.public() + small
}

// A pictureForm is the form of a picture.
type pictureForm struct {
	Form          form
	IsNew         bool
	Src, Size     string
	Width, Height int
	Points        []option // to cut the thumbnail around; nil if there is none
	Showing       []row
	Tag, List     string
	Merge         string // path of its merge; "" without the right
}

// thirds are the middles of the thirds of a picture, in percent.
var thirds = []int{17, 50, 83}

func serveNewPicture(p *page) (*respond.Response, error) {
	return p.showNewPicture(http.StatusOK)
}

// showNewPicture shows the form of a new picture with the values that were sent.
func (p *page) showNewPicture(status int) (*respond.Response, error) {
	if !p.MayUpload() {
		return nil, api.ErrForbidden
	}
	return p.show(status, "picture.html", p.T("desk.pictures")+": "+p.T("desk.add-record"),
		pictureForm{Form: p.sentPicture(), IsNew: true, List: p.Desk("pictures")})
}

// sentPicture returns the texts of a picture that were sent.
func (p *page) sentPicture() form {
	f := form{}
	for _, name := range []string{"title", "alt", "caption"} {
		f[name] = typed(p.input(name))
	}
	return f
}

// serveUpload answers POST /desk/pictures/new.
func serveUpload(p *page) (*respond.Response, error) {
	sent := map[string]any{}
	for name, text := range p.sentPicture() {
		sent[name] = text
	}
	id, err := p.addPicture(sent, p.sentFile())
	if err != nil {
		return p.retry(err, p.showNewPicture)
	}
	return p.redirect(p.Desk("pictures/" + digits(id) + "?done=saved")), nil
}

func serveEditPicture(
	p *page,
) (*respond.Response, error) {
	return p.showPicture(http.StatusOK, nil)
}

// showPicture shows the form of a picture: with the values that were sent, or with the stored
// ones.
func (p *page) showPicture(status int, sent form) (*respond.Response, error) {
	body := pictureForm{Form: sent, List: p.Desk("pictures")}
	title := ""
	var i *store.Image
	err := p.Store.View(func(v *store.View) (err error) {
		i, err = p.findPicture(v)
		if err != nil {
			return err
		}
		title = pictureName(i)
		body.Tag = p.TagOf(v, i)
		body.Size = p.sizeOf(i)
		body.Src = p.public() + i.URL
		body.Width = i.Width
		body.Height = i.Height
		if p.Caller.May(account.EditOthers) {
			body.Merge = p.Desk("pictures/" + p.Path["id"] + "/merge")
		}
		if sent == nil {
			body.Form = pictureTexts(i)
		}
		for _, y := range thirds {
			for _, x := range thirds {
				if len(i.Sizes) > 0 {
					text := fmt.Sprintf("%d %% / %d %%", x, y)
					body.Points = append(
						body.Points,
						option{fmt.Sprintf("%d,%d", x, y), text, i.FocusX == x && i.FocusY == y},
					)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	body.Showing = p.showing(i)[i.ID]
	return p.show(status, "picture.html", title, body)
}

// findPicture returns the picture in the path. The caller may change it.
func (p *page) findPicture(v *store.View) (*store.Image, error) {
	i := v.Image(p.ID())
	switch {
	case i == nil, i.Directory == "", !access.MaySeeImage(p.Caller, &v.Reader, i.ID):
		return nil, api.ErrNoRoute
	case !access.MayEditImage(p.Caller, i):
		return nil, api.ErrForbidden
	}
	return i, nil
}

// pictureTexts returns the texts of a stored picture as its form has them.
func pictureTexts(i *store.Image) form {
	return form{
		"title":   i.Title,
		"alt":     i.Alt,
		"caption": typed(i.Caption),
	}
}

// serveSavePicture answers POST /desk/pictures/{id}.
func serveSavePicture(p *page) (*respond.Response, error) {
	f := p.sentPicture()
	sent := map[string]any{}
	err := p.Store.View(func(v *store.View) error {
		i, err := p.findPicture(v)
		if err == nil {
			for name, text := range pictureTexts(i) {
				if f[name] != text {
					sent[name] = f[name]
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if x, y, ok := strings.Cut(p.input("focus"), ","); ok {
		sent["focus_x"] = x
		sent["focus_y"] = y
	}
	op := media.Media.Update
	to := p.Desk("pictures/" + p.Path["id"] + "?done=saved")
	if p.input("do") == "delete" {
		op = media.Media.Delete
		sent = nil
		to = p.Desk("pictures?done=removed")
	}
	if _, err := p.change(op, p.Path["id"], sent, p.input("tag")); err != nil {
		return p.retry(
			err,
			func(status int) (*respond.Response, error) {
				return p.showPicture(status, f)
			},
		)
	}
	return p.redirect(to), nil
}
