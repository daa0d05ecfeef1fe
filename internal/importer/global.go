// Global ids: by what a record is known from one site to another.

package importer

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/store"
)

// A global id is HOST?id=N, or HOST/PATH?id=N. Sites leave the port out of the
// host, and older versions of this program did not. Two sites of one host differ
// in their ports alone: where a record says the port in its address, that belongs
// to what it is known by here.

// globalIDs returns what the record is known by elsewhere: its own global id, then
// those of its lineage.
func (r *record) globalIDs() []string {
	if r.names != nil {
		return *r.names
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
	quiet := *r // what is wrong with an address is not asked here
	at, err := url.Parse(quiet.text("url"))
	if err != nil || at.Port() == "" || own == "" {
		return own
	}
	host := strings.TrimSuffix(at.Host, ":"+at.Port())
	if rest, ok := strings.CutPrefix(own, host); ok && rest != "" && strings.IndexByte("/?", rest[0]) >= 0 {
		return at.Host + rest
	}
	return own
}

// globalID returns the global id of another record of the same site.
func (r *record) globalID(id int64) string {
	own := r.ownID()
	return own[:strings.LastIndexByte(own, '=')+1] + strconv.FormatInt(id, 10)
}

// withoutPort returns a global id as sites show it.
func withoutPort(global string) string {
	end := strings.IndexAny(global, "/?")
	if end < 0 {
		return global
	}
	colon := strings.LastIndexByte(global[:end], ':')
	if colon < 0 || strings.HasSuffix(global[:end], "]") {
		return global // what has a colon ends in the bracket of an IPv6 address
	}
	return global[:colon] + global[end:]
}

// sameGlobal reports whether two global ids are one, or one of them is the other
// without its port.
func sameGlobal(a, b string) bool { return a == b || withoutPort(a) == b || a == withoutPort(b) }

// byGlobal returns the record of a kind that is known by a global id, in the form
// that it is given in or in the one with or without the port, or nil. also are its other ids.
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

// ours returns the record of a kind that has a global id here, or nil. Where the site that a record
// is from had the name that this calendar has, the id may be that of another record there: then
// also, the other ids of the record that is meant, does not have the one that this record had there.
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

// own reports whether a global id has the form of those of this store, and returns the id.
// A home without a port has every port.
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

// ambiguous stands for the id of a record where there are two.
const ambiguous = -1

// portless returns the records of a kind that are known by a global id with a
// port, by that id without it. A record without a port may be any of those that
// differ in it alone: it is none.
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

// remember keeps portless up to date with a record that was stored.
func (im *importer) remember(r store.Record) {
	known := im.ported[r.Kind()]
	if known == nil {
		return
	}
	p := store.PostOf(r)
	if p == nil {
		return
	}
	for _, global := range p.Origins {
		if bare := withoutPort(global); bare != global {
			if other, ok := known[bare]; ok && other != r.Key() {
				known[bare] = ambiguous
			} else {
				known[bare] = r.Key()
			}
		}
	}
}
