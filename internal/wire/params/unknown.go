// Names in a request without a row.

package params

import "slices"

// Unknown returns the names in a request that the table has no row for, in order. Names inside of
// a venue or an organizer that is to be found or made follow its name and a point. An object with
// an id is that record: its other members are not read, and not named here.
func (t Table) Unknown(in *Input) []string {
	var names []string
	for name, sent := range in.values {
		row, ok := t.Row(name)
		switch {
		case !ok:
			names = append(names, name)
		case row.Kind == Links:
			for _, object := range objectsIn(sent) {
				for inside := range object {
					if _, ok := row.linked().Row(inside); !ok && !hasID(object) {
						names = append(names, name+"."+inside)
					}
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// objectsIn returns the objects of a value that is one, or a list of some.
func objectsIn(sent any) (objects []map[string]any) {
	list, _ := sent.([]any)
	if object, ok := sent.(map[string]any); ok {
		if list = []any{object}; isList(object) {
			list = inOrder(object)
		}
	}
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}
