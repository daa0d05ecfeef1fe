package qr

// A symbol is a code that is being drawn.
type symbol struct {
	size     int
	dark     Code
	function [][]bool // modules without data, which no mask inverts
}

// newSymbol draws the patterns of a version (ISO/IEC 18004, section 6.3), its number included.
func newSymbol(number int, v version) *symbol {
	size := 17 + 4*number
	s := &symbol{size, make(Code, size), make([][]bool, size)}
	for y := range size {
		s.dark[y], s.function[y] = make([]bool, size), make([]bool, size)
	}
	for i := range size {
		s.set(6, i, i%2 == 0)
		s.set(i, 6, i%2 == 0)
	}
	for _, c := range [][2]int{{3, 3}, {size - 4, 3}, {3, size - 4}} {
		s.square(c[0], c[1], 4, 3, 1) // a finder pattern and its separator
	}
	last := len(v.align) - 1
	for i, x := range v.align {
		for j, y := range v.align {
			if i == 0 && j == 0 || i == 0 && j == last || i == last && j == 0 {
				continue // a finder pattern lies there
			}
			s.square(x, y, 2, 2, 0)
		}
	}
	if number >= 7 {
		bits := number<<12 | checkBits(number, 0x1f25, 12)
		for i := range 18 {
			dark := bits>>i&1 == 1
			s.set(size-11+i%3, i/3, dark)
			s.set(i/3, size-11+i%3, dark)
		}
	}
	s.format(0) // reserves its modules
	return s
}

func (s *symbol) set(x, y int, dark bool) {
	s.dark[y][x], s.function[y][x] = dark, true
}

// square draws a dark ring around a light one around a dark core, all centred, by their distance
// from the centre; modules farther than the ring are light.
func (s *symbol) square(cx, cy, extent, ring, core int) {
	for y := max(0, cy-extent); y <= min(s.size-1, cy+extent); y++ {
		for x := max(0, cx-extent); x <= min(s.size-1, cx+extent); x++ {
			d := max(abs(x-cx), abs(y-cy))
			s.set(x, y, d == ring || d <= core)
		}
	}
}

// format draws level M and the mask beside the finder patterns, twice, and the module that is
// always dark.
func (s *symbol) format(mask int) {
	bits := (mask<<10 | checkBits(mask, 0x537, 10)) ^ 0x5412
	for i := range 15 {
		dark := bits>>i&1 == 1
		n := s.size
		switch { // around the upper left, past the timing patterns
		case i < 6:
			s.set(8, i, dark)
		case i < 8:
			s.set(8, i+1, dark)
		case i == 8:
			s.set(7, 8, dark)
		default:
			s.set(14-i, 8, dark)
		}
		if i < 8 {
			s.set(n-1-i, 8, dark)
		} else {
			s.set(8, n-15+i, dark)
		}
	}
	s.set(8, s.size-8, true)
}

// checkBits is the remainder of the value, moved by the degree of the generator, divided by the
// generator.
func checkBits(value, generator, degree int) int {
	rem := value
	for range degree {
		rem = rem<<1 ^ rem>>(degree-1)*generator
	}
	return rem
}

// draw places the codewords and returns the code with the mask of the lowest penalty.
func (s *symbol) draw(codewords []byte) Code {
	s.place(codewords)
	best := 0
	lowest := -1
	for mask := range 8 {
		s.mask(mask)
		if p := s.penalty(); lowest < 0 || p < lowest {
			best = mask
			lowest = p
		}
		s.mask(mask) // a second time: as it was
	}
	s.mask(best)
	return s.dark
}

// place fills the modules that hold data, in columns of two, upwards and downwards by turns, from
// the right.
func (s *symbol) place(codewords []byte) {
	i := 0
	for right := s.size - 1; right > 0; right -= 2 {
		if right == 6 {
			right = 5 // the timing pattern
		}
		for k := range s.size {
			y := k
			if (right+1)&2 == 0 {
				y = s.size - 1 - k
			}
			for x := right; x >= right-1; x-- {
				if !s.function[y][x] && i < 8*len(codewords) {
					s.dark[y][x] = codewords[i/8]>>(7-i%8)&1 == 1
					i++
				}
			}
		}
	}
}

// masks tell which modules of data are inverted (ISO/IEC 18004, table 10).
var masks = [8]func(x, y int) bool{
	func(x, y int) bool { return (x+y)%2 == 0 },
	func(_, y int) bool { return y%2 == 0 },
	func(x, _ int) bool { return x%3 == 0 },
	func(x, y int) bool { return (x+y)%3 == 0 },
	func(x, y int) bool { return (y/2+x/3)%2 == 0 },
	func(x, y int) bool { return x*y%2+x*y%3 == 0 },
	func(x, y int) bool { return (x*y%2+x*y%3)%2 == 0 },
	func(x, y int) bool { return ((x+y)%2+x*y%3)%2 == 0 },
}

func (s *symbol) mask(mask int) {
	for y := range s.size {
		for x := range s.size {
			s.dark[y][x] = s.dark[y][x] != (!s.function[y][x] && masks[mask](x, y))
		}
	}
	s.format(mask)
}

// penalty rates the code as ISO/IEC 18004, section 7.8.3, does: lower is easier to read.
func (s *symbol) penalty() int {
	sum := 0
	dark := 0
	for i := range s.size {
		row := func(j int) bool { return s.dark[i][j] }
		column := func(j int) bool { return s.dark[j][i] }
		sum += linePenalty(s.size, row) + linePenalty(s.size, column)
		for j := range s.size {
			if s.dark[i][j] {
				dark++
			}
			if i > 0 && j > 0 {
				d := s.dark[i][j]
				if d == s.dark[i-1][j] && d == s.dark[i][j-1] && d == s.dark[i-1][j-1] {
					sum += 3
				}
			}
		}
	}
	return sum + abs(20*dark-10*s.size*s.size)/(s.size*s.size)*10
}

// linePenalty rates runs of five and more equal modules, and rows of modules that look like a
// finder pattern.
func linePenalty(size int, dark func(int) bool) int {
	sum := 0
	run := 0
	last := 0
	for j := range size {
		if j > 0 && dark(j) == dark(j-1) {
			run++
		} else {
			run = 1
		}
		if run == 5 {
			sum += 3
		} else if run > 5 {
			sum++
		}
		last = last << 1 & 0x7ff
		if dark(j) {
			last |= 1
		}
		if j >= 10 && (last == 0b10111010000 || last == 0b00001011101) {
			sum += 40
		}
	}
	return sum
}

func abs(n int) int { return max(n, -n) }
