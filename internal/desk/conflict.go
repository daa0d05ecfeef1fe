// Two changes of one event at the same time.

package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/wire/pages"
	"almanac/store"
)

// A difference is a field that has another value in the form than in the stored event.
type difference struct {
	Name, Label, Mine, Theirs string
	Changed                   bool // in the form: mine is proposed
}

// digests returns a short hash of each value, so that a form knows later which of them were
// changed in it.
func (f form) digests() string {
	var all []string
	for _, field := range fields {
		sum := sha256.Sum256([]byte(f[field.Name]))
		all = append(all, hex.EncodeToString(sum[:4]))
	}
	return strings.Join(all, "-")
}

// Names and values of the choice between them.
const (
	pickPrefix = "pick-"
	pickTheirs = "theirs"
)

// pick puts the values of the stored event into the form where they were chosen.
func (p *page) pick(f, stored form) {
	for name := range f {
		if p.input(pickPrefix+name) == pickTheirs {
			f[name] = stored[name]
		}
	}
}

// conflict shows both texts of each field that differs. Each can be chosen; the form is sent with
// the present state then.
func (p *page) conflict(ed *editing) (*respond.Response, error) {
	err := p.Store.View(func(v *store.View) (err error) {
		ed.Event, err = p.find(v)
		if err != nil {
			return err
		}
		stored := p.formOf(v, ed.Event)
		ed.Tag = p.TagOf(v, ed.Event)
		base := strings.Split(ed.Base, "-")
		mine := strings.Split(ed.Form.digests(), "-")
		for i, field := range fields {
			name := field.Name
			if isStored := name != "password" && name != "open" && name != "tell"; isStored &&
				ed.Form[name] != stored[name] {
				ed.Differs = append(
					ed.Differs,
					difference{
						name,
						p.T(field.Key),
						p.valueText(v, name, ed.Form[name]),
						p.valueText(v, name, stored[name]),
						len(base) != len(mine) || base[i] != mine[i],
					},
				)
			}
		}
		p.fill(v, ed)
		delete(ed.Form, "alt") // which is stored
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.show(http.StatusConflict, "conflict.html", p.T("desk.conflict-title"), ed)
}

// valueText returns the value of a field as people read it.
func (p *page) valueText(v *store.View, name, value string) string {
	switch name {
	case "date", "last", "until":
		if day, err := time.Parse(time.DateOnly, value); err == nil {
			return p.locale().Full(day)
		}
	case "starts", "ends":
		if at, err := time.Parse(timeLayout, value); err == nil {
			return p.locale().Time(at)
		}
	case "password":
		return strings.Repeat("•", min(len(value), 3))
	case "image":
		if id := idOf(value); access.MaySeeImage(p.Caller, &v.Reader, id) {
			return pictureName(v.Image(id))
		}
		return ""
	case "free", "hide", "sticky", "featured":
		if value == "" {
			return p.T("desk.no")
		}
		return p.T("desk.yes")
	case "categories":
		var all []string
		for _, id := range items(value, ",") {
			if t := v.Term(store.Categories, api.ParseID(id)); t != nil {
				all = append(all, pages.NameOf(t))
			}
		}
		return strings.Join(all, ", ")
	}
	return value
}
