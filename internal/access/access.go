// Package access decides who sees and changes which record. It joins what an
// account may do with what a record is; whatever shows, lists or writes records
// asks here and nowhere else.
package access

import (
	"almanac/filters"
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

// Viewer returns whose unpublished records a caller finds in lists.
func Viewer(caller account.Account) filters.Viewer {
	switch caller.Scope() {
	case account.Everything:
		return filters.Viewer{All: true}
	case account.PublishedAndOwn:
		return filters.Viewer{Own: caller.ID}
	default:
		return filters.Viewer{}
	}
}

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
