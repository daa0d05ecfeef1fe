// Examples: requests and answers, as recorded from a server. They are the same in every language.

package openapi

import (
	"embed"
	"encoding/json"
	"strings"

	"almanac/internal/text/jsonio"
)

// exampleFiles holds one file an example: NAME.json is that of the schema NAME
// or, for the records of terms, of their kind. A test asks a server for all of
// them and compares.
//
//go:embed examples/*.json
var exampleFiles embed.FS

// examples returns all examples by name.
func examples() jsonio.Object {
	files, err := exampleFiles.ReadDir("examples")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	var all jsonio.Object
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".json")
		all.Add(name, map[string]json.RawMessage{"value": exampleOf(name)})
	}
	return all
}

// exampleOf returns the example of a name.
func exampleOf(name string) json.RawMessage {
	data, err := exampleFiles.ReadFile("examples/" + name + ".json")
	if err != nil {
		panic(err)
	}
	return data
}
