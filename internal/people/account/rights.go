package account

// A Right is an action that roles may have. Rights apply to events, venues and organizers alike.
type Right uint8

const (
	CreateOwn          Right = iota // create records as draft or pending; create terms by name
	Publish                         // make records public, scheduled or private
	EditOwn                         // change own records that were never published
	EditOwnPublished                // change own published records
	EditOthers                      // change other authors' records in every status
	DeleteOwn                       // trash own records that were never published
	DeleteOwnPublished              // trash own published records
	DeleteOthers                    // trash other authors' records in every status
	ReadOthers                      // read other authors' unpublished records
	ManageCategories                // create, change and delete categories
	ManageTags                      // create, change and delete tags
	UploadImages                    // store an image by its address
	RawHTML                         // store HTML unchanged, scripts included
	NameAuthor                      // set another author of a record
	Import                          // import whole records with ids and dates
	KeepFeeds                       // make and revoke secret feeds of one's own account
	Administer                      // see and change accounts, see how the server is
)

// rights has the name of each Right, and the lowest role with it.
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
	KeepFeeds:          {"keep own feeds", Subscriber},
	Administer:         {"administer", Administrator},
}

// String returns the name of the right in messages and tables.
func (r Right) String() string {
	if int(r) >= len(rights) {
		return "unknown right"
	}
	return rights[r].name
}

// Least returns the lowest role with the right.
func (r Right) Least() Role { return rights[r].least }

// May reports whether the account has a right. Unknown roles have no right, and no role has an
// unknown right.
func (a Account) May(r Right) bool {
	return int(r) < len(rights) && a.Role.rank() >= rights[r].least.rank()
}
