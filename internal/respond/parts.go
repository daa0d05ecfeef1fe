// How much of answers may be in memory. Those that are too long for that are made in
// parts while they are sent, once to know how long they are and once for the client.

package respond

import (
	"iter"
	"time"
)

// A Long is a body that is made in parts.
type Long struct {
	Size  int64            // of all parts; less than 0 is not known
	Parts iter.Seq[[]byte] // a part holds until the next one is asked for; each use makes them anew

	// Until returns by when the client has to have taken the next part. Nil leaves all parts
	// together the time that the server has for an answer.
	Until func() time.Time
	Live  bool // each part is to be sent when it is made, and nobody knows the last one; needs Until
}

// Part returns a body of a single part.
func Part(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { yield(text) }
}

// Whole returns the parts of a body together.
func Whole(parts iter.Seq[[]byte]) (text []byte) {
	for part := range parts {
		text = append(text, part...)
	}
	return text
}

// gathered makes parts of about PartSize of smaller ones; larger ones stay.
func gathered(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var pending []byte
		for part := range parts {
			if len(pending)+len(part) > PartSize && len(pending) > 0 {
				if !yield(pending) {
					return
				}
				pending = pending[:0]
			}
			if len(part) < PartSize {
				pending = append(pending, part...)
			} else if !yield(part) {
				return
			}
		}
		if len(pending) > 0 {
			yield(pending)
		}
	}
}

// compressed compresses a body part by part.
func compressed(parts iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		z := gzipper{out: append(make([]byte, 0, PartSize), gzipHeader...)}
		for part := range gathered(parts) {
			z.text(part)
			if !yield(z.out) {
				return
			}
			z.out = z.out[:0]
		}
		yield(z.end())
	}
}

// An answer up to HeldMost bytes may be made in memory. A longer one is sent in parts, each of which is made of
// one record and of one text of it at most, or has PartSize.
const (
	HeldMost = 4 << 20
	PartSize = 64 << 10
)
