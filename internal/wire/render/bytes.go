package render

import "almanac/store"

// recordBytes and scaledBytes are sizes of the JSON of a record and of a scaled image without
// texts, about. A text that has to be escaped becomes twice as long, about.
const (
	recordBytes = 1 << 10
	scaledBytes = 200
	escapes     = 2
)

// Bytes returns how long a rendering is at most, about: by the stored texts that it shows.
func (r *Renderer) Bytes(record store.Record) int64 {
	n := recordBytes
	switch record := record.(type) {
	case *store.Event:
		e, _ := r.Inside(record)
		n += recordBytes + len(record.Title) + r.postBytes(&e.Post) + len(e.Website)
		for _, text := range e.Entries {
			n += len(text)
		}
		for _, v := range r.AppendVenues(nil, e) {
			n += recordBytes + len(v.Name) + len(v.Address) + r.postBytes(&v.Post)
		}
		for _, o := range r.AppendOrganizers(nil, e) {
			n += recordBytes + len(o.Name) + r.postBytes(&o.Post)
		}
		n += r.termBytes(store.Categories, e.Categories) + r.termBytes(store.Tags, e.Tags)
	case *store.Venue:
		n += len(record.Name) + len(record.Address) + r.postBytes(&record.Post)
	case *store.Organizer:
		n += len(record.Name) + r.postBytes(&record.Post)
	case *store.Image:
		n += len(record.Title) + len(record.Alt) + escapes*len(record.Caption) + len(record.Sizes)*(scaledBytes+len(record.URL))
	case *store.Term:
		n += len(record.Name) + escapes*len(record.Description)
	}
	return int64(n)
}

func (r *Renderer) postBytes(p *store.Post) int {
	n := escapes * (len(p.Description) + len(p.Excerpt))
	for _, f := range p.CustomFields {
		n += escapes * (len(f.Key) + len(f.Label) + len(f.Value))
	}
	if i := r.Image(p.Image); i != nil {
		n += len(i.URL) + len(i.Sizes)*(scaledBytes+len(i.URL))
	}
	return n
}

func (r *Renderer) termBytes(k store.Kind, ids []int64) (n int) {
	for _, id := range ids {
		if t := get[*store.Term](r.Source, k, id); t != nil {
			n += recordBytes + len(t.Name) + escapes*len(t.Description)
		}
	}
	return n
}
