// Tests of the removal of pictures that are in use.

package media_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/almanactest"
	"almanac/internal/people/account"
	"almanac/store"
)

// An author does not remove an own picture from records of others, and nobody but an administrator
// removes the logo.
func TestRemoveUsed(t *testing.T) {
	t.Parallel()
	const venues = "/cal/events/v1/venues"
	for _, tt := range []struct {
		name       string
		by, remove account.Role
		status     store.Status // of a venue with the picture; "" is no venue
		logo       bool
		want       string // in the refusal
	}{
		{
			name:   "of an own place",
			by:     account.Author,
			status: store.Publish,
			remove: account.Author,
		},
		{
			name:   "of a place of others",
			by:     account.Editor,
			status: store.Publish,
			remove: account.Author,
			want:   "records of others that name it: 1",
		},
		{
			name:   "of a hidden place of others",
			by:     account.Editor,
			status: store.Draft,
			remove: account.Author,
			want:   "records name it that are hidden from you",
		},
		{
			name:   "of a place of others, by an editor",
			by:     account.Administrator,
			status: store.Publish,
			remove: account.Editor,
		},
		{
			name:   "the logo, by its author",
			logo:   true,
			remove: account.Author,
			want:   "it is the logo of the site",
		},
		{
			name:   "the logo, by an editor",
			logo:   true,
			remove: account.Editor,
			want:   "it is the logo of the site",
		},
		{name: "the logo, by an administrator", logo: true, remove: account.Administrator},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := start(t, almanactest.Options{})
			picture := d.upload(account.Author, photo(30, 20), "")
			at := fmt.Sprint(own, "/", picture.ID)
			venue := medium{}
			if tt.status != "" {
				_, text := d.ask(
					tt.by,
					201,
					"POST",
					venues,
					fmt.Appendf(
						nil,
						`{"venue":"Hall","status":%q,"image":%q}`,
						tt.status,
						picture.URL,
					),
					asJSON...)
				venue = read[medium](d, text)
			}
			if tt.logo {
				err := d.srv.Store.Update(1, func(tx *store.Tx) error {
					return tx.SetSettings(store.Settings{
						Logo: picture.ID,
					})
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if tt.want == "" {
				d.ask(tt.remove, 200, "DELETE", at, nil)
				return
			}
			_, text := d.ask(tt.remove, 403, "DELETE", at, nil)
			if !strings.Contains(string(text), `"code":"rest_cannot_delete"`) ||
				!strings.Contains(string(text), tt.want) {
				t.Errorf("refused with %s", text)
			}
			d.ask("", 200, "GET", picture.URL, nil)
			if tt.status != "" {
				if _, text = d.ask(tt.by, 200, "GET", fmt.Sprint(venues, "/", venue.ID), nil); !strings.Contains(
					string(text),
					picture.URL,
				) {
					t.Errorf("the venue is %s", text)
				}
			}
		})
	}
}
