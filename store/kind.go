// The kinds of records, and their names in files.

package store

import "fmt"

// A Kind names one of the collections of the store.
type Kind uint8

// The kinds. Events, venues, organizers, images and series share one sequence of
// ids; categories and tags share another. Accounts have the numbers that the file of
// the accounts gives them, and are no records of the catalogue: the log tells of them,
// and no list and no answer does.
const (
	Events Kind = iota
	Venues
	Organizers
	Categories
	Tags
	Images
	AllSeries // kind of Series
	Accounts
	kinds // how many there are
)

var kindNames = [kinds]string{"events", "venues", "organizers", "categories", "tags", "images", "series", "accounts"}

// String returns the name that files use, such as "events".
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// MarshalText returns the name of the kind, for the log.
func (k Kind) MarshalText() ([]byte, error) {
	if k >= kinds {
		return nil, fmt.Errorf("there is no %s", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("unknown kind %q", text)
}

// isTerm reports whether records of the kind are terms, which have a sequence
// of ids of their own.
func (k Kind) isTerm() bool { return k == Categories || k == Tags }
