// Differences between two versions of a record, and lines of the log without secrets.

package record

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// VerbOf tells what became of a record.
func VerbOf(old, r Record) string {
	was := PostOf(old)
	is := PostOf(r)
	switch {
	case is == nil || was.Status == is.Status:
		return "changed"
	case is.Status == Trash:
		return "trashed"
	case was.Status == Trash:
		return "restored"
	case is.Status == Publish:
		return "published"
	}
	return "changed"
}

// ChangedMembers returns the names of members that differ, but for rev, which
// always does.
func ChangedMembers(old, r Record) ([]string, error) {
	var was, is map[string]json.RawMessage
	for _, m := range []struct {
		of   Record
		into *map[string]json.RawMessage
	}{{old, &was}, {r, &is}} {
		text, err := AppendJSON(nil, m.of)
		if err == nil {
			err = json.Unmarshal(text, m.into)
		}
		if err != nil {
			return nil, err
		}
	}
	names := []string{}
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name != "rev" && !bytes.Equal(was[name], is[name]) {
			names = append(names, name)
		}
	}
	return names, nil
}

// redacted stands in the place of a password or of a hash.
const redacted = `"…"`

// Redact puts something else in the place of every text that is the value of a member named
// password or sha256, in whatever way JSON allows to write that. A line may be cut off.
func Redact(line []byte) []byte {
	var out []byte
	dec := json.NewDecoder(bytes.NewReader(line))
	done := 0
	from := 0
	secret := false
	dec.UseNumber()
	for whole := true; whole; {
		token, err := dec.Token()
		end := int(dec.InputOffset())
		text, isText := token.(string)
		if whole = err == nil; !whole {
			end = len(line)
		}
		isName := isText && bytes.HasPrefix(bytes.TrimLeft(line[end:], " \t\r\n"), []byte(":"))
		if begin := bytes.IndexByte(line[from:end], '"'); secret && begin >= 0 &&
			(isText && !isName || !whole) {
			out = append(append(out, line[done:from+begin]...), redacted...)
			done = end
		}
		secret = isName && (strings.EqualFold(text, "password") || strings.EqualFold(text, "sha256"))
		from = end
	}
	return append(out, line[done:]...)
}
