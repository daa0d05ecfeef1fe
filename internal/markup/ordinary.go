package markup

// This file finds the places at which the typesetter has to look. They are few, and what lies between them is
// most of what is rendered.

// special marks the bytes at which the typesetter has to look. It passes over the others.
var special = [256]bool{
	'&': true, '<': true, '"': true, '\'': true, '`': true, '-': true, '.': true, '(': true, 'x': true, '\n': true, '\r': true,
}

// ordinary counts the bytes at the start of s that are not special. Descriptions are long: it goes over eight
// at once.
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
