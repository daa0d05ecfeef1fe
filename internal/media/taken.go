// Pictures that imports take along.

package media

import (
	"net/http"
	"slices"
	"time"

	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/internal/api"
	"almanac/internal/intake"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// A Taken is the image of a picture that an import takes, and its outcome in the report; zero if it is not there.
type Taken struct {
	ID      int64          `json:"id"`
	Outcome intake.Outcome `json:"outcome"`
}

// A Taker makes uploads of the pictures of an import.
type Taker struct {
	Store   *store.Store
	Account int64 // author of the uploads
	Now     time.Time
	Limits  admission.Limits
	Room    func(v *store.View, bytes int64) error // refuses files that there is no room for
}

// Take makes a picture an upload. An upload from its address, or of the same file, is there already; without a file, Take looks for
// the first alone. An image elsewhere with this address becomes the upload, so that all records show it.
func (k Taker) Take(p intake.Picture, name string, sent []byte) (t Taken, err error) {
	var same *store.Image
	_ = k.Store.View(func(v *store.View) error {
		if i := v.ByURL(p.Address); i != nil {
			if i.Directory != "" {
				t = Taken{i.ID, intake.Unchanged}
			}
			return nil // the files of an image that has records stay its own
		}
		if sent == nil || store.MediaDirectory(p.Address) != "" {
			return nil // an upload elsewhere has texts of its own
		}
		hash := hashOf(sent)
		if n := slices.IndexFunc(v.Uploads(), func(r store.Record) bool { return r.(*store.Image).Sent == hash }); n >= 0 {
			same = v.Uploads()[n].(*store.Image)
		}
		return nil
	})
	switch {
	case t.ID != 0:
		return t, nil
	case same != nil:
		next := *same
		next.Origins = append(slices.Clip(next.Origins), p.Address)
		return Taken{next.ID, intake.Updated}, k.Store.Update(k.Account, func(tx *store.Tx) error { return tx.Put(&next) })
	case sent == nil:
		return t, nil
	}
	i := &store.Image{Author: k.Account, Date: k.Now, Modified: k.Now, FocusX: p.Focus[0], FocusY: p.Focus[1]}
	if err := storeFiles(k.Store, k.Limits, i, sent, name, k.Room); err != nil {
		return t, err
	}
	t.Outcome = intake.Created
	err = k.Store.Update(k.Account, func(tx *store.Tx) error {
		if old := tx.ByURL(p.Address); old != nil {
			i.Meta, i.Title, i.Alt, i.Caption, i.Origins = old.Meta, old.Title, old.Alt, old.Caption, old.Origins
			t.Outcome = intake.Updated
		}
		i.Origins = append(slices.Clip(i.Origins), p.Address)
		return tx.Put(i)
	})
	t.ID = i.ID
	return t, err
}

// Import is the operation behind almanac import -to with pictures.
var Import = api.Unlisted(api.Uploads(api.Guarded(&api.Op{Name: "import.picture", Params: params.ImportPicture, Serve: importPicture},
	account.Import, nil)))

// importPicture answers POST /_almanac/import/picture with a Taken: it takes the picture in the body, or looks for it.
func importPicture(r *api.Call) (*respond.Response, error) {
	var p intake.Picture
	err := r.InView(func(_ *store.View, values params.Values) error {
		p = intake.Picture{Address: values.Text("address"),
			Focus: [2]int{int(values.Float("focus_x")), int(values.Float("focus_y"))}}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var name string
	var sent []byte
	if file := r.In.Upload(); file != nil {
		name, sent = file.Name, file.Data
	}
	var t Taken
	taker := Taker{r.Store, r.Caller.ID, r.Now, r.Bounds().Limits, func(v *store.View, bytes int64) error { return room(r, v, bytes) }}
	err = inTurn(r, func() (err error) {
		t, err = taker.Take(p, name, sent)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer(http.StatusOK, t)
}
