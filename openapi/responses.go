// Answers in the document: which statuses an operation has, and what they mean.

package openapi

import (
	"net/http"
	"strconv"

	"almanac/wire"
)

// A docResponse is one status of an operation.
type docResponse struct {
	Description string       `json:"description"`
	Headers     *wire.Object `json:"headers,omitempty"`
	Content     *wire.Object `json:"content,omitempty"`
}

// docHeader is a header of an answer.
type docHeader struct {
	Description string  `json:"description"`
	Schema      *schema `json:"schema"`
}

// responses describes the answers to a verb. A POST to a record and a DELETE of
// a term also list a status that the original documents and this server does
// not send: programs made from the original's document look for it.
func (d *API) responses(g group, verb, method string) wire.Object {
	var all wire.Object
	answer := func(status int, key string, body *schema) {
		one := docResponse{Description: d.Text("response." + key)}
		if body != nil {
			one.Content = jsonContent(body)
		}
		if verb == "list" && status == http.StatusOK {
			one.Headers = d.totals()
		}
		all.Add(strconv.Itoa(status), one)
	}
	refuse := func(status int, key string) { answer(status, key, ref("Error")) }
	record := ref(g.schema)

	switch verb {
	case "list":
		answer(http.StatusOK, "list", ref(listName(g)))
	case "create":
		answer(http.StatusCreated, "created", record)
	case "read":
		answer(http.StatusOK, "record", record)
	case "update":
		answer(http.StatusOK, "updated", record)
		if method == http.MethodPost {
			answer(http.StatusCreated, "compatible", record)
		}
	case "delete":
		answer(http.StatusOK, "deleted", record)
	default:
		answer(http.StatusOK, verb, &schema{Type: "object"})
	}
	if method == http.MethodGet {
		answer(http.StatusNotModified, "unchanged", nil)
	}
	if g.schema != "" {
		refuse(http.StatusBadRequest, "invalid")
	}
	refuse(http.StatusUnauthorized, "unauthorized")
	switch {
	case verb == "read" && !g.terms():
		refuse(http.StatusForbidden, "hidden")
	case method != http.MethodGet:
		refuse(http.StatusForbidden, "forbidden")
	}
	switch {
	case verb == "list" && !g.terms():
		refuse(http.StatusNotFound, "no-page")
	case g.name == "events" && verb != "create":
		refuse(http.StatusNotFound, "not-found")
	case g.schema != "":
		refuse(http.StatusNotFound, "no-route")
	}
	if verb == "delete" {
		refuse(http.StatusGone, map[bool]string{false: "gone", true: "compatible"}[g.terms()])
	}
	if verb == "update" || verb == "delete" {
		refuse(http.StatusPreconditionFailed, "changed")
	}
	refuse(http.StatusInternalServerError, "failed")
	if method != http.MethodGet {
		refuse(http.StatusServiceUnavailable, "unavailable")
	}
	all.Add("default", docResponse{Description: d.Text("response.error"), Content: jsonContent(ref("Error"))})
	return all
}

// totals describes the headers of lists.
func (d *API) totals() *wire.Object {
	var headers wire.Object
	headers.Add("X-TEC-Total", docHeader{d.Text("header.total"), &schema{Type: "integer"}})
	headers.Add("X-TEC-TotalPages", docHeader{d.Text("header.total_pages"), &schema{Type: "integer"}})
	return &headers
}
