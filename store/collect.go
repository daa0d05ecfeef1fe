// Collecting the records of one state, for a snapshot and for checking.

package store

// all returns the records of every kind, in no order.
func (x *index) all() [kinds][]Record { return x.collect()() }

// collect notes the records of every kind, and returns what lists them when the
// index may change again. Events, which are the most, are noted by copying the
// rows of the partitions: a few milliseconds for a million, in which writers wait.
func (x *index) collect() (list func() [kinds][]Record) {
	var all [kinds][]Record
	var rows [partitions][]*Event
	for k := range kinds {
		if k == Events && x.partitions != nil {
			for i, part := range x.partitions {
				rows[i] = part.events.AppendTo(nil)
			}
			continue
		}
		all[k] = make([]Record, 0, x.records[k].Len())
		for _, r := range x.records[k].All() {
			all[k] = append(all[k], r)
		}
	}
	return func() [kinds][]Record {
		for _, events := range rows {
			for _, e := range events {
				if e != nil {
					all[Events] = append(all[Events], e)
				}
			}
		}
		return all
	}
}
