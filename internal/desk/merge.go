// Two records that are the same: one of them goes, and its events move along.

package desk

import (
	"net/http"
	"slices"

	"almanac/internal/api"
	"almanac/internal/api/media"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/store"
)

// A merging is the page that asks before a merge.
type merging struct {
	Form        form        // with the name of the record that stays
	Names       []string    // to choose from
	Found       []candidate // records that the name may mean
	Note        string      // name of the record that goes, and number of its events
	Tag, Record string      // of the record that goes, and its path
	Image       string      // address of a picture that goes
}

// A candidate is a record to merge into. A picture has an address of its Image.
type candidate struct {
	option
	Facts, Image string
}

// serveAskMerge answers GET /desk/venues/{id}/merge, and that of other kinds.
func (k *kind) serveAskMerge(p *page) (*respond.Response, error) {
	return k.showMerge(p, http.StatusOK)
}

// showMerge shows the page: it looks for the record that the parameter same names. Records with an
// equal name are told apart by their towns and events.
func (k *kind) showMerge(p *page, status int) (*respond.Response, error) {
	name := p.input("same")
	title := ""
	body := merging{Form: form{"same": name}, Record: k.path(p, "/"+p.Path["id"])}
	err := p.Store.View(func(v *store.View) error {
		from, err := k.find(p, v)
		if err == nil && !p.Caller.May(account.EditOthers) {
			err = api.ErrForbidden
		}
		if err != nil {
			return err
		}
		title = p.nameOf(from)
		body.Tag = p.TagOf(v, from)
		body.Names = p.names(v, k.Kind)
		body.Note = p.T("desk.merge-note", "{name}", title, "{count}", k.count(p, v, from))
		for _, r := range p.named(v, k.Kind, name) {
			if r != from {
				one := option{digits(r.Key()), p.nameWithTown(r), false}
				body.Found = append(
					body.Found,
					candidate{one, p.T("desk.used", "{count}", k.count(p, v, r)), ""},
				)
			}
		}
		if len(body.Found) == 1 {
			body.Found[0].Chosen = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.showMerging(status, title, body)
}

// showMerging shows the page, with a problem if the name means no other record.
func (p *page) showMerging(status int, title string, body merging) (*respond.Response, error) {
	if body.Found == nil && body.Form["same"] != "" && p.Problems == nil {
		p.reject("same", "desk.bad-same")
		status = http.StatusUnprocessableEntity
	}
	return p.show(status, "merge.html", title, body)
}

// serveMerge answers POST of that page.
func (k *kind) serveMerge(p *page) (*respond.Response, error) {
	return p.merge(
		k.past.Merge,
		k.path(p, ""),
		func(status int) (*respond.Response, error) {
			return k.showMerge(p, status)
		},
	)
}

// merge runs a merge, and leads to the record that stays, below a list, or shows the page again.
func (p *page) merge(
	op *api.Op,
	list string,
	again func(status int) (*respond.Response, error),
) (*respond.Response, error) {
	into := p.input("into")
	sent := map[string]any{"into": into}
	if _, err := p.change(op, p.Path["id"], sent, p.input("tag")); err != nil {
		return p.retry(err, again)
	}
	return p.redirect(list + "/" + into + "?done=merged"), nil
}

func serveAskPictureMerge(p *page) (*respond.Response, error) {
	return p.showPictureMerge(http.StatusOK)
}

// showPictureMerge shows the page for a picture: it looks for uploads with the words of the
// parameter same, without it for the newest.
func (p *page) showPictureMerge(status int) (*respond.Response, error) {
	body := merging{
		Form: form{
			"same": p.input("same"),
		},
		Record: p.Desk("pictures/" + p.Path["id"]),
	}
	var from *store.Image
	err := p.Store.View(func(v *store.View) (err error) {
		from, err = p.findPicture(v)
		if err == nil && !p.Caller.May(account.EditOthers) {
			err = api.ErrForbidden
		}
		if err == nil {
			body.Tag = p.TagOf(v, from)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	found := p.uploads(p.Store.View, body.Form["same"], uploadsMost+1)
	found = slices.DeleteFunc(found, func(i *store.Image) bool {
		return i.ID == from.ID
	})
	showing := p.showing(append(found, from)...)
	title := pictureName(from)
	body.Image = p.thumbnail(from)
	body.Note = p.T(
		"desk.merge-picture-note",
		"{name}",
		title,
		"{count}",
		p.locale().Number(len(showing[from.ID])),
	)
	for _, i := range found[:min(len(found), uploadsMost)] {
		one := option{digits(i.ID), pictureName(i), len(found) == 1}
		body.Found = append(
			body.Found,
			candidate{one, p.factsOf(i, showing[i.ID]), p.thumbnail(i)},
		)
	}
	return p.showMerging(status, title, body)
}

func serveMergePicture(p *page) (*respond.Response, error) {
	return p.merge(media.Merge, p.Desk("pictures"), p.showPictureMerge)
}
