package qr

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// read is a reader of its own, which follows the standard from the other end: it takes format and
// version off the code, lifts the mask, and accepts the text only if no block has an error.
func read(t *testing.T, c Code) string {
	t.Helper()
	number := (len(c) - 17) / 4
	format := 0
	for i, at := range [][2]int{{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {7, 8}, {8, 8}, {8, 7}, {8, 5}, {8, 4}, {8, 3}, {8, 2},
		{8, 1}, {8, 0}} {
		if c[at[1]][at[0]] {
			format |= 1 << (14 - i)
		}
	}
	format ^= 0x5412
	if level := format >> 13; level != 0 {
		t.Fatalf("level %02b instead of 00", level)
	}
	mask := format >> 10 & 7
	v := versions[number-1]
	var bits []bool
	function := newSymbol(number, v).function
	up := true
	for right := len(c) - 1; right > 0; right -= 2 {
		if right == 6 {
			right--
		}
		for k := range len(c) {
			y := k
			if up {
				y = len(c) - 1 - k
			}
			for _, x := range []int{right, right - 1} {
				if !function[y][x] {
					bits = append(bits, c[y][x] != masks[mask](x, y))
				}
			}
		}
		up = !up
	}
	next := func() byte {
		b := byte(0)
		for _, bit := range bits[:8] {
			b <<= 1
			if bit {
				b |= 1
			}
		}
		bits = bits[8:]
		return b
	}
	blocks := make([][]byte, len(v.blocks))
	for i := range v.blocks[len(v.blocks)-1] {
		for b := range blocks {
			if i < v.blocks[b] {
				blocks[b] = append(blocks[b], next())
			}
		}
	}
	var data []byte
	for _, b := range blocks {
		data = append(data, b...)
	}
	for range v.check {
		for b := range blocks {
			blocks[b] = append(blocks[b], next())
		}
	}
	for b, block := range blocks {
		root := byte(1)
		for range v.check {
			value := byte(0)
			for _, coefficient := range block {
				value = multiply(value, root) ^ coefficient
			}
			if value != 0 {
				t.Fatalf("block %d has an error at the root %d", b, root)
			}
			root = multiply(root, 2)
		}
	}
	if mode := data[0] >> 4; mode != 4 {
		t.Fatalf("mode %d instead of bytes", mode)
	}
	var text []byte // the rest, moved by the four bits of the mode
	for i := range data[:len(data)-1] {
		text = append(text, data[i]<<4|data[i+1]>>4)
	}
	n := int(text[0])
	if number >= 10 {
		n = n<<8 | int(text[1])
		text = text[1:]
	}
	return string(text[1 : 1+n])
}

func TestEncode(t *testing.T) {
	sizes := map[int]bool{}
	for n := range 214 {
		text := strings.Repeat("https://calendar.example.org/event/ü/", 8)[:n]
		c := Encode(text)
		sizes[len(c)] = true
		if got := read(t, c); got != text {
			t.Errorf("%d bytes: %q instead of %q", n, got, text)
		}
	}
	if len(sizes) != 10 {
		t.Errorf("%d sizes instead of 10", len(sizes))
	}
	if c := Encode(strings.Repeat("a", 214)); c != nil {
		t.Errorf("a code of %d modules for a text that none holds", len(c))
	}
}

// TestPatterns compares with figures of the standard: format and version are the examples that it
// calculates.
func TestPatterns(t *testing.T) {
	if got := (5<<10 | checkBits(5, 0x537, 10)) ^ 0x5412; got != 0b100000011001110 {
		t.Errorf("format of level M with mask 5: %015b", got)
	}
	if got := 7<<12 | checkBits(7, 0x1f25, 12); got != 0b000111110010010100 {
		t.Errorf("version 7: %018b", got)
	}
	c := Encode("https://a.example/")
	var finder strings.Builder
	for y := range 8 {
		for x := range 8 {
			finder.WriteString(map[bool]string{true: "#", false: "."}[c[y][x]])
		}
		finder.WriteByte('\n')
	}
	want := "#######.\n#.....#.\n#.###.#.\n#.###.#.\n#.###.#.\n#.....#.\n#######.\n........\n"
	if finder.String() != want {
		t.Errorf("the finder pattern:\n%s", finder.String())
	}
}

// TestReader lets zbarimg, the program of ZBar, read the codes.
func TestReader(t *testing.T) {
	zbar, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Skip("no zbarimg to read codes with")
	}
	for _, n := range []int{10, 20, 40, 60, 80, 100, 120, 150, 180, 213} {
		text := strings.Repeat("https://calendar.example.org/event/a-b/", 8)[:n]
		const scale = 4
		c := Encode(text)
		side := scale * (len(c) + 2*quiet)
		picture := image.NewGray(image.Rect(0, 0, side, side))
		for y := range side {
			for x := range side {
				my := y/scale - quiet
				mx := x/scale - quiet
				if my < 0 || my >= len(c) || mx < 0 || mx >= len(c) || !c[my][mx] {
					picture.SetGray(x, y, color.Gray{Y: 255})
				}
			}
		}
		var file bytes.Buffer
		if err := png.Encode(&file, picture); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), fmt.Sprint(n, ".png"))
		if err := os.WriteFile(name, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(zbar, "-q", "--raw", name).Output()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != text {
			t.Errorf("%d bytes: %v, %q instead of %q", n, err, got, text)
		}
	}
}
