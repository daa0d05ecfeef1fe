package account

// This file holds the one table of what each role may do.

// A Right is something that a caller may do. Rights apply to events, venues and
// organizers alike.
type Right uint8

const (
	CreateOwn          Right = iota // make records, as draft or pending; terms by naming them
	Publish                         // make records public, now or later, or private
	EditOwn                         // change own records that were never published
	EditOwnPublished                // change own published records
	EditOthers                      // change records of others, whatever their status
	DeleteOwn                       // trash own records that were never published
	DeleteOwnPublished              // trash own published records
	DeleteOthers                    // trash records of others, whatever their status
	ReadOthers                      // read what others have not published
	ManageCategories                // create, change and delete categories
	ManageTags                      // create, change and delete tags
	UploadImages                    // store an image by naming its address
	RawHTML                         // have HTML stored as sent, scripts included
	NameAuthor                      // make somebody else the author of a record
	Import                          // take over whole records with ids and dates
)

// rights says, for each Right, what it is called and the least role that has it.
var rights = [...]struct {
	name  string
	least Role
}{
	CreateOwn:          {"create", Contributor},
	Publish:            {"publish", Author},
	EditOwn:            {"edit own", Contributor},
	EditOwnPublished:   {"edit own published", Author},
	EditOthers:         {"edit others'", Editor},
	DeleteOwn:          {"delete own", Contributor},
	DeleteOwnPublished: {"delete own published", Author},
	DeleteOthers:       {"delete others'", Editor},
	ReadOthers:         {"read others' unpublished", Editor},
	ManageCategories:   {"manage categories", Author},
	ManageTags:         {"manage tags", Editor},
	UploadImages:       {"upload images", Author},
	RawHTML:            {"raw HTML", Editor},
	NameAuthor:         {"name another author", Editor},
	Import:             {"import", Administrator},
}

// Rights are all rights, in the order of their declaration. The slice belongs to
// the caller.
func Rights() []Right {
	all := make([]Right, len(rights))
	for i := range all {
		all[i] = Right(i)
	}
	return all
}

// String is what the right is called in messages and tables.
func (r Right) String() string {
	if int(r) >= len(rights) {
		return "unknown right"
	}
	return rights[r].name
}

// Least is the role that may do least of those that have the right.
func (r Right) Least() Role { return rights[r].least }

// May reports whether the account has a right. An account with a role that does
// not exist has none, and nobody has a right that does not exist.
func (a Account) May(r Right) bool {
	return int(r) < len(rights) && a.Role.rank() >= rights[r].least.rank()
}
