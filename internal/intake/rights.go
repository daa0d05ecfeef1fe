// Imports by accounts that are no administrators.

package intake

import (
	"errors"
	"fmt"
	"strings"

	"almanac/internal/access"
	"almanac/internal/account"
	"almanac/internal/markup"
	"almanac/store"
)

var errForbidden = errors.New("is not for this account to change; an administrator can import it")

// isLimited reports whether each record needs the rights that its account has in the API.
func (im *importer) isLimited() bool { return im.By.ID != 0 && !im.By.May(account.Import) }

// admits returns an error for records that a limited import cannot take: only an id tells whether
// a record is known, because names would tell of hidden records.
func (im *importer) admits(k store.Kind, r *record) error {
	isPost := k == store.Events || k == store.Venues || k == store.Organizers
	switch {
	case !im.isLimited():
		return nil
	case im.item.As != "" || im.item.Base != nil || im.item.Gone:
		return errors.New(
			"is of a source that is read again and again, which only administrators do",
		)
	case im.exact || im.item.Form != "" || im.item.Row:
		return errors.New(
			"is of an export of almanac, a calendar or a table, which only administrators import",
		)
	case isPost && r.ownID() == "":
		return errors.New("has no global_id; only administrators import such records")
	}
	for _, global := range r.globalIDs() {
		_, isOurs := im.own(global)
		p := store.PostOf(im.byGlobal(k, global, r.globalIDs()...))
		if p == nil && isOurs || p != nil && !access.MayRead(im.By, p) {
			return errForbidden
		}
	}
	return nil
}

// permit cleans the cost of a limited import, and returns errForbidden if the account may not write
// the record.
func (im *importer) permit(next store.Record, post *store.Post) error {
	if !im.isLimited() || post == nil {
		return nil
	}
	website, _ := among(Members(next), "website")
	if text, ok := website.Field.(*string); ok && !isWeb(*text) {
		return errors.New("has a website that is no address of the web")
	}
	if e, ok := next.(*store.Event); ok {
		e.Symbol = markup.StripTags(e.Symbol)
		e.Code = markup.StripTags(e.Code)
		e.Position = markup.StripTags(e.Position)
	}
	old := im.tx.Get(next.Kind(), post.ID)
	e, _ := old.(*store.Event)
	switch was := store.PostOf(old); {
	case old != nil && !access.MayEdit(im.By, was),
		old != nil && post.Status == store.Trash && !access.MayDelete(im.By, was),
		e != nil && e.Recurrence != nil:
		return errForbidden
	}
	return nil
}

// claims returns the global ids by which a record shall be known. Nobody can prove a global id, so
// an author gets one for each record: a long lineage would make one record of all records that an
// administrator imports later.
func (im *importer) claims(r *record) []string {
	ids := r.globalIDs()
	if im.isLimited() && !im.By.May(account.EditOthers) {
		ids = ids[:1] // admits refuses records without any
	}
	return ids
}

// author returns the author of a new record.
func (im *importer) author() (int64, error) {
	login := im.item.Author
	switch {
	case login == "" || strings.EqualFold(login, im.By.Login):
		return im.Account, nil
	case im.isLimited() && !im.By.May(account.NameAuthor):
		return 0, fmt.Errorf(
			"shall belong to %.60q, and this account may not name another author",
			login,
		)
	case im.Named != nil:
		if known, ok := im.Named(login); ok {
			return known.ID, nil
		}
	}
	return 0, fmt.Errorf("shall belong to %.60q, and there is no account of that name", login)
}

// mayManage reports whether an import may describe and change terms.
func (im *importer) mayManage(k store.Kind) bool {
	return !im.isLimited() || im.By.May(map[store.Kind]account.Right{
		store.Categories: account.ManageCategories, store.Tags: account.ManageTags}[k])
}
