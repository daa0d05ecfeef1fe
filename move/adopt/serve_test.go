package adopt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/move/oldsite"
	"almanac/move/transfer"
)

// The command at the end has what the site tells of itself, as words of a shell, and only values
// that the server takes.
func TestServeLine(t *testing.T) {
	t.Parallel()
	const wordPress = "https://old.example/wp-json/tribe/events/v1"
	type facts = oldsite.Facts
	for _, test := range []struct {
		program string
		to      string
		site    string
		facts   facts
		want    string
	}{
		{"./almanac-move", "", wordPress,
			facts{Name: "Tom&#039;s &amp; Co", Zone: "Europe/Berlin", Offset: "1", Language: "de-DE"},
			`./almanac serve -data 'my data' -timezone Europe/Berlin -site-name 'Tom'\''s & Co' -language de-DE ` +
				`-also /wp-json/tribe/events/v1`},
		{"/opt/a b/almanac-move", "", "https://old.example/cal/events/v1", facts{},
			`'/opt/a b/almanac' serve -data 'my data'`},
		{"move.exe", "https://new.example", "https://old.example/?rest_route=%2Ftribe%2Fevents%2Fv1",
			facts{Name: "a\nb", Zone: "", Offset: "-3.5", Language: "de_DE_formal"},
			`almanac serve -timezone -03:30 -site-name 'a b' -language de_DE_formal -also /wp-json/tribe/events/v1`},
		{"almanac-move", "https://new.example", "https://old.example/blog/wp-json/tribe/events/v1",
			facts{Name: "-x", Zone: "Mars/Base", Offset: "", Language: "eo"},
			`almanac serve -site-name -x -also /blog/wp-json/tribe/events/v1`},
		{"almanac-move", "https://new.example", wordPress, facts{Name: "", Zone: "", Offset: "0", Language: "pt-XX"},
			`almanac serve -timezone +00:00 -language pt-PT -also /wp-json/tribe/events/v1`},
	} {
		s := &settings{Settings: transfer.Settings{Data: "my data", To: test.to}}
		got := serveLine(test.program, s, state{Site: test.site, Facts: test.facts})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%+v (-want, +got):\n%s", test, diff)
		}
	}
}
