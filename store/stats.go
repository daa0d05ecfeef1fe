// Numbers about a store, for its operator.

package store

import "time"

// Stats are such numbers.
type Stats struct {
	Transactions uint64       // that were made, ever
	Records      map[Kind]int // by kind
	Unsaved      int64        // bytes of log since the last snapshot, which a start reads
	Snapshot     time.Time    // time of the last snapshot; zero without one
}

// Stats returns them as they are now.
func (s *Store) Stats() Stats {
	st := Stats{Records: map[Kind]int{}}
	_ = s.View(func(v *View) error {
		for k := range kinds {
			st.Records[k] = v.Len(k)
		}
		return nil
	})
	st.Transactions = s.Seq()
	if s.journal != nil {
		st.Unsaved = s.journal.sinceSnapshot()
		if at := s.journal.taken.Load(); at != nil {
			st.Snapshot = *at
		}
	}
	return st
}
