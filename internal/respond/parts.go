// Answers that are too long for memory are made in parts while they are sent.

package respond

import (
	"iter"
	"slices"
)

// A Long is a body that is made in parts.
type Long struct {
	Parts iter.Seq[[]byte] // a part is valid until the next; each use makes them anew

	// Take is called before each part is made, and Give before the client is waited for; nil:
	// neither is.
	Take, Give func()

	pieces []*Fragment // that it consists of; nil if it has to be made
}

// Again returns a body that was sent before and is remembered in pieces of whole parts, compressed
// for clients that accept gzip. On the wire it is the same, so that no answer tells whether it was
// remembered.
func Again(pieces []*Fragment) *Long {
	return &Long{
		pieces: pieces,
		Parts: func(yield func([]byte) bool) {
			for _, p := range pieces {
				if !yield(p.Text) {
					return
				}
			}
		},
	}
}

// Part returns a body of a single part.
func Part(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { yield(text) }
}

// whole returns the parts of a body together.
func whole(parts iter.Seq[[]byte]) (text []byte) {
	for part := range parts {
		text = append(text, part...)
	}
	return text
}

// even makes parts of PartSize of smaller and larger ones. Only the last one is smaller.
func even(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		pending := make([]byte, 0, PartSize)
		for part := range parts {
			for len(pending)+len(part) >= PartSize {
				next := part[:PartSize-len(pending)]
				if part = part[len(next):]; len(pending) > 0 {
					next = append(pending, next...)
				}
				if pending = pending[:0]; !yield(next) {
					return
				}
			}
			pending = append(pending, part...)
		}
		if len(pending) > 0 {
			yield(pending)
		}
	}
}

// compressed compresses a body part by part.
func compressed(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return even(func(yield func([]byte) bool) {
		z := gzipper{}
		out := slices.Clone(gzipHeader)
		for part := range even(parts) {
			if out = z.append(out, part); !yield(out) {
				return
			}
			out = out[:0]
		}
		yield(z.end(out))
	})
}

// joined joins pieces that are compressed.
func joined(pieces []*Fragment) iter.Seq[[]byte] {
	return even(func(yield func([]byte) bool) {
		z := gzipper{}
		more := yield(gzipHeader)
		for i := 0; i < len(pieces) && more; i++ {
			z.count(pieces[i].Text)
			more = yield(pieces[i].deflate())
		}
		_ = more && yield(z.end(nil))
	})
}

// An answer up to HeldMost bytes may be made in memory. A longer one is sent in parts: each has at
// most one record and one text of it, or PartSize.
const (
	HeldMost = 1 << 20
	PartSize = 64 << 10
)
