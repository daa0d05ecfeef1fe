// Facts of events that lists do not tell: states, and the content behind a password.

package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/move/oldsite"
	"almanac/store"
)

// A page is an answer of a list, completed by other answers of the site.
type page struct {
	body   []byte            // JSON without blanks
	hidden []json.RawMessage // records set apart, because a password hides their content
}

// page asks for a page of a list. A record whose content stays hidden is set apart: here, it would
// be published without its password.
func (r *reader) page(ctx context.Context, k oldsite.Kind, number int) (p page, err error) {
	p.body, err = r.site.Get(ctx, k.Name, r.query(k, number))
	body := oldsite.Decode(p.body)
	if err != nil || body == nil {
		return p, err
	}
	if k.Name == store.Events.String() {
		if err := r.complete(ctx, k, oldsite.Records(body[k.Name])); err != nil {
			return p, err
		}
	}
	list, isList := body[k.Name].([]any)
	open := []any{}
	for _, item := range list {
		if record, _ := item.(oldsite.Object); k.IsProtected(record) {
			p.hidden = append(p.hidden, encode(record))
		} else {
			withoutHidden(record)
			open = append(open, item)
		}
	}
	if isList {
		body[k.Name] = open
	}
	p.body = encode(body)
	return p, nil
}

func encode(value oldsite.Object) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // it was JSON
	return bytes.TrimSpace(b.Bytes())
}

// withoutHidden removes the venues and organizers of an event whose content is hidden.
func withoutHidden(event oldsite.Object) {
	for _, member := range []string{"venue", "organizer"} {
		records := oldsite.Records(event[member])
		all := len(records)
		kind := oldsite.KindOf(oldsite.Linked[member])
		open := slices.DeleteFunc(records, kind.IsProtected)
		switch len(open) {
		case all:
		case 0:
			delete(event, member)
		default:
			event[member] = open
		}
	}
}

// complete sets the state of events, and what a password hides. Another almanac has the state in
// lists.
func (r *reader) complete(
	ctx context.Context,
	k oldsite.Kind,
	events []oldsite.Object,
) error {
	posts, err := r.posts(ctx, idsOf(events, lacksState))
	if err == nil {
		err = r.unlock(ctx, k, events, posts)
	}
	for _, event := range events {
		setState(event, posts[oldsite.ID(event)])
		if err == nil && lacksState(event) && !k.IsProtected(event) {
			err = r.askState(ctx, event)
		}
	}
	return err
}

// idsOf returns the ids of some events, as a parameter.
func idsOf(events []oldsite.Object, is func(oldsite.Object) bool) string {
	var ids []string
	for _, event := range events {
		if is(event) {
			ids = append(ids, strconv.FormatInt(oldsite.ID(event), 10))
		}
	}
	return strings.Join(ids, ",")
}

// unlock puts whole events, with their passwords, in the place of protected ones, if the account
// may edit them. An event whose password the site does not tell becomes private, unless it came
// with its password by another way (protected).
func (r *reader) unlock(
	ctx context.Context,
	k oldsite.Kind,
	events []oldsite.Object,
	posts map[int64]oldsite.Object,
) error {
	query := r.query(k, 1)
	query.Set("include", idsOf(events, k.IsProtected))
	query.Set("context", "edit")
	if r.Login == "" || query.Get("include") == "" {
		return nil
	}
	text, err := r.site.Get(ctx, k.Name, query)
	if err != nil && !isRefusal(err) {
		return err
	}
	whole := map[int64]oldsite.Object{}
	for _, event := range oldsite.Records(oldsite.Decode(text)[k.Name]) {
		if !k.IsProtected(event) {
			whole[oldsite.ID(event)] = event
		}
	}
	for _, event := range events {
		id := oldsite.ID(event)
		if !k.IsProtected(event) || whole[id] == nil {
			continue
		}
		clear(event)
		maps.Copy(event, whole[id])
		if password, _ := posts[id]["password"].(string); password != "" {
			event["password"] = password
		} else if status := event["status"]; status == "publish" || status == "future" {
			event["status"] = string(store.Private)
			event["protected"] = true
		}
	}
	return nil
}

func lacksState(event oldsite.Object) bool { return event["event_status"] == nil }

// posts asks WordPress for events, by their ids.
func (r *reader) posts(ctx context.Context, ids string) (map[int64]oldsite.Object, error) {
	site, err := r.site.Posts()
	if err != nil || ids == "" || r.closed.Load() {
		return nil, err
	}
	query := url.Values{
		"per_page": {strconv.Itoa(oldsite.PageSize)},
		"include":  {ids},
		"_fields":  {"id,meta,class_list"},
	}
	if r.Login != "" {
		query.Set("_fields", "id,meta,class_list,password")
		query.Set("context", "edit")
		query.Set("status", statuses)
	}
	text, err := site.Get(ctx, "tribe_events", query)
	if isRefusal(err) {
		r.closed.Store(true)
		return nil, nil
	}
	posts := map[int64]oldsite.Object{}
	list := oldsite.Decode([]byte(`{"posts":` + string(text) + `}`))
	for _, post := range oldsite.Records(list["posts"]) {
		posts[oldsite.ID(post)] = post
	}
	return posts, err
}

// setState sets the state of an event by what WordPress tells of its post.
func setState(event, post oldsite.Object) {
	meta, _ := post["meta"].(oldsite.Object)
	state, isText := meta["_tribe_events_status"].(string)
	classes := oldsite.Text(post["class_list"])
	for _, ended := range []string{store.Canceled, store.Postponed} {
		if state == ended || strings.Contains(classes, "tribe-events-status__list-event-"+ended) {
			event["event_status"] = ended
			event["event_status_reason"] = meta["_tribe_events_status_reason"]
			return
		}
	}
	if isText {
		event["event_status"] = "scheduled"
	}
}

// askState asks for the state of an event that is not over, by its own answer, unless the answers
// of the site have none.
func (r *reader) askState(ctx context.Context, event oldsite.Object) error {
	end, _ := event["end_date"].(string)
	if r.silent.Load() || end < r.now().Add(-24*time.Hour).Format(time.DateTime) {
		return nil
	}
	text, err := r.site.Get(ctx, "events/"+oldsite.Text(event["id"]), nil)
	if err != nil && !isRefusal(err) {
		return err
	}
	var problem *oldsite.Problem
	if errors.As(err, &problem) && problem.Status == http.StatusNotFound {
		return nil // it was deleted meanwhile
	}
	data, _ := oldsite.Decode(text)["json_ld"].(oldsite.Object)
	state, isText := data["eventStatus"].(string)
	if !isText {
		r.silent.Store(true)
		return nil
	}
	event["json_ld"] = oldsite.Object{"eventStatus": state}
	return nil
}

// isRefusal reports whether an error is an answer that stays the same at another time.
func isRefusal(err error) bool {
	var problem *oldsite.Problem
	if !errors.As(err, &problem) {
		return false
	}
	switch problem.Status {
	case 0, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return false
	}
	return true
}
