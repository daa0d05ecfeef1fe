// Package access decides who sees and changes which record. It joins what an
// account may do with what a record is; whatever shows, lists or writes records
// asks here and nowhere else.
package access

import (
	"almanac/internal/people/account"
	"almanac/store"
)

// MayEdit reports whether a caller may change a record.
func MayEdit(caller account.Account, p *store.Post) bool {
	return caller.MayEdit(p.Author, published(p))
}

// MayDelete reports whether a caller may put a record into the trash.
func MayDelete(caller account.Account, p *store.Post) bool {
	return caller.MayDelete(p.Author, published(p))
}

// MayRead reports whether a caller may read a single record. Of trashed
// records that is right for venues and organizers alone: trashed events are
// read by nobody, which is asked before.
func MayRead(caller account.Account, p *store.Post) bool {
	return caller.MayRead(p.Author, string(p.Status))
}

// MayName reports whether a caller may name a record in a parameter. Unreadable ids are answered
// exactly like unknown ids.
func MayName(caller account.Account, r store.Record) bool {
	p := store.PostOf(r)
	return p == nil || MayRead(caller, p) // terms are for everybody
}

// MaySeeImage reports whether a caller may name an image by its id: everybody the images of
// published records, accounts also the images of their own records, and their uploads. The address
// of an image needs no such right.
func MaySeeImage(caller account.Account, in *store.Reader, id int64) bool {
	i := in.Image(id)
	return i != nil &&
		(caller.May(account.ReadOthers) || in.Pictured(id, caller.ID) || caller.ID != 0 && i.Author == caller.ID)
}

// MayEditImage reports whether a caller may change or delete an upload.
func MayEditImage(caller account.Account, i *store.Image) bool {
	return caller.May(account.UploadImages) &&
		(caller.May(account.EditOthers) || i.Author == caller.ID)
}

// MayNameImage reports whether a caller may name an image by its address: with the right to upload
// any address, else only the images that MaySeeImage allows.
func MayNameImage(caller account.Account, in *store.Reader, address string) bool {
	if caller.May(account.UploadImages) {
		return true
	}
	known := in.ByURL(address)
	return known != nil && MaySeeImage(caller, in, known.ID)
}

// A Viewer says which unpublished records a caller sees in lists. The zero
// Viewer sees none.
type Viewer struct {
	All bool  // all records
	Own int64 // records of this account; 0 for none
}

// ViewerOf returns what a caller sees in lists. Only subscribers, who write nothing, may read more
// records one by one.
func ViewerOf(caller account.Account) Viewer {
	switch {
	case caller.May(account.ReadOthers):
		return Viewer{All: true}
	case caller.May(account.CreateOwn):
		return Viewer{Own: caller.ID}
	default:
		return Viewer{}
	}
}

// Sees reports whether the viewer may have a record in a list.
func (v Viewer) Sees(p *store.Post) bool { return p.Status == store.Publish || v.SeesAlways(p) }

// SeesAlways reports whether the viewer sees a record whatever its status.
func (v Viewer) SeesAlways(p *store.Post) bool { return v.All || v.Own != 0 && v.Own == p.Author }

// published reports whether the rights of published records apply to a record: it is public, will
// be, or was put away as done. A trashed record keeps its previous state, so restoring a published
// record needs the right to edit published records.
func published(p *store.Post) bool {
	switch p.Status {
	case store.Publish, store.Future, store.Private:
		return true
	case store.Trash:
		return !p.WasDraft
	}
	return false
}
