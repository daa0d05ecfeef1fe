package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Commands print no character that a terminal obeys, however it is cut into writes. Documents keep
// all bytes.
func TestPlain(t *testing.T) {
	t.Parallel()
	const hostile = "é\tא\u200f \x1b]0;x\a\x7f\r\u009b31m\u202eabc\u2066\xc2\n"
	program := Program{Name: "almanac", Default: "show", Commands: Table{New("show", "FILE", "", "", func(*struct{}, *FlagSet) {},
		func(_ context.Context, _ *struct{}, args []string, p Process) error {
			if args[0] == "raw" {
				_, err := io.WriteString(Raw(p.Stdout), hostile)
				return err
			}
			for i := range len(hostile) {
				fmt.Fprint(p.Stdout, hostile[i:i+1])
			}
			fmt.Fprint(p.Stderr, Line(hostile+"\xe2\x80"), "\n")
			var rows Rows
			rows.Add("a\nb", "c")
			return errors.Join(rows.Print(p.Stderr), errors.New(hostile))
		})}}
	var out, told bytes.Buffer
	p := Process{Getenv: func(string) string { return "" }, Stdout: &out, Stderr: &told}
	if status := program.Main(t.Context(), []string{"show", "raw"}, p); status != 0 ||
		out.String() != hostile {
		t.Errorf("%d %q", status, out.String())
	}
	out.Reset()
	program.Main(t.Context(), []string{"show", "text"}, p)
	const escaped = `\u200f \u001b]0;x\u0007\u007f\u000d\u009b31m\u202eabc\u2066\ufffd`
	if diff := cmp.Diff("é\tא"+escaped+"\n", out.String()); diff != "" {
		t.Errorf("stdout (-want, +got):\n%s", diff)
	}
	want := `é\u0009א` + escaped + `\u000a\ufffd\ufffd` + "\na\\u000ab  c\nalmanac: " + "é\tא" + escaped + "\n\n"
	if diff := cmp.Diff(want, told.String()); diff != "" {
		t.Errorf("stderr (-want, +got):\n%s", diff)
	}
}
