// Global ids, which identify a record across sites.

package intake

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/store"
)

// A global id is HOST?id=N, or HOST/PATH?id=N. Sites leave the port out of the host; older
// versions of this program did not. Two sites of one host differ in their ports alone, so a port
// in the address of a record is added to its origin here.

// globalIDs returns the origins of the record: its own global id, then its lineage.
func (r *record) globalIDs() []string {
	if r.origins != nil {
		return *r.origins
	}
	own := r.ownID()
	ids := []string{own}
	for _, v := range r.Member("global_id_lineage").Items() {
		id, ok := v.Text()
		if !ok && !v.IsNull() {
			r.complain("global_id_lineage", "must be a list of texts")
		}
		if id != r.text("global_id") && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { return id == "" })
}

// ownID returns the record's own global id, with the port of its address.
func (r *record) ownID() string {
	own := r.text("global_id")
	address, _ := textOf(r.Member("url")) // other callers report a wrong one
	at, err := url.Parse(address)
	if err != nil || at.Port() == "" || own == "" {
		return own
	}
	host := strings.TrimSuffix(at.Host, ":"+at.Port())
	if rest, ok := strings.CutPrefix(own, host); ok && rest != "" &&
		strings.IndexByte("/?", rest[0]) >= 0 {
		return at.Host + rest
	}
	return own
}

// globalID returns the global id of another record of the same site.
func (r *record) globalID(id int64) string {
	own := r.ownID()
	return own[:strings.LastIndexByte(own, '=')+1] + strconv.FormatInt(id, 10)
}

// withoutPort returns a global id in the form that sites show.
func withoutPort(global string) string {
	end := strings.IndexAny(global, "/?")
	if end < 0 {
		return global
	}
	colon := strings.LastIndexByte(global[:end], ':')
	if colon < 0 || strings.HasSuffix(global[:end], "]") {
		return global // the colon is inside the brackets of an IPv6 address
	}
	return global[:colon] + global[end:]
}

// sameGlobal reports whether two global ids are equal, with or without a port.
func sameGlobal(a, b string) bool { return a == b || withoutPort(a) == b || a == withoutPort(b) }

// byGlobal returns the record with a global id, or nil. The id may have a port that the stored one
// lacks, and the other way round. also has the other ids of the wanted record.
func (im *importer) byGlobal(k store.Kind, global string, also ...string) store.Record {
	if ours := im.ours(k, global, also); ours != nil {
		return ours
	}
	if found := im.tx.ByOrigin(k, global); found != nil {
		return found
	}
	if bare := withoutPort(global); bare != global {
		return im.tx.ByOrigin(k, bare)
	}
	return im.tx.Get(k, im.portless(k)[global])
}

// ours returns the record with a global id of this store, or nil. An old site may have had the
// name of this store, so the id may belong to another record of that site. Then also, the other
// ids of the wanted record, lacks the global id under which this store imported its record.
func (im *importer) ours(k store.Kind, global string, also []string) store.Record {
	id, _ := im.own(global)
	r := im.tx.Get(k, id)
	if p := store.PostOf(r); p != nil && slices.ContainsFunc(p.Origins, func(origin string) bool {
		_, own := im.own(origin)
		return own && !slices.Contains(also, origin)
	}) {
		return nil
	}
	return r
}

// own reports whether a global id has the form of this store, and returns the id. A Home without a
// port matches every port.
func (im *importer) own(global string) (id int64, ok bool) {
	if im.Home == "" {
		return 0, false
	}
	home := im.Home + "?id="
	if home == withoutPort(home) {
		global = withoutPort(global)
	}
	text, ok := strings.CutPrefix(global, home)
	if !ok {
		text, ok = strings.CutPrefix(global, withoutPort(home))
	}
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(text, 10, 64)
	return id, err == nil
}

// ambiguous replaces the id if two records match.
const ambiguous = -1

// portless returns the ids of the records of a kind by global id without port, for those whose
// global id has a port. Ids that match several ports are ambiguous.
func (im *importer) portless(k store.Kind) map[string]int64 {
	known := im.ported[k]
	if known == nil {
		known = map[string]int64{}
		im.ported[k] = known
		for r := range im.tx.Each(k) {
			im.remember(r)
		}
	}
	return known
}

// remember adds a stored record to portless.
func (im *importer) remember(r store.Record) {
	known := im.ported[r.Kind()]
	p := store.PostOf(r)
	if known == nil || p == nil {
		return
	}
	for _, global := range p.Origins {
		if !strings.Contains(global, ":") {
			continue // as of most records, all of which are looked at
		}
		if bare := withoutPort(global); bare != global {
			if other, ok := known[bare]; ok && other != r.Key() {
				known[bare] = ambiguous
			} else {
				known[bare] = r.Key()
			}
		}
	}
}
