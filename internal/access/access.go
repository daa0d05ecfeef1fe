// Package access decides who sees and changes which record. It joins what an
// account may do with what a record is; whatever shows, lists or writes records
// asks here and nowhere else.
package access

import (
	"almanac/internal/account"
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

// MayName reports whether a caller may name a record in a parameter. What they
// may not read counts as not there: the answer is that to an id that is no
// record's, and nothing comes of it.
func MayName(caller account.Account, r store.Record) bool {
	p := store.PostOf(r)
	return p == nil || MayRead(caller, p) // terms are for everybody
}

// MaySeeImage reports whether a caller may name an image by its id: everybody
// those of what is published, accounts those of what is theirs. Whoever knows
// the address of an image needs no id.
func MaySeeImage(caller account.Account, in *store.Reader, id int64) bool {
	return in.Image(id) != nil && (caller.Scope() == account.Everything || in.Pictured(id, caller.ID))
}

// MayNameImage reports whether a caller may name an image by its address: those who
// upload any, new ones too, others those that they may name by their ids.
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
	All bool  // those of everybody
	Own int64 // those of this account; 0 for nobody's
}

// ViewerOf returns what a caller sees in lists.
func ViewerOf(caller account.Account) Viewer {
	switch caller.Scope() {
	case account.Everything:
		return Viewer{All: true}
	case account.PublishedAndOwn:
		return Viewer{Own: caller.ID}
	default:
		return Viewer{}
	}
}

// Sees reports whether the viewer may have a record in a list.
func (v Viewer) Sees(p *store.Post) bool { return p.Status == store.Publish || v.SeesAlways(p) }

// SeesAlways reports whether a record is one of those that the viewer sees
// whatever their status.
func (v Viewer) SeesAlways(p *store.Post) bool { return v.All || v.Own != 0 && v.Own == p.Author }

// published reports whether a record counts as published when it is asked who may
// change it: it is public, will be, or was put away as done. In the trash it counts
// as what it was before: who may not change what is published does not get it out.
func published(p *store.Post) bool {
	switch p.Status {
	case store.Publish, store.Future, store.Private:
		return true
	case store.Trash:
		return !p.WasDraft
	}
	return false
}
