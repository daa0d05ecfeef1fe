// Answers in the document: which statuses an operation has, and what they mean.

package openapi

import (
	"net/http"
	"strconv"

	"almanac/internal/text/jsonio"
)

// A docResponse is one status of an operation.
type docResponse struct {
	Description string         `json:"description"`
	Headers     *jsonio.Object `json:"headers,omitempty"`
	Content     *jsonio.Object `json:"content,omitempty"`
}

// docHeader is a header of an answer.
type docHeader struct {
	Description string  `json:"description"`
	Schema      *schema `json:"schema"`
}

// responses describes the answers to a verb. A POST to a record, a DELETE of a
// term and a list of terms also have a status that the original documents and
// this server does not send: programs made from the original's document look for
// it.
func (d *API) responses(g group, verb, method string, op *Operation) jsonio.Object {
	var all jsonio.Object
	answer := func(status int, key string, body *schema, example string) {
		one := docResponse{Headers: d.headers(g, verb, method, status)}
		switch {
		case op.Media != "" && status == http.StatusOK:
			key = "document"
			one.Content = new(jsonio.Object)
			addText(one.Content, op.Media)
		case body != nil:
			one.Content = jsonContent(body, example)
		}
		if status == http.StatusOK {
			for _, mediaType := range op.Also {
				addText(one.Content, mediaType)
			}
		}
		one.Description = d.text("response." + key)
		all.Add(strconv.Itoa(status), one)
	}
	refuse := func(status int, key string) {
		example := ""
		if status == http.StatusBadRequest && g.schema != "" {
			example = "Error"
		}
		answer(status, key, ref("Error"), example)
	}
	record := ref(g.schema)

	switch verb {
	case "list":
		answer(http.StatusOK, "list", ref(listName(g)), listName(g))
	case "create":
		answer(http.StatusCreated, "created", record, g.one)
	case "read":
		answer(http.StatusOK, "record", record, g.one)
	case "update":
		answer(http.StatusOK, "updated", record, "")
		if method == http.MethodPost {
			answer(http.StatusCreated, "compatible", record, "")
		}
	case "delete":
		answer(http.StatusOK, "deleted", record, "")
	case "revisions":
		answer(http.StatusOK, "list", ref("RevisionList"), "")
	case "restore", "merge":
		answer(http.StatusOK, "updated", record, "")
	default:
		answer(http.StatusOK, verb, &schema{Type: "object"}, "")
	}
	if method == http.MethodGet {
		answer(http.StatusNotModified, "unchanged", nil, "")
	}
	if g.schema != "" || verb == "doc" {
		refuse(http.StatusBadRequest, "invalid")
	}
	refuse(http.StatusUnauthorized, "unauthorized")
	switch {
	case verb == "read" && !g.terms() && g.name != "media":
		refuse(http.StatusForbidden, "hidden")
	case method != http.MethodGet, verb == "revisions":
		refuse(http.StatusForbidden, "forbidden")
	}
	switch {
	case verb == "list" && !g.terms():
		refuse(http.StatusNotFound, "no-page")
	case verb == "revisions", verb == "restore":
		refuse(http.StatusNotFound, "no-revision")
	case verb == "document":
	case g.name == "events" && verb != "create":
		refuse(http.StatusNotFound, "not-found")
	case verb == "list":
		refuse(http.StatusNotFound, "compatible")
	case g.name == "media" && verb != "create":
		refuse(http.StatusNotFound, "no-picture")
	case g.name == "series":
		refuse(http.StatusNotFound, "no-series")
	case g.schema != "" && verb != "create":
		refuse(http.StatusNotFound, "no-route")
	}
	if isHeld(g, verb) {
		refuse(http.StatusConflict, "held")
	}
	if verb == "delete" || verb == "merge" && !g.terms() && g.name != "media" {
		refuse(http.StatusGone, map[bool]string{
			false: "gone",
			true:  "compatible",
		}[g.terms() || g.name == "media"])
	}
	if verb == "update" || verb == "delete" || verb == "restore" || verb == "merge" {
		refuse(http.StatusPreconditionFailed, "changed")
	}
	if method != http.MethodGet {
		refuse(http.StatusRequestEntityTooLarge, "too-large")
		refuse(http.StatusUnsupportedMediaType, map[bool]string{
			false: "no-file",
			true:  "not-taken",
		}[g.name == "media" && verb == "create"])
	}
	refuse(http.StatusTooManyRequests, "too-many")
	refuse(http.StatusInternalServerError, "failed")
	if g.name == "media" && (verb == "create" || verb == "update") {
		refuse(http.StatusInsufficientStorage, "no-room")
	}
	if method != http.MethodGet {
		refuse(http.StatusServiceUnavailable, "unavailable")
	} else {
		refuse(http.StatusServiceUnavailable, "busy")
	}
	all.Add("default", docResponse{
		Description: d.text("response.error"),
		Content:     jsonContent(ref("Error"), ""),
	})
	return all
}

// isHeld reports whether a verb may have to wait for a merge of the record, or its removal: one
// that trashes, removes or merges it.
func isHeld(g group, verb string) bool {
	if g.name == "events" || g.name == "series" {
		return false
	}
	trashes := verb == "update" && !g.terms() && g.name != "media"
	return verb == "delete" || verb == "merge" || trashes
}

// headers describes the header fields of an answer, beside those of every one.
func (d *API) headers(g group, verb, method string, status int) *jsonio.Object {
	var fields jsonio.Object
	add := func(name, key, of string) { fields.Add(name, docHeader{d.text("header." + key), schemaOf(of)}) }
	switch {
	case status == http.StatusOK || status == http.StatusCreated:
		if verb == "list" || verb == "revisions" {
			add("X-TEC-Total", "total", "integer")
			add("X-TEC-TotalPages", "total_pages", "integer")
			add("X-Almanac-Clamped", "clamped", "string")
			add("X-Almanac-Ignored", "ignored_fields", "string")
			add("Link", "link", "string")
		}
		if verb != "delete" {
			add("ETag", "etag", "string")
		}
		if method != http.MethodGet {
			add("X-Almanac-Ignored", "ignored", "string")
		}
		if verb == "merge" {
			add("X-Almanac-Moved", "moved", "string")
		}
		if g.name == "events" && (verb == "create" || verb == "update") {
			add("X-Almanac-Adjusted", "adjusted", "string")
		}
	case status == http.StatusTooManyRequests,
		status == http.StatusServiceUnavailable && method == http.MethodGet:
		add("Retry-After", "retry_after", "integer")
	default:
		return nil
	}
	if fields.Len() == 0 {
		return nil
	}
	return &fields
}
