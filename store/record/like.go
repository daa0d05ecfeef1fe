// Long texts that several events of a list have: a line of the log and a file of a snapshot have
// each once.

package record

import (
	"fmt"

	"almanac/store/wal"
)

// A listedEvent is an event in the form that lists of events have on disk. Like has, by the names
// of members, the ids of events before it in the list that have the same long text; the event has
// none in its place.
type listedEvent struct {
	Like map[string]int64 `json:"like,omitempty"`
	*Event
}

// likeMembers are the members that may be in Like, in the order of textsOf. With more, all
// optional members are meant.
var likeMembers = [...]string{"more", "title", "description", "excerpt", "website"}

// textsOf returns the texts of the members that may be in Like.
func textsOf(e *Event) [len(likeMembers)]*string {
	return [...]*string{(*string)(&e.More), &e.Title, &e.Description, &e.Excerpt, &e.Website}
}

// ShareTexts makes an event keep the long texts of another one where they are equal, so that
// memory has them once.
func ShareTexts(e, other *Event) {
	theirs := textsOf(other)
	for i, text := range textsOf(e) {
		if len(*text) >= longText && *text == *theirs[i] {
			shareText(e, other, i)
		}
	}
}

// shareText gives an event the text of a member of another one.
func shareText(e, other *Event, member int) {
	*textsOf(e)[member] = *textsOf(other)[member]
	if likeMembers[member] == "more" {
		copyOptional(EventFields, e, other)
		copyOptional(PostFields, &e.Post, &other.Post)
	}
}

func copyOptional[T any](fields []Field[T], to, from *T) {
	for _, f := range fields {
		if f.Use&Optional != 0 {
			f.Copy(to, from)
		}
	}
}

// A likeWriter has the long texts of a list that is being written, with the first event that has
// each.
type likeWriter struct {
	first map[likeText]int64
	used  bool // some event is like another
}

// longText is the length from which on a text is shared.
const longText = 128

type likeText struct{ member, text string }

// listed returns the form of the next event of the list.
func (w *likeWriter) listed(e *Event) *listedEvent {
	out := &listedEvent{Event: e}
	for i, text := range textsOf(e) {
		if len(*text) < longText {
			continue
		}
		key := likeText{likeMembers[i], *text}
		first, found := w.first[key]
		switch {
		case found && out.Like == nil:
			short := *e
			out.Like = map[string]int64{}
			out.Event = &short
			w.used = true
			fallthrough
		case found:
			out.Like[key.member], *textsOf(out.Event)[i] = first, ""
		case w.first == nil:
			w.first = map[likeText]int64{}
			fallthrough
		default:
			w.first[key] = e.ID
		}
	}
	return out
}

// A likeReader has the events with long texts of a list that is being read. A nil likeReader is of
// no list.
type likeReader map[int64]*Event

// add takes the next event of the list, and gives it the texts in which it is like events before
// it.
func (r likeReader) add(e *Event, like map[string]int64) error {
	long := false
	texts := textsOf(e)
	for i, member := range likeMembers {
		id, isLike := like[member]
		if isLike {
			delete(like, member)
			if r[id] == nil || len(*textsOf(r[id])[i]) < longText || *texts[i] != "" {
				return fmt.Errorf("event %d cannot have the %s of event %d", e.ID, member, id)
			}
			shareText(e, r[id], i)
		}
		long = long || len(*texts[i]) >= longText
	}
	for member := range like {
		return fmt.Errorf("event %d is like another in the unknown member %q", e.ID, member)
	}
	if long && r != nil {
		r[e.ID] = e
	}
	return nil
}

// A changeText is a change in its form on disk.
type changeText struct {
	Events []*listedEvent `json:"events,omitempty"`
	*Change
}

// EncodeChange writes a change as JSON, and returns the least format of a line that may have it.
func EncodeChange(c *Change) (text []byte, format int, err error) {
	var w likeWriter
	out := changeText{Change: c}
	for _, e := range c.Events {
		out.Events = append(out.Events, w.listed(e))
	}
	if format = wal.LeastLine; w.used {
		format = wal.LikeLine
	}
	text, err = AppendJSON(nil, out)
	return text, format, err
}

// decodeListed reads an event of a list strictly.
func decodeListed(data []byte, before likeReader) (*Event, error) {
	in := &listedEvent{Event: new(Event)}
	if err := decodeStrict(data, in); err != nil {
		return in.Event, err
	}
	return in.read(before)
}

// read returns the event with its optional members, and with the texts in which it is like events
// before it.
func (in *listedEvent) read(before likeReader) (*Event, error) {
	if in.Event == nil {
		in.Event = new(Event)
	}
	if err := readMore(in.Event); err != nil {
		return in.Event, err
	}
	return in.Event, before.add(in.Event, in.Like)
}

// decodeListedChange reads a change with the events that are like others.
func decodeListedChange(data []byte) (*Change, error) {
	in := changeText{Change: new(Change)}
	if err := decodeStrict(data, &in); err != nil {
		return nil, err
	}
	before := likeReader{}
	for _, listed := range in.Events {
		if listed == nil {
			in.Change.Events = append(in.Change.Events, nil)
			continue
		}
		e, err := listed.read(before)
		if err != nil {
			return nil, err
		}
		in.Change.Events = append(in.Change.Events, e)
	}
	return in.Change, nil
}
