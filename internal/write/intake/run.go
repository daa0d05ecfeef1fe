// Batches that are applied in many short transactions, beside other writers.

package intake

import (
	"errors"
	"maps"
	"slices"

	"almanac/internal/people/password"
	"almanac/store"
)

// stepWork bounds the work of a transaction, for which all other writers wait: each record, each
// KiB of records and each write is 1, and so are as many namesakes, or members and custom fields,
// as are looked at in the time of a write.
const stepWork, namesakesOfWrite, partsOfWrite = 500, 64, 16

// StrictMost bounds the work of a strict Run, which is one transaction.
const StrictMost = 10 * stepWork

var (
	// ErrUnsealed is the error of a strict Step that is to be made again after Seal.
	ErrUnsealed = errors.New("intake: passwords of the records are not hashed yet")
	// ErrMuch is the error of a strict Step whose work is more than StrictMost.
	ErrMuch = errors.New("intake: one transaction cannot take so many records")
)

// A Run applies the records of a Batch in steps, each in a transaction. Others write between them.
// A strict batch is one step, because all or none of its records are stored. Passwords are hashed
// between the steps, by Seal:
//
//	run := batch.Run(o)
//	for !run.Done() {
//		err := s.Update(account, run.Step)
//		if err == nil || errors.Is(err, intake.ErrUnsealed) {
//			err = run.Seal(hash)
//		}
//		if err != nil {
//			return run.Result(), err
//		}
//	}
type Run struct {
	batch   Batch
	options Options
	im      *importer
	whole   bool // in one step
	next    int  // item
	done    bool
	refused []Refusal // that ended a strict batch
}

// A secret is a password of an item, and what is stored of the password of its event before.
type secret struct {
	item         int
	stored, text string
}

// Run returns a Run that has applied nothing. It changes b.State.
func (b Batch) Run(o Options) *Run {
	r := &Run{batch: b, options: o, im: newImporter(nil, o, b.State), whole: b.Strict}
	r.im.sealed = map[secret]string{}
	return r
}

// Done reports whether all records were applied.
func (r *Run) Done() bool { return r.done }

// Step applies the next records. The error is ErrRefused, ErrUnsealed or ErrMuch of a strict
// batch, or that of the store: then the records of the steps before are stored.
func (r *Run) Step(tx *store.Tx) error {
	if r.batch.Strict {
		sealed := r.im.sealed
		r.im = newImporter(nil, r.options, r.batch.State)
		r.next = 0
		r.im.sealed = sealed
	}
	im := r.im
	im.tx = tx
	im.waits = !r.whole
	im.looked = 0
	im.parts = 0
	clear(im.places)
	records := 0
	work := func() int { return records + tx.Writes() + im.looked/namesakesOfWrite + im.parts/partsOfWrite }
	for ; r.next < len(r.batch.Items); r.next++ {
		if !r.whole && records > 0 && work() > stepWork {
			return nil
		}
		item := r.batch.Items[r.next]
		records += 1 + len(item.Record)>>10
		im.at = r.next
		if !im.take(item) {
			return nil
		}
		if r.batch.Strict {
			switch {
			case len(im.report.Refusals) > 0:
				r.refused = im.report.Refusals // before they are undone
				return ErrRefused
			case im.sealed != nil && work() > StrictMost:
				return ErrMuch
			}
		}
	}
	if r.whole && len(im.unsealed) > 0 {
		return ErrUnsealed
	}
	for _, series := range slices.Sorted(maps.Keys(im.dated)) {
		if !r.whole && tx.Writes() > stepWork {
			return nil
		}
		if err := im.editor().Gather(tx, series, tx.Event(im.dated[series])); err != nil {
			return err
		}
		delete(im.dated, series)
	}
	r.done = true
	return nil
}

// Seal hashes the passwords that the last step met. hash returns stored if it is the stored form
// of the text, else that of the text. It runs outside of a transaction.
func (r *Run) Seal(hash func(stored, text string) (string, error)) error {
	for _, s := range r.im.unsealed {
		sealed, err := hash(s.stored, s.text)
		if err != nil {
			return err
		}
		r.im.sealed[s] = sealed
	}
	r.im.unsealed = nil
	return nil
}

// Result returns the outcome of the steps so far, which is true after they are committed.
func (r *Run) Result() Result {
	if r.refused != nil {
		return Result{Report: Report{Refusals: r.refused}, State: r.batch.State}
	}
	return Result{r.im.report, r.im.state, r.im.taken}
}

// seal returns what to store for a password that a record has. If it has to be hashed outside of
// the transaction first, seal notes it.
func (im *importer) seal(stored, text string) string {
	if text == "" {
		return ""
	}
	if im.sealed == nil {
		if password.Matches(stored, text) {
			return stored
		}
		return text // the store hashes it
	}
	s := secret{im.at, stored, text}
	sealed, known := im.sealed[s]
	if !known {
		im.unsealed = append(im.unsealed, s)
	}
	return sealed
}
