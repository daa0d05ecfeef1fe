package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/store"
)

// BenchmarkCalendar imports a calendar of 10 MB into an empty store in memory.
func BenchmarkCalendar(b *testing.B) {
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := 0; text.Len() < 10_000_000; i++ {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d@club.example.org\r\nDTSTART;TZID=Europe/Paris:2031%02d%02dT190000\r\nDURATION:PT2H\r\n"+
			"SUMMARY:Concert number %d\r\nDESCRIPTION:An evening of songs\\, with a bar and a raffle. Doors open at six\\; bri\r\n ng friends."+
			"\\nAll are welcome\\, entry is free for members of the club.\r\nLOCATION:Hall %d\\, %d Main St\\, Springfield\r\n"+
			"CATEGORIES:Music,Category %d\r\nORGANIZER;CN=Ann %d:mailto:ann%d@example.org\r\nLAST-MODIFIED:20260101T000000Z\r\nEND:VEVENT\r\n",
			i, 1+i/28%12, 1+i%28, i, i%50, i%50, i%20, i%30, i%30)
	}
	text.WriteString("END:VCALENDAR\r\n")
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		c := newCalendar(b)
		var batch importer.Batch
		flush := func() {
			err := c.Update(7, func(tx *store.Tx) error {
				result, err := batch.Apply(tx, c.options)
				batch = importer.Batch{State: result.State}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		err := importer.Read(strings.NewReader(text.String()), "f.ics", func(item importer.Item) error {
			if batch.Items = append(batch.Items, item); len(batch.Items) == 500 {
				flush()
			}
			return nil
		}, nil)
		if err != nil {
			b.Fatal(err)
		}
		flush()
	}
}
