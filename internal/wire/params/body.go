// Bodies: JSON objects and multipart forms.

package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"strings"

	"almanac/internal/text/jsonio"
)

// A SyntaxError says that a body is not JSON although it claims to be.
type SyntaxError struct {
	Code   int // 1: too deep, 4: syntax, 5: encoding, 10: half a surrogate pair
	Reason string
}

func (e *SyntaxError) Error() string { return "the body is not valid JSON: " + e.Reason }

// Codes of a SyntaxError; clients know them.
const (
	tooDeep       = 1
	badSyntax     = 4
	badEncoding   = 5
	loneSurrogate = 10
)

// decodeJSON reads an object that nests no deeper than is allowed, 0 for as deep
// as can be. Other values count as no parameters at all.
func decodeJSON(body []byte, depth int) (map[string]any, error) {
	if depth == 0 {
		depth = jsonio.MaxDepth
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	switch flaw, at := jsonio.Check(body, depth); flaw {
	case jsonio.BadEncoding:
		return nil, &SyntaxError{badEncoding, "it is not UTF-8"}
	case jsonio.TooDeep:
		return nil, &SyntaxError{tooDeep, fmt.Sprintf("nested deeper than %d", depth)}
	case jsonio.LoneSurrogate:
		return nil, &SyntaxError{
			loneSurrogate,
			fmt.Sprintf("half a surrogate pair at byte %d", at),
		}
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, &SyntaxError{badSyntax, syntaxReason(err, dec.InputOffset())}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{
			badSyntax,
			fmt.Sprintf("more text after the value, at byte %d", dec.InputOffset()),
		}
	}
	object, _ := value.(map[string]any)
	return object, nil
}

func syntaxReason(err error, offset int64) string {
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends in the middle"
	}
	return fmt.Sprintf("%s, at byte %d", strings.TrimPrefix(err.Error(), "json: "), offset)
}

// partsMost is how many parts a form with a file may have: the memory of many small parts is not
// counted.
const partsMost = 300

// multipart reads the fields of a multipart form, and notes whether there is a file among them. A
// browser sends a file without a name and content where none was chosen. An operation that takes a
// file gets the first one.
func (in *Input) multipart(s Source) map[string]any {
	var fields nest
	_, options, _ := mime.ParseMediaType(s.ContentType)
	parts := multipart.NewReader(bytes.NewReader(s.Body), options["boundary"])
	for n := 0; options["boundary"] != "" && (n < partsMost || !s.Upload); n++ {
		part, err := parts.NextPart()
		if err != nil {
			break
		}
		_, about, _ := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		if name, ok := about["filename"]; ok ||
			isFile(mediaType(part.Header.Get("Content-Type"))) {
			in.file = in.file || !ok || name != ""
			if s.Upload && in.file && in.upload == nil {
				var data bytes.Buffer
				data.Grow(len(s.Body)) // so that it is copied once
				if _, err := io.Copy(&data, part); err != nil {
					break
				}
				in.upload = &File{name, data.Bytes()}
			}
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			break
		}
		fields.add(part.FormName(), string(value))
	}
	return fields.done()
}
