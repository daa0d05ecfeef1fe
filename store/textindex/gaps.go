// How sparse chunks spell the distance between one document and the next: in a
// byte below 192, in two below 16,000, in four or five otherwise.

package textindex

import "encoding/binary"

const (
	two    = 192                 // first byte of distances of two bytes, and the first of these
	four   = 254                 // first byte of distances of four bytes; one more, of five
	fours  = two + (four-two)<<8 // the first distance of four bytes
	maxGap = 5                   // bytes of the longest

	// For sum8: the highest bit of each byte, every second byte, and the factor
	// that adds four sums of two bytes in the topmost.
	tops    = 0x8080808080808080
	pairs   = 0x00ff00ff00ff00ff
	columns = 0x0001000100010001
)

// appendGap spells a distance.
func appendGap(data []byte, gap uint32) []byte {
	switch {
	case gap < two:
		return append(data, byte(gap))
	case gap < fours:
		gap -= two
		return append(data, byte(two+gap>>8), byte(gap))
	case gap < 1<<24:
		return append(data, four, byte(gap), byte(gap>>8), byte(gap>>16))
	}
	return binary.LittleEndian.AppendUint32(append(data, four+1), gap)
}

// gapAt returns the distance that begins at a place, and its size.
func gapAt(data []byte, at int) (gap uint32, size int) {
	switch c := data[at]; {
	case c < two:
		return uint32(c), 1
	case c < four:
		return two + uint32(c-two)<<8 + uint32(data[at+1]), 2
	case c == four:
		return uint32(data[at+1]) | uint32(data[at+2])<<8 | uint32(data[at+3])<<16, 4
	}
	return binary.LittleEndian.Uint32(data[at+1:]), maxGap
}

// sum8 adds the eight bytes of w if each is a distance: then none has both of
// its highest bits set. It lets seek pass eight documents at a time.
func sum8(w uint64) (sum uint32, ok bool) {
	return uint32((w&pairs + w>>8&pairs) * columns >> 48), w&(w<<1)&tops == 0
}
