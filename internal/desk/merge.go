// Two records that are the same: one of them goes, and its events move along.

package desk

import (
	"net/http"
	"strconv"

	"almanac/internal/access"
	"almanac/internal/account"
	"almanac/internal/api"
	"almanac/internal/markup"
	"almanac/internal/pages"
	"almanac/internal/params"
	"almanac/internal/respond"
	"almanac/store"
)

// A merging is the page that asks before a merge.
type merging struct {
	Form        form     // with the name of the record that stays
	Names       []string // to choose from
	Found       []option // records that the name may mean
	Note        string   // name of the record that goes, and number of its events
	Tag, Record string   // of the record that goes, and its path
}

// serveAskMerge answers GET /desk/venues/{id}/merge, and that of other kinds: it looks for the record that the parameter same names.
// Records with an equal name are told apart by their towns and events.
func (k *kind) serveAskMerge(p *page) (*respond.Response, error) {
	return k.showMerge(p, http.StatusOK)
}

func (k *kind) showMerge(p *page, status int) (*respond.Response, error) {
	name, title := p.In.Text("same"), ""
	shown := merging{Form: form{"same": name}, Record: k.path(p, "/"+p.Path["id"])}
	err := p.Store.View(func(v *store.View) error {
		from, err := k.find(p, v)
		if err == nil && !p.Caller.May(account.EditOthers) {
			err = api.ErrForbidden
		}
		if err != nil {
			return err
		}
		title, shown.Tag, shown.Names = p.nameOf(from), p.TagOf(v, from), p.names(v, k.Kind)
		shown.Note = p.T("desk.merge-note", "{name}", title, "{count}", k.count(p, v, from))
		for r := range v.Each(k.Kind) {
			if r != from && access.MayName(p.Caller, r) && !api.IsTrash(r) && markup.Fold(pages.NameOf(r)) == markup.Fold(name) {
				text := p.nameOf(r)
				if venue, ok := r.(*store.Venue); ok && venue.City != "" {
					text += ", " + venue.City
				}
				text += " · " + p.T("desk.used", "{count}", k.count(p, v, r))
				shown.Found = append(shown.Found, option{strconv.FormatInt(r.Key(), 10), text, len(shown.Found) == 0})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if shown.Found == nil && name != "" && p.Problems == nil {
		p.Problems, status = []problem{{"same", p.T("desk.bad-same")}}, http.StatusUnprocessableEntity
	}
	return p.show(status, "merge.html", title, shown)
}

// serveMerge answers POST of that page.
func (k *kind) serveMerge(p *page) (*respond.Response, error) {
	where, into := map[string]string{"id": p.Path["id"]}, p.In.Text("into")
	if _, err := p.Run(k.past.Merge, where, params.Given(map[string]any{"into": into}, where), p.In.Text("tag")); err != nil {
		if err = p.reasons(err); err != nil {
			return nil, err
		}
		return k.showMerge(p, http.StatusUnprocessableEntity)
	}
	return p.redirect(k.path(p, "/"+into+"?done=merged")), nil
}
