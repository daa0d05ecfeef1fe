// The differences of OpenAPI 3.1 to 3.0.

package openapi

import "almanac/internal/text/jsonio"

// modernize turns a document of 3.0 into one of 3.1, whose schemas are JSON
// Schema 2020-12: null is a type like others.
func (doc *Document) modernize() {
	for _, s := range doc.Components.Schemas.All() {
		s.(*schema).modernize()
	}
	for _, operations := range doc.Paths.All() {
		for _, o := range operations.(jsonio.Object).All() {
			for _, p := range o.(docOperation).Parameters {
				p.Schema.modernize()
			}
		}
	}
}

// modernize turns a schema and those inside it.
func (s *schema) modernize() {
	if s == nil {
		return
	}
	if s.Nullable {
		s.Type = []string{s.Type.(string), "null"}
		s.Nullable = false
	}
	s.Items.modernize()
	s.Additional.modernize()
	for _, one := range append(s.OneOf, s.AllOf...) {
		one.modernize()
	}
	if s.Properties != nil {
		for _, property := range s.Properties.All() {
			property.(*schema).modernize()
		}
	}
}
