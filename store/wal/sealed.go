// Sealed documents: the descriptions in snapshots and archives.

package wal

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// EncodeSealed returns the bytes of a document: indented for people, and sealed as a
// line of the log is.
func EncodeSealed(document any) ([]byte, error) {
	b, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSuffix(b, []byte("}"))
	return append(appendSum(b, b), '\n'), nil
}

// DecodeSealed reads a document, for its name in errors a manifest or a backup. Every
// byte must be as encodeSealed writes it, unless its format is not the known
// one.
func DecodeSealed(text []byte, document any, known int, name string) error {
	body, err := checkSum(bytes.TrimSuffix(text, []byte("\n")))
	if err != nil {
		return err
	}
	object := append(bytes.Clone(body), '}')
	var format struct{ Version int }
	if err := json.Unmarshal(object, &format); err != nil {
		return err
	}
	if err := checkFormat(format.Version, known); err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(object))
	strict.DisallowUnknownFields()
	if err := strict.Decode(document); err != nil {
		return err
	}
	if same, err := EncodeSealed(document); err != nil || !bytes.Equal(same, text) {
		return fmt.Errorf("members that are not in the order and form of a %s", name)
	}
	return nil
}
