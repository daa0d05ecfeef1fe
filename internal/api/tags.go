// Entity tags (RFC 9110, section 8.8.3), the conditions that name them, and the keys by which
// caches drop answers.

package api

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"strconv"
	"strings"

	"almanac/i18n/cldr"
	"almanac/internal/account"
	"almanac/internal/admission"
	"almanac/internal/pages"
	"almanac/internal/render"
	"almanac/internal/respond"
	"almanac/store"
)

// settings are the values that answers depend on and that stay while the server runs. All of them
// are hashed into entity tags, so none is a pointer.
type settings struct {
	zoneName            string
	dayEnds             store.Wall // see render.Renderer
	addresses           string     // base addresses with their languages
	perPage, MaxPerPage int
	currency            cldr.Currency // of the site, as its own language writes it
	name                string        // of the calendar, or ""
	Slugs               render.Slugs
	pages, submissions  bool
	about, themeName    string
	links               []pages.Link // of the owner
	policy              string       // names all hosts of a look
	assets              []string     // names, which change with the content
	shared              []string     // see respond.Request
	allowedMore         []string     // header for pages of other sites that ask for more fields
	explain             bool
	strict              bool // about input
	negotiate           bool
	limits              admission.Limits
}

// fingerprint returns a hash of the settings and of the program.
func (s *settings) fingerprint() []byte {
	hash := sha256.New()
	fmt.Fprintf(hash, "%#v", *s)
	if info, ok := debug.ReadBuildInfo(); ok {
		_, _ = io.WriteString(hash, info.String()) // a hash does not fail
	}
	return hash.Sum(nil)
}

// StateTag names the state of a list without looking at a record: by the visible history of
// commits, the caller and the query. Changes that are hidden from the caller leave it as it is.
// moments are the parts of the request that depend on the time.
func (r *Call) StateTag(v *store.View, moments ...int64) string {
	var array [512]byte
	state := v.HeadFor(r.Caller.ID) // stands for all that the caller may see
	if r.Caller.May(account.ReadOthers) {
		state = v.Head()
	}
	b := append(array[:0], state[:]...)
	b = append(b, r.fingerprint...)
	b = binary.BigEndian.AppendUint64(b, uint64(r.Caller.ID))
	for _, text := range []string{string(r.Caller.Role), r.Op.Name, r.Site.API, remembering{r}.query(), r.asksPage} {
		b = append(append(b, text...), 0)
	}
	for _, moment := range moments {
		b = binary.BigEndian.AppendUint64(b, uint64(moment))
	}
	return respond.Tag(append(b, r.Body...))
}

// TagOf returns the entity tag of a record as a read would show it to the caller.
func (r *Call) TagOf(from render.Source, record store.Record) string {
	return recordTag(record, r.openRendering(from, record).parts())
}

// recordTag names a record by its JSON. The JSON of a single record may have data for search
// engines, which say the same in other words, and are there unless there is a password: so they
// need not be rendered for the name. The single form of a term has parts that depend on the
// caller, so it names itself.
func recordTag(record store.Record, json iter.Seq[[]byte]) string {
	hash := sha256.New()
	for part := range json {
		hash.Write(part)
	}
	if e, ok := record.(*store.Event); ok && e.Password != "" {
		hash.Write([]byte("protected"))
	}
	var sum [sha256.Size]byte
	return respond.TagOf(hash.Sum(sum[:0]))
}

// Precondition refuses a write whose If-Match does not name the record as it is (RFC 9110, section
// 13.1.1). A record that is as it was before the parts of the change that are stored is as it was
// named, though its answer may tell of fewer events.
func (r *Call) Precondition(tx *store.Tx, record store.Record) error {
	condition := r.HTTP.Header.Get("If-Match")
	switch {
	case condition == "" || r.partial && record == r.met:
	case respond.Matches(condition, r.TagOf(&tx.Reader, record)):
		r.met = record
	default:
		return errPrecondition
	}
	return nil
}

// keysMost is how many keys an answer has: some kilobyte of header.
const keysMost = 64

// EveryKind is the keys of an answer that shows more records than have a key each.
var EveryKind = headerKeys(
	[]string{"events", "venues", "organizers", "categories", "tags", "series"},
)

// headerKeys returns some keys as the values of Surrogate-Key and Cache-Tag.
func headerKeys(keys []string) []string {
	return []string{strings.Join(keys, " "), strings.Join(keys, ",")}
}

// keys returns the cache keys of an answer with some records and their linked records: the kind
// and id of each, as events-12, and the kind for a list, since any record of the kind may come
// into it. It returns nil if no cache keys are sent, or if the answer is not public. A cache that
// purges KIND and KIND-ID after every change has no stale answer.
func (r *Call) keys(kind string, items []item) []string {
	if r.shared == nil || !r.Caller.IsStranger() || !r.Asked.Reads() {
		return nil
	}
	keys := make([]string, 0, keysMost)
	seen := map[string]bool{}
	add := func(key string) {
		if !seen[key] && len(keys) <= keysMost {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	of := func(record store.Record) { add(record.Kind().String() + "-" + strconv.FormatInt(record.Key(), 10)) }
	if kind != "" {
		add(kind)
	}
	for i := range items {
		record := items[i].record
		if series, ok := record.(render.Series); ok {
			record = series.Series
			add("events") // the next event is shown
		}
		of(record)
		if e, ok := record.(*store.Event); ok && e.Password != "" {
			continue // hidden content
		}
		if items[i].shown != nil {
			items[i].shown.Published(of)
		}
	}
	if len(keys) > keysMost {
		return EveryKind
	}
	return headerKeys(keys)
}
