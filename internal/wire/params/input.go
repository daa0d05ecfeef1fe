// Gathering what a request says into one flat name space.

package params

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/url"
	"slices"
	"strings"
)

// A Source is the parts of a request that parameters are read from.
type Source struct {
	Method      string
	ContentType string
	Body        []byte
	Disposition string            // value of Content-Disposition
	Query       string            // as sent, encoded
	Path        map[string]string // by name, decoded
	Depth       int               // maximum nesting of JSON; 0 is the limit of the decoder
	Upload      bool              // the operation takes a file
}

// A File is a file that was sent.
type File struct {
	Name string // as the client says; ""
	Data []byte
}

// An Input is the parameters of a request by name. For each name the path
// counts before the JSON body, the JSON body before the form, the form before
// the query; null counts as not sent.
type Input struct {
	// A value is decoded JSON, with numbers as json.Number; from a query or a form it is a string,
	// or []any and map[string]any of these.
	values map[string]any
	path   map[string]string
	unread string
	file   bool
	upload *File // if the operation takes one
}

// Read gathers the parameters of a request. The error is a *SyntaxError.
//
// The content type decides how the body is read. JSON is read in every method, GET too, and what
// is not an object says nothing. Forms are read in writes; multipart forms in POST alone, and a
// body without a type is a form in every other write. Bodies of other types say nothing; Unread
// tells why. For an operation that takes a file, such a body is the file, and so is every body
// with a Content-Disposition that is no multipart form.
func Read(s Source) (*Input, error) {
	in := &Input{values: parseQuery(s.Query), path: s.Path}
	kind := mediaType(s.ContentType)
	in.file = len(s.Body) > 0 && (isFile(kind) || s.Disposition != "")
	switch {
	case s.Upload && in.file && kind != "multipart/form-data":
		_, about, _ := mime.ParseMediaType(s.Disposition)
		in.upload = &File{about["filename"], s.Body}
	case isJSON(kind):
		object, err := decodeJSON(s.Body, s.Depth)
		if err != nil {
			return nil, err
		}
		in.cover(object)
		if object == nil && len(bytes.TrimSpace(s.Body)) > 0 {
			in.unread = "The body is JSON, and no object: parameters are its members."
		}
	case kind == "application/x-www-form-urlencoded" && sendsForms(s.Method),
		kind == "" && sendsForms(s.Method) && s.Method != "POST":
		if text := bytes.TrimSpace(s.Body); len(text) > 0 && text[0] == '{' && json.Valid(text) {
			// As a form it would be one name, or several at an & in a text.
			in.unread = "The body is JSON, and " + cameAs(
				s.ContentType,
			) + ": it is read when it comes as application/json."
			break
		}
		in.cover(parseQuery(string(s.Body)))
	case kind == "multipart/form-data" && s.Method == "POST":
		in.cover(in.multipart(s))
	case len(s.Body) > 0:
		if kind == "multipart/form-data" {
			in.multipart(s) // it may hold a file
		}
		in.unread = "The body was not read: it " + cameAs(s.ContentType) +
			", and application/json and application/x-www-form-urlencoded are read."
	}
	return in, nil
}

// Given returns the parameters that one operation gives another: the texts of a query, which
// become the Input's own, and the variables of a path.
func Given(query map[string]any, path map[string]string) *Input {
	return &Input{values: query, path: path}
}

// GivenFile is Given with a file.
func GivenFile(values map[string]any, file *File) *Input {
	return &Input{values: values, file: true, upload: file}
}

// Encode returns the parameters outside the path as a query that asks for the same, always in the
// same order.
func (in *Input) Encode() string {
	query := url.Values{}
	for name, value := range in.values {
		query.Set(name, textOf(value))
	}
	return query.Encode()
}

// cameAs tells with which content type a body came.
func cameAs(contentType string) string {
	if contentType == "" {
		return "came without a Content-Type"
	}
	return fmt.Sprintf("came with the Content-Type %.100q", contentType)
}

// Unread says, in a sentence, why nothing is made of the body as a whole; "" when it
// was read, or when there is none.
func (in *Input) Unread() string { return in.unread }

// HasFile reports whether the body is a file, or a form that holds one.
func (in *Input) HasFile() bool { return in.file }

// Upload returns the file for an operation that takes one, nil if there is none.
func (in *Input) Upload() *File { return in.upload }

// cover lays what a body says, which becomes the Input's own, over what is there.
func (in *Input) cover(values map[string]any) {
	if in.values == nil {
		in.values = values
		return
	}
	for name, value := range values {
		if _, sent := in.values[name]; value != nil || !sent {
			in.values[name] = value
		}
	}
}

// isJSON reports whether a body of a media type is JSON.
func isJSON(kind string) bool {
	return kind == "application/json" ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

// mediaType returns the media type of a Content-Type, in lower case and without options.
func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// isFile reports whether a media type is that of files and of nothing else.
func isFile(kind string) bool {
	top, _, _ := strings.Cut(kind, "/")
	return top == "image" || top == "audio" || top == "video" ||
		kind == "application/octet-stream" ||
		kind == "application/pdf"
}

// sendsForms reports whether a method has a form for a body.
func sendsForms(method string) bool {
	return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE"
}

// Sent reports whether the request names a parameter, with null too.
func (in *Input) Sent(name string) bool {
	_, ok := in.values[name]
	return ok
}

// Names returns the names of all parameters outside the path, in no order. The
// slice belongs to the caller.
func (in *Input) Names() []string { return slices.Collect(maps.Keys(in.values)) }

// Text returns a parameter that is a string or a number as text, or "". It is
// for the parameters that every route takes, such as _fields.
func (in *Input) Text(name string) string {
	switch v := in.values[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		var parts []string
		for _, item := range v {
			if s, ok := item.(string); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ",")
	}
	return ""
}

// Echo returns what was sent under a name as text that a query can repeat. A name
// that was not sent, or as null, has none.
func (in *Input) Echo(name string) (string, bool) {
	v := in.values[name]
	if v == nil {
		return "", false
	}
	return textOf(v), true
}

// textOf writes a value as it would stand in a query, lists with commas.
func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if v {
			return "1"
		}
		return "0"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = textOf(item)
		}
		return strings.Join(parts, ",")
	case map[string]any:
		return textOf(inOrder(v))
	default:
		return fmt.Sprint(v)
	}
}
