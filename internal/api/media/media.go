// Package media answers requests about uploaded pictures: it takes them, lists them, changes their
// texts, serves their files and deletes them, in the form of this service and in the form of
// clients of the original.
//
// Package picture decides which files are made of a picture, and package store keeps them. Package
// access decides who sees and changes an upload; everybody who knows the address of a file may
// load it.
package media

import (
	"crypto/md5"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"almanac/filters"
	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// A form is how uploads look on a route, in requests and answers.
type form struct {
	alt    string // name of the alternative text
	force  bool   // a deletion has to say force
	titled bool   // an upload without a title has the name of its file
}

// own is the form of this service.
var own = form{alt: "alt"}

// removed answers a change with the upload as it was.
func removed(r *api.Call, change api.Change) (*respond.Response, error) {
	show := r.Renderer(nil)
	return &respond.Response{
		Status: http.StatusOK,
		Body:   respond.Text(show.Append(nil, change.Record)),
	}, nil
}

// Media is the operations on uploads in that form.
var Media = api.Resource{
	List: api.Unlisted(api.Listed(&api.Op{
		Name:   "media.list",
		Params: params.MediaList,
		Serve:  list,
	})),
	Create: api.Unlisted(api.Uploads(guarded(api.NewChange(api.Op{
		Name:   "media.create",
		Params: params.MediaCreate,
		Change: own.create,
	}, api.Stored)))),
	Read: api.Unlisted(&api.Op{Name: "media.read", Params: params.MediaRead, Serve: read}),
	Update: api.Unlisted(guarded(api.NewChange(api.Op{
		Name:   "media.update",
		Params: params.MediaUpdate,
		Change: own.update,
	}, api.Stored))),
	Delete: api.Unlisted(guarded(api.NewChange(api.Op{
		Name:   "media.delete",
		Params: params.MediaRead,
		Change: own.remove,
	}, removed))),
}

// Merge is the operation that puts one upload in the place of another, which the specification
// does not have.
var Merge = api.Unlisted(api.Guarded(api.NewChange(api.Op{
	Name:   "media.merge",
	Params: params.Merge(params.MediaRead),
	Change: merge,
}, merged), account.EditOthers, nil))

// guarded returns an operation for callers who may upload, and who may change the upload in the
// path. An upload that they must not see is unknown to them.
func guarded(op *api.Op) *api.Op {
	return api.Guarded(op, account.UploadImages, func(r *api.Call, v *store.Reader) bool {
		i, err := find(r, v)
		return r.Caller.May(account.UploadImages) &&
			(err != nil || access.MayEditImage(r.Caller, i))
	})
}

// errUnknown answers an id of no upload that the caller may see.
var errUnknown = &api.Error{
	Status:  http.StatusNotFound,
	Code:    "rest_post_invalid_id",
	Message: "There is no uploaded picture with this ID.",
}

// find returns the upload in the path.
func find(r *api.Call, v *store.Reader) (*store.Image, error) {
	if i := v.Image(r.ID()); i != nil && i.Directory != "" &&
		access.MaySeeImage(r.Caller, v, i.ID) {
		return i, nil
	}
	return nil, errUnknown
}

// list answers GET /media with the uploads that the caller may see, newest first.
func list(r *api.Call) (*respond.Response, error) {
	l := &api.List{Call: r, Name: "media"}
	look := func(v *store.View, values params.Values) error {
		l.Ask(v, values)
		return nil
	}
	page := func(v *store.View, values params.Values) error {
		found := pageOf(l, v, values, func(*store.Image) bool { return true }, nil)
		if l.Show(v, found...); l.Page > 1 && len(found) == 0 {
			return api.NoPage("media")
		}
		return nil
	}
	return l.Do(look, page, l.Response)
}

// pageOf returns one page of the uploads for which isWanted is true, in an order; nil is newest
// first.
func pageOf(
	l *api.List,
	v *store.View,
	values params.Values,
	isWanted func(*store.Image) bool,
	order func(a, b store.Record) int,
) (found []store.Record) {
	words := filters.ParseWords(values.Text("search"))
	for _, record := range v.Uploads() {
		i := record.(*store.Image)
		if access.MaySeeImage(l.Caller, &v.Reader, i.ID) && isWanted(i) &&
			words.In(i.Title, i.Alt, i.Caption) {
			found = append(found, i)
		}
	}
	if order != nil {
		slices.SortFunc(found, order)
	}
	return api.OfPage(l, found)
}

// read answers GET /media/{id}.
func read(r *api.Call) (*respond.Response, error) {
	return r.ReadOne(func(v *store.View) (store.Record, error) {
		i, err := find(r, &v.Reader)
		if err != nil {
			return nil, err
		}
		return i, nil
	})
}

// create answers POST /media. The files are on disk before the record is that names them. If the
// record fails they stay, since nobody knows yet whether the log has it, and are removed like
// those of deleted uploads.
func (f form) create(r *api.Call) (change api.Change, err error) {
	sent := r.In.Upload()
	if sent == nil || len(sent.Data) == 0 {
		return change, errNoFile
	}
	if sum := r.HTTP.Header.Get("Content-MD5"); sum != "" &&
		!strings.EqualFold(sum, fmt.Sprintf("%x", md5.Sum(sent.Data))) {
		return change, errSum
	}
	if err := r.NoteIgnored(); err != nil { // before anything is stored
		return change, err
	}
	i := &store.Image{Author: r.Caller.ID, Date: r.Now, FocusX: 50, FocusY: 50}
	err = r.InView(func(_ *store.View, values params.Values) error {
		_, err := r.Editor().Media(values, f.alt, i)
		return err
	})
	if err != nil {
		return change, err
	}
	if f.titled && i.Title == "" {
		i.Title = r.Editor().FileTitle(sent.Name)
	}
	err = inTurn(r, func() error {
		if err := storeCalled(r, i, sent.Data, sent.Name); err != nil {
			return err
		}
		return r.Update(func(tx *store.Tx, _ params.Values) error { return tx.Put(i) })
	})
	return api.Change{Record: i}, err
}

// update answers POST, PUT and PATCH of /media/{id}. Another point for the thumbnail makes all
// files anew: addresses are immutable.
func (f form) update(r *api.Call) (api.Change, error) {
	var made *store.Image // with new files; nil keeps those that there are
	var next store.Image
	see := func(v *store.View, values params.Values) error {
		old, err := find(r, &v.Reader)
		if err != nil {
			return err
		}
		next = *old
		made = nil
		refocused, err := r.Editor().Media(values, f.alt, &next)
		if refocused && len(next.Sizes) > 0 {
			made = &next
		}
		return err
	}
	change := func() error {
		return r.Update(func(tx *store.Tx, values params.Values) error {
			old, err := find(r, &tx.Reader)
			if err != nil {
				return err
			}
			if err := r.Precondition(tx, old); err != nil {
				return err
			}
			now := *old
			if made != nil {
				now = *made
				now.Meta = old.Meta
				now.Title = old.Title
				now.Alt = old.Alt
				now.Caption = old.Caption
			}
			if _, err := r.Editor().Media(values, f.alt, &now); err != nil {
				return err
			}
			next = now
			return tx.Put(&next)
		})
	}
	err := r.InView(see)
	switch {
	case err != nil:
	case made == nil:
		err = change()
	default:
		err = inTurn(r, func() error {
			if err := r.InView(see); err != nil { // others may have changed it while this one waited
				return err
			}
			if made != nil {
				if err := remake(r, made); err != nil {
					return err
				}
			}
			return change()
		})
	}
	return api.Change{Record: &next}, err
}

// remove answers DELETE of /media/{id}: its addresses are gone at once, and so is the picture of
// the records that showed it, as with clients of the original.
func (f form) remove(r *api.Call) (api.Change, error) {
	var old *store.Image
	var uses write.Uses
	err := r.Update(func(tx *store.Tx, values params.Values) (err error) {
		if f.force && !values.Bool("force") {
			return errTrash
		}
		if old, err = find(r, &tx.Reader); err == nil {
			err = r.Precondition(tx, old)
		}
		if err == nil {
			err = r.Editor().RemoveMedia(tx, &uses, old)
		}
		return err
	})
	return api.Change{Record: old}, err
}

// merge answers POST /media/{id}/merge: the upload in the path goes, and the other one is shown in
// its place.
func merge(r *api.Call) (change api.Change, err error) {
	var uses write.Uses
	err = r.Update(func(tx *store.Tx, values params.Values) error {
		from, err := find(r, &tx.Reader)
		if err != nil {
			return err
		}
		into := tx.Image(values.Int("into"))
		if into == from || into.Directory == "" {
			return api.Invalid(
				"into",
				"into must be another uploaded picture than the one in the path.",
			)
		}
		if err = r.Precondition(tx, from); err == nil {
			var moved int
			change.Record, moved, err = r.Editor().MergeMedia(tx, &uses, from, into)
			change.Moved += moved
		}
		return err
	})
	return change, err
}

// merged answers a change with the upload that stays, and how many records show it now.
func merged(r *api.Call, change api.Change) (*respond.Response, error) {
	answer, err := api.Stored(r, change)
	if err == nil {
		answer.Header["X-Almanac-Moved"] = "records=" + strconv.Itoa(change.Moved)
	}
	return answer, err
}
