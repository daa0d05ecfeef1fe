package record

import (
	"testing"
	"time"
)

// BenchmarkScan reads an event as most logs and snapshots have it.
func BenchmarkScan(b *testing.B) {
	at := time.Date(2031, 5, 10, 12, 0, 0, 0, time.UTC)
	text, err := AppendJSON(nil, &Event{
		Post: Post{Meta: Meta{ID: 12, Rev: 34}, Author: 1, Status: Publish, Date: at, Modified: at, Slug: "spring-fair-2031",
			Description: "<p>A fair with music, food and games for all.</p>", Image: 3},
		Title: "Spring fair 2031", Start: WallOf(at), End: WallOf(at.Add(time.Hour)), Timezone: "Europe/Paris",
		Cost: Cost{Entries: []string{"10"}, Symbol: "€", Position: "postfix"}, Website: "https://fair.example/2031",
		ShowMap: true, ShowMapLink: true, Featured: true, Categories: []int64{1, 2}, Tags: []int64{3}, Venues: []int64{4}, Organizers: []int64{5},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if !scan(text, nil, func(s *scanner) { s.record(new(Event)) }) {
			b.Fatal("not read")
		}
	}
}
