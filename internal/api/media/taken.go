// Pictures that imports take along.

package media

import (
	"net/http"
	"slices"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// A Taken is the image of a picture that an import takes, and its outcome in the report; zero if
// it is not there.
type Taken struct {
	ID      int64         `json:"id"`
	Outcome write.Outcome `json:"outcome"`
}

// A Taker makes uploads of the pictures of an import.
type Taker struct {
	Store   *store.Store
	Account int64 // author of the uploads
	Now     time.Time
	Limits  admission.Limits
	Room    func(bytes int64) error // refuses files that there is no room for
}

// Take makes a picture an upload, unless there is one from its address; without a file, Take only
// looks for that. An image elsewhere with this address becomes the upload, so that all records
// show it.
func (k Taker) Take(
	address string,
	focus [2]int,
	name string,
	sent []byte,
) (t Taken, err error) {
	_ = k.Store.View(func(v *store.View) error {
		if i := v.ByURL(address); i != nil && i.Directory != "" {
			t = Taken{i.ID, write.Unchanged}
		}
		return nil
	})
	if t.ID != 0 || sent == nil {
		return t, nil
	}
	made := &store.Image{
		Author:   k.Account,
		Date:     k.Now,
		Modified: k.Now,
		FocusX:   focus[0],
		FocusY:   focus[1],
		Origins:  []string{address},
	}
	if err := storeFiles(k.Store, k.Limits, k.Account, made, sent, name, k.Room); err != nil {
		return t, err
	}
	err = k.Store.Update(k.Account, func(tx *store.Tx) error {
		next := *made
		t.Outcome = write.Created
		if old := tx.ByURL(address); old != nil {
			t.Outcome = write.Updated
			next.Meta = old.Meta
			next.Title = old.Title
			next.Alt = old.Alt
			next.Caption = old.Caption
			next.Origins = append(slices.Clip(old.Origins), old.URL)
		}
		err := tx.Put(&next)
		t.ID = next.ID
		return err
	})
	return t, err
}

// Import is the operation behind almanac-move import -to with pictures.
var Import = api.Unlisted(api.Uploads(api.Guarded(&api.Op{
	Name:   "import.picture",
	Params: params.ImportPicture,
	Serve:  importPicture,
},
	account.Import, nil)))

// importPicture answers POST /_almanac/import/picture with a Taken: it takes the picture in the
// body, or looks for it.
func importPicture(r *api.Call) (*respond.Response, error) {
	var address string
	var focus [2]int
	err := r.InView(func(_ *store.View, values params.Values) error {
		address = values.Text("address")
		focus = [2]int{int(values.Float("focus_x")), int(values.Float("focus_y"))}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var name string
	var sent []byte
	if file := r.In.Upload(); file != nil {
		name = file.Name
		sent = file.Data
	}
	var t Taken
	taker := Taker{
		r.Store,
		r.Caller.ID,
		r.Now,
		r.Bounds().Limits,
		func(bytes int64) error { return room(r, bytes) },
	}
	err = inTurn(r, func() (err error) {
		t, err = taker.Take(address, focus, name, sent)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer(http.StatusOK, t)
}
