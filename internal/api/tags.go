// Entity tags (RFC 9110, section 8.8.3), and the conditions that name them.

package api

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"runtime/debug"

	"almanac/i18n/cldr"
	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/wire/pages"
	"almanac/internal/wire/render"
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
	language            string       // tag of the site's own
	words               render.Words // that stand for ours where the language is that
	pages, submissions  bool
	about, themeName    string
	links               []pages.Link // of the owner
	policy              string       // names all hosts of a look
	assets              []string     // names, which change with the content
	shared              []string     // see respond.Request
	allowedMore         []string     // header for pages of other sites that ask for more fields
	explain             bool
	strict              bool // see Options.StrictInput
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
	for _, text := range []string{string(r.Caller.Role), r.Op.Name, r.Site.API, r.queryText()} {
		b = append(append(b, text...), 0)
	}
	for _, moment := range moments {
		b = binary.BigEndian.AppendUint64(b, uint64(moment))
	}
	return respond.Tag(append(b, r.Body...))
}

// TagOf returns the entity tag of a record as a read would show it to the caller.
func (r *Call) TagOf(from render.Source, record store.Record) string {
	return recordTag(record, r.openRendering(from, record).append(nil))
}

// recordTag names a record by its JSON. The JSON of a single record may have data for search
// engines, which say the same in other words, and are there unless there is a password: so they
// need not be rendered for the name. The single form of a term has parts that depend on the
// caller, so it names itself.
func recordTag(record store.Record, json []byte) string {
	hash := sha256.New()
	hash.Write(json)
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
	switch {
	case r.ifMatch == "" || r.partial && record == r.ifMatchRecord:
	case respond.Matches(r.ifMatch, r.TagOf(&tx.Reader, record)):
		r.ifMatchRecord = record
	default:
		return errPrecondition
	}
	return nil
}
