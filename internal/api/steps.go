// Lists that are found in steps: others write between them.

package api

import (
	"cmp"

	"almanac/internal/api/respond"
	"almanac/internal/wire/params"
	"almanac/store"
)

// stepsAtOnce is the largest number of records of a kind whose lists take no turns.
const stepsAtOnce = 20_000

// inSteps is Do for a list of records of a kind that find finds outside of a View. When others
// have written meanwhile, the tag of the state before does not count.
func (l *List) inSteps(
	k store.Kind,
	look func(*store.View, params.Values) error,
	find func() ([]store.Record, error),
) (answer *respond.Response, err error) {
	long := false
	var state *store.State
	measure := func(v *store.View, _ params.Values) error {
		state = v.State()
		long = v.Len(k) > stepsAtOnce
		return nil
	}
	make := func() (_ *respond.Response, err error) {
		var found []store.Record
		var busy error
		steps := func() {
			l.measureFind(func() {
				found, err = find()
			})
		}
		if long {
			busy = l.bounds.Searches.Do(l.HTTP.Context(), l.Key(), steps)
		} else {
			steps()
		}
		err = cmp.Or(busy, err)
		if err != nil {
			return nil, err
		}
		return nil, l.Store.View(func(v *store.View) error {
			for _, one := range found {
				l.items = append(l.items, l.item(v, one))
			}
			if v.State() != state {
				l.Tag = ""
			}
			return nil
		})
	}
	err = l.untilTried(func() (err error) { // the steps may meet more passwords
		answer, err = l.Do(look, measure, make)
		return err
	})
	if err != nil || answer != nil {
		return answer, err
	}
	return l.Response()
}
