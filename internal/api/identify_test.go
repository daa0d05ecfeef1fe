package api_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"almanac/almanactest"
	"almanac/internal/api"
	"almanac/internal/people/account"
	"almanac/internal/text/caltime"
	"almanac/internal/tools/apitest"
	"almanac/internal/tools/sample"
	"almanac/store"

	"github.com/google/go-cmp/cmp"
)

// A change that is stored in parts ends when its account may not make it any more.
func TestPartsOfFormerAccounts(t *testing.T) {
	t.Parallel()
	const users = `{"users":[{"id":1,"login":"ada","role":"administrator","token":"ada"}%s]}`
	const editor = `,{"id":2,"login":"ed","role":"editor","token":"ed"}`
	type outcome struct{ Status, Moved int }
	for name, test := range map[string]struct {
		becomes string
		want    outcome
	}{
		"the same":        {editor, outcome{200, 1_200}},
		"disabled":        {`,{"id":2,"login":"ed","role":"editor","token":"ed","disabled":true}`, outcome{401, 500}},
		"of another role": {`,{"id":2,"login":"ed","role":"author","token":"ed"}`, outcome{401, 500}},
		"without a token": {`,{"id":2,"login":"ed","role":"editor","token":"another"}`, outcome{401, 500}},
		"another account": {`,{"id":3,"login":"ed","role":"editor","token":"ed"}`, outcome{401, 500}},
		"removed":         {"", outcome{401, 500}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "users.json")
			write := func(others string) {
				if err := os.WriteFile(path, fmt.Appendf(nil, users, others), 0o600); err != nil {
					t.Error(err)
				}
			}
			write(editor)
			const events = 1_200
			made := 0
			s, err := store.Open(store.Options{HashPassword: func(hash string) string {
				if made++; made == events+10 { // within the first part
					write(test.becomes)
				}
				return hash
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			from := &store.Term{Taxonomy: store.Categories, Name: "From", Slug: "from"}
			into := &store.Term{Taxonomy: store.Categories, Name: "Into", Slug: "into"}
			err = s.Update(1, func(tx *store.Tx) error {
				for _, c := range []*store.Term{from, into} {
					if err := tx.Put(c); err != nil {
						return err
					}
				}
				for i := range events {
					e := &store.Event{Title: "Fair", Categories: []int64{from.ID}}
					e.Status = store.Publish
					e.Slug = fmt.Sprint("fair", i)
					if err := tx.Put(e); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			accounts, err := account.Open(path, caltime.Frozen(sample.Evening).Now, nil)
			if err != nil {
				t.Fatal(err)
			}
			handler, err := api.New(api.Options{
				Store:    s,
				Accounts: accounts,
				Clock:    caltime.Frozen(sample.Evening),
				NoLimits: true,
			}, almanactest.Routes)
			if err != nil {
				t.Fatal(err)
			}
			merge := fmt.Sprintf("%s/categories/%d/merge?into=%d", v1, from.ID, into.ID)
			w := apitest.Serve(handler, http.MethodPost, merge, "", "Authorization", apitest.Bearer("ed"))
			got := outcome{Status: w.Code}
			_ = s.View(func(v *store.View) error {
				got.Moved = len(v.EventsOf(store.Categories, into.ID))
				return nil
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s%s", diff, w.Body)
			}
			if err := s.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}
