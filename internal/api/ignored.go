// Members of a write that have no effect.

package api

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"almanac/internal/openapi"
	"almanac/internal/params"
)

// maxIgnored is how many names an answer tells that were not read.
const maxIgnored = 20

// ignoredNames returns the names in a write that have no effect, in order. It leaves out the names that clients
// send everywhere (a leading underscore, rest_route, context, and the force of a delete) and the members that
// records show, since a record may be sent back as it was read. Exceptions are slug and excerpt when a record
// is made that takes none: a client sends them on purpose.
func (r checking) ignoredNames() []string {
	records, verb, _ := strings.Cut(r.Op.Name, ".")
	var names []string
	for _, name := range r.Op.Params.Unknown(r.In) {
		of, inside, nested := strings.Cut(name, ".")
		if !nested || of != "venue" && of != "organizer" {
			of, inside = records, name
		} else {
			of += "s"
		}
		switch {
		case strings.HasPrefix(inside, "_"), inside == "rest_route", inside == "context", inside == "force":
		case openapi.Shows(of, inside) && !((verb == "create" || of != records) && (inside == "slug" || inside == "excerpt")):
		default:
			names = append(names, name)
		}
	}
	return names
}

// noteIgnored keeps for the answer what a write says in vain. With StrictInput that
// is an error, and nothing is written.
func (r *Call) noteIgnored() error {
	names, unread := checking{r}.ignoredNames(), r.In.Unread()
	if r.strict && unread != "" {
		return &Error{Status: http.StatusBadRequest, Code: "rest_body_not_read", Message: unread}
	}
	var told []string
	if unread != "" {
		told = append(told, "body")
	}
	refused := &params.Invalid{}
	for i, name := range names {
		if i == maxIgnored {
			told = append(told, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		if name == "" {
			name = `""`
		}
		name = name[:min(len(name), 60)]
		told = append(told, url.PathEscape(name))
		refused.Complaints = append(refused.Complaints, params.Complaint{
			Name: name, Reason: fmt.Sprintf("%q is no parameter of this operation, and -strict-input refuses others.", name),
		})
	}
	if r.strict && len(names) > 0 {
		return refused
	}
	r.Asked.Ignored = strings.Join(told, ", ")
	return nil
}
