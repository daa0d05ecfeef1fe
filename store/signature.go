// Signatures: what an event carries, in one word.

package store

import "almanac/store/eventindex"

// A Flag is a yes or no of an event that lists ask for.
type Flag uint8

// The flags.
const (
	Featured  Flag = iota
	Ticketed       // has tickets
	Located        // a published venue of it has coordinates
	Protected      // has a password
	Recurring      // is of a series
	flags          // how many there are
)

// Signatures say about an event what a plan wants to know of very many of them
// without looking at each: its flags exactly, and what it is linked to so that
// one look at a word turns most others away. An event whose signature does not hold
// that of a link does not have the link; one whose signature does, may.

// signatureOfFlag returns the signature of a flag.
func signatureOfFlag(f Flag) eventindex.Signature { return 1 << f }

// signatureOfLink returns the signature of a link to a venue, an organizer, a tag, a
// category, a series or (kind Events) a parent event: two of the bits that are not flags, or
// three for categories, which are asked for most.
func signatureOfLink(k Kind, id int64) eventindex.Signature {
	const spread = 0x9e37_79b9_7f4a_7c15 // 2^64 divided by the golden ratio: neighbours end up far apart
	h := (uint64(id)*uint64(kinds) + uint64(k)) * spread
	const places = 64 - uint64(flags)
	bit := func(n uint64) eventindex.Signature { return 1 << (uint64(flags) + n%places) }
	signature := bit(h>>40) | bit(h>>16&0xff_ffff)
	if k == Categories {
		signature |= bit(h & 0xffff)
	}
	return signature
}

// signatureOfAuthor returns the signature of the author of an unpublished event.
func signatureOfAuthor(account int64) eventindex.Signature { return signatureOfLink(authors, account) }
