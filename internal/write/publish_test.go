// Tests of the right to publish linked records. They call the Editor, because a request cannot
// name a draft that its caller may not edit.

package write_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// everything has all ids and no names.
type everything struct{}

func (everything) Has(params.Entity, int64, bool) bool { return true }
func (everything) Find(entity params.Entity, _ string, _ bool) (id int64, found bool) {
	return 0, entity == params.Picture
}

// An event publishes only records that its caller may edit.
func TestPublishLinkedAsksForTheRight(t *testing.T) {
	t.Parallel()
	in, err := params.Read(params.Source{
		Method:      "POST",
		ContentType: "application/json",
		Body: []byte(
			`{"title":"Gala","start_date":"2031-05-10","end_date":"2031-05-10","venue":1,"organizer":[2,3]}`,
		),
	})
	if err != nil {
		t.Fatal(err)
	}
	const author, other = 7, 8
	for _, tt := range []struct {
		role account.Role
		want map[int64]store.Status
	}{
		{account.Administrator, map[int64]store.Status{
			1: store.Publish,
			2: store.Publish,
			3: store.Publish,
		}},
		{account.Editor, map[int64]store.Status{
			1: store.Publish,
			2: store.Publish,
			3: store.Publish,
		}},
		{account.Author, map[int64]store.Status{
			1: store.Draft,
			2: store.Publish,
			3: store.Pending,
		}},
		{account.Contributor, map[int64]store.Status{
			1: store.Draft,
			2: store.Draft,
			3: store.Pending,
		}},
	} {
		t.Run(string(tt.role), func(t *testing.T) {
			t.Parallel()
			s := apitest.Store(t, nil)
			got := map[int64]store.Status{}
			err := s.Update(0, func(tx *store.Tx) error {
				for _, r := range []store.Record{
					&store.Venue{
						Post: store.Post{
							Author: other,
							Status: store.Draft,
							Slug:   "hall",
						},
						Name: "Hall",
					},
					&store.Organizer{
						Post: store.Post{
							Author: author,
							Status: store.Draft,
							Slug:   "ann",
						},
						Name: "Ann",
					},
					&store.Organizer{
						Post: store.Post{
							Author: other,
							Status: store.Pending,
							Slug:   "bob",
						},
						Name: "Bob",
					},
				} {
					if err := tx.Put(r); err != nil {
						return err
					}
				}
				var zones caltime.Zones
				values, err := params.EventCreate.Check(in, params.Env{
					Now:   now,
					Site:  caltime.UTC(),
					Zones: &zones,
					Known: everything{},
				})
				if err != nil {
					return err
				}
				ed := write.Editor{
					Caller: account.Account{
						ID:   author,
						Role: tt.role,
					},
					Now:   now.Add(time.Hour),
					Site:  caltime.UTC(),
					Zones: &zones,
				}
				// The event is published already: contributors cannot do that themselves.
				old := &store.Event{
					Post: store.Post{
						Author: author,
						Status: store.Publish,
						Slug:   "gala",
					},
					Title:    "Gala",
					Timezone: "UTC",
				}
				if err := tx.Put(old); err != nil {
					return err
				}
				e := *old
				if err := ed.Event(tx, write.Draft{Values: values}, &e, old); err != nil {
					return err
				}
				for id := range tt.want {
					if v := tx.Venue(id); v != nil {
						got[id] = v.Status
					} else if o := tx.Organizer(id); o != nil {
						got[id] = o.Status
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
