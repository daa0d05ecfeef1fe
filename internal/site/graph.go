// Data for search engines in pages.

package site

import "almanac/internal/markup"

// A graph is the JSON-LD of a page for search engines: objects from package render, which the caller may see.
type graph []string

// add adds an object, without what pages do not show.
func (g *graph) add(object []byte) { g.join(string(markup.DropUnshown(object))) }

// join adds objects that were added to others.
func (g *graph) join(objects string) {
	switch {
	case objects == "":
	case *g == nil:
		*g = graph{`{"@context":"https://schema.org","@graph":[`, objects, "]}"}
	default:
		*g = append((*g)[:len(*g)-1], ",", objects, "]}")
	}
}
