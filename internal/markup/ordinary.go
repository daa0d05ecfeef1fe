package markup

// This file finds the few bytes that the typesetter has to examine.

// special has the bytes that the typesetter examines. It copies all other bytes.
var special = [256]bool{
	'&': true, '<': true, '"': true, '\'': true, '`': true, '-': true, '.': true, '(': true, 'x': true, '\n': true, '\r': true,
}

// ordinary counts the bytes at the start of s that are not special. Descriptions are long: it tests eight bytes at
// once.
func ordinary(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		if special[b[0]] || special[b[1]] || special[b[2]] || special[b[3]] ||
			special[b[4]] || special[b[5]] || special[b[6]] || special[b[7]] {
			break
		}
	}
	for i < len(s) && !special[s[i]] {
		i++
	}
	return i
}
