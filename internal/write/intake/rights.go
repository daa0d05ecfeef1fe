// Imports by accounts that are no administrators.

package intake

import (
	"errors"
	"fmt"
	"strings"

	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/store"
)

var errForbidden = errors.New("is not for this account to change; an administrator can import it")

// isLimited reports whether each record needs the rights that its account has in the API.
func (rd *reader) isLimited() bool { return rd.By.ID != 0 && !rd.By.May(account.Import) }

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
