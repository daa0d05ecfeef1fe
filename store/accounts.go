// Which accounts a directory has seen, in case the file that lists them is lost.

package store

import (
	"context"
	"errors"
	"slices"
)

// LastAccount returns the highest id of an account that a data directory knows: of
// who asked for a transaction that is in the log, and of the authors of all records
// in it and in the newest snapshot. It is 0 for a directory that has no log. It takes
// no lock, so that it can read beside a server, and needs memory for a few records.
//
// An error says what could not be read. The id is then that of what could.
func LastAccount(ctx context.Context, dir string) (last int64, err error) {
	fsys, err := readFiles(dir)
	if isAbsent(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for attempt := 1; ; attempt++ {
		segments, err := numbered(fsys, logDir, segmentSuffix)
		if err == nil && len(segments) == 0 {
			return last, fsys.close()
		}
		var all listing
		if all, err = list(fsys); err == nil {
			err = lastAccount(ctx, fsys, all, &last)
		}
		if err == nil || attempt == maxAttempts || !changed(fsys, all, err) {
			return last, errors.Join(err, fsys.close())
		}
	}
}

// lastAccount raises last to the highest id that it finds.
func lastAccount(ctx context.Context, fsys files, all listing, last *int64) error {
	note := func(c *Change) error {
		c.each(func(r Record) {
			if p := postOf(r); p != nil {
				*last = max(*last, p.Author)
			}
		})
		return ctx.Err()
	}
	var err error
	for _, seq := range slices.Backward(all.snapshots) {
		// Of one that is damaged, the log or an older one has what it held.
		m, _, damage := verifySnapshot(fsys, seq)
		if damage == nil {
			err = readSnapshot(fsys, m, nil, func(p piece) error { return note(p.change()) })
			break
		}
	}
	h := newHistorian(fsys, nil, func(t Transaction, _ error) bool {
		*last = max(*last, t.Account)
		return note(t.Change) == nil
	})
	return errors.Join(err, h.run(), ctx.Err())
}
