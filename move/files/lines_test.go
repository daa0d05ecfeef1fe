package files_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/write/intake"
	"almanac/move/files"
)

// titlesOf returns the titles of the events of a file that is read in pieces.
func titlesOf(t *testing.T, text string) (titles []string) {
	t.Helper()
	yield := func(item intake.Item) error {
		if item.Reject != "" {
			t.Errorf("refused: %s", item.Reject)
		}
		var d files.Draft
		if err := json.Unmarshal(item.Record, &d); err != nil {
			t.Error(err)
		}
		titles = append(titles, d.Text("title"))
		return nil
	}
	file := iotest.HalfReader(strings.NewReader(text))
	if err := (files.Reader{}).Read(file, "f", yield, nil); err != nil {
		t.Error(err)
	}
	return titles
}

// Where the first line ends in CR alone, so may all, wherever a buffer ends; CR LF stays one end of
// a line.
func TestLinesThatEndInCR(t *testing.T) {
	t.Parallel()
	for pad := range 40 {
		for _, end := range []string{"\r", "\r\n"} {
			filler := "X-A:" + strings.Repeat("a", 4000+pad) + end
			lines := []string{"BEGIN:VEVENT", "DTSTART:20310510T200000Z", "SUMMARY:one", " two", "END:VEVENT"}
			calendar := "BEGIN:VCALENDAR\r" + filler + strings.Join(lines, end) + end + "END:VCALENDAR" + end
			if diff := cmp.Diff([]string{"onetwo"}, titlesOf(t, calendar)); diff != "" {
				t.Errorf("calendar, %q behind %d signs (-want, +got):\n%s", end, pad, diff)
			}
			table := "EVENT NAME,EVENT START DATE,EVENT DESCRIPTION\rA,2031-05-10,\"" +
				strings.Repeat("a", 4000+pad) + end + "b\"" + end + "B,2031-05-11," + end
			if diff := cmp.Diff([]string{"A", "B"}, titlesOf(t, table)); diff != "" {
				t.Errorf("table, %q behind %d signs (-want, +got):\n%s", end, pad, diff)
			}
		}
	}
}
