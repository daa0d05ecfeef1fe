// The buttons of an event, and the saving of its form.

package desk

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/api"
	"almanac/internal/api/media"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/text/caltime"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// statusOf is the status that a button gives an event.
var statusOf = map[string]string{
	"publish": "publish",
	"draft":   "draft",
	"pending": "pending",
	"private": "private",
}

// serveSave answers POST of a new event and of the event in the path.
func serveSave(p *page) (*respond.Response, error) {
	button := p.input("do")
	if p.Path["id"] != "" && !p.In.Sent("title") {
		return p.act(button)
	}
	ed := &editing{
		Form:  p.sentForm(),
		Key:   p.input("key"),
		Tag:   p.input("tag"),
		Base:  p.input("base"),
		Scope: p.input("scope"),
		was:   form{"zone": p.Zone.Name()},
	}
	unstored := p.upload(ed.Form)
	if err := p.compare(ed); err != nil {
		return nil, err
	}
	if status := statusOf[button]; status != "" {
		ed.members["status"] = status
	}
	switch {
	case unstored != nil:
		return p.again(ed, unstored)
	case button == "dates":
		ed.Similar = nil
		return p.showAgain(http.StatusOK, ed)
	case ed.Similar != nil:
		p.reject("venue", "desk.similar", "{name}", ed.Form["venue"])
		return p.showAgain(http.StatusUnprocessableEntity, ed)
	}
	alt := p.checkEvent(ed, button)
	if p.Problems != nil {
		return p.showAgain(http.StatusUnprocessableEntity, ed)
	}
	if alt != nil {
		if _, err := p.change(media.Media.Update, ed.Form["image"], alt, ""); err != nil {
			return p.again(ed, err)
		}
	}
	id, report, err := p.write(ed, ed.members)
	if err != nil {
		return p.again(ed, err)
	}
	if button == "preview" {
		return p.redirect(p.eventPath(id) + "/preview"), nil
	}
	return p.redirect(p.eventPath(id) + "?done=" + p.done(id, button) + p.changed(report)), nil
}

// upload stores the picture that came with the form, so that it is there whatever becomes of the
// rest.
func (p *page) upload(f form) error {
	file := p.sentFile()
	if p.input("no-picture") != "" {
		f["image"] = ""
	}
	if chosen := p.input("uploaded"); chosen != "" {
		f["image"] = chosen
	}
	if file == nil || len(file.Data) == 0 {
		return nil
	}
	id, err := p.addPicture(map[string]any{"alt": p.input("alt")}, file)
	if err == nil {
		f["image"] = digits(id)
	}
	return err
}

// sentFile returns the file that came with a form, or with the page of a sign-in in between; nil
// is none.
func (p *page) sentFile() *params.File {
	if data, err := base64.RawURLEncoding.DecodeString(p.input(keptFile)); err == nil &&
		len(data) > 0 {
		return &params.File{Name: p.input(keptName), Data: data}
	}
	return p.In.Upload()
}

// addPicture stores a picture with its texts, and returns its id.
func (p *page) addPicture(texts map[string]any, file *params.File) (int64, error) {
	change, err := p.Make(media.Media.Create, nil, params.GivenFile(texts, file), "")
	if err != nil {
		return 0, err
	}
	return change.Record.Key(), nil
}

// compare reads the stored event, and notes the members of the API in which the form differs from
// it, and the venues that the form may mean.
func (p *page) compare(ed *editing) error {
	var among []store.Record
	err := p.Store.View(func(v *store.View) (err error) {
		if p.Path["id"] != "" {
			ed.Event, err = p.find(v)
			if err != nil {
				return err
			}
			ed.was = p.formOf(v, ed.Event)
			p.pick(ed.Form, ed.was)
			ed.Form["scope"] = ed.Scope
			if !p.In.Sent("repeat") {
				ed.Form["repeat"] = ed.was["repeat"]
			}
			if !p.In.Sent("offered") && !p.In.Sent("leave") {
				ed.Form["leave"] = ed.was["leave"]
			}
		}
		ed.members = ed.Form.members(ed.was)
		if ed.Form["venue"] != ed.was["venue"] {
			ed.members["venue"], among = p.place(v, ed.Form["venue"], p.input("place"))
		}
		if ed.Form["organizer"] != ed.was["organizer"] {
			ed.members["organizer"] = p.organizers(v, ed.Form["organizer"])
		}
		return nil
	})
	if err != nil {
		return err
	}
	ed.Similar = p.similar(ed.Form["venue"], among)
	if ed.Form["publish"] == "" && ed.was["publish"] != "" {
		ed.members["date"] = p.Zone.Wall(p.Now).Format(time.DateTime)
	}
	if ed.IsNew() {
		ed.members["status"] = "draft"
		ed.members["title"] = ed.Form["title"]
		ed.Form.setTimes(ed.members)
	}
	return nil
}

// checkEvent finds what is wrong with the form of an event, for a button. Where something is, it
// looks for the usual mistakes too, which the API would find. It returns what checkAlt does.
func (p *page) checkEvent(ed *editing, button string) (alt map[string]any) {
	p.checkTimes(ed.Form, ed.was)
	p.checkFolds(ed.Form, ed.was)
	p.checkTell(ed.Event, ed.Form, ed.was)
	p.checkCost(ed.Form)
	isPublic := ed.Is("publish", "future")
	staysPublic := isPublic && ed.members["status"] == nil
	if button == "publish" && !isPublic || staysPublic && ed.Form.Days() != ed.was.Days() {
		p.checkYear(ed.Form)
	}
	alt = p.checkAlt(ed.Form)
	isOfSeries := ed.Event != nil && ed.Event.Recurrence != nil
	if isOfSeries && ed.members["recurrence"] != nil && cmp.Or(ed.Scope, "this") == "this" {
		p.reject("repeat", "desk.which-dates")
	}
	if ed.was["first"] != "" && ed.Form["repeat"] != ed.was["repeat"] && ed.Form.rule() == "" {
		p.complain("repeat")
	}
	if p.Problems == nil {
		return alt
	}
	if ed.Form["title"] == "" {
		p.complain("title")
	}
	if _, err := caltime.LoadZone(ed.Form["zone"]); err != nil && ed.Form["zone"] != "" {
		p.complain("zone")
	}
	return alt
}

// checkAlt returns what is to be changed of the picture of a form, nil for nothing: the text for
// people who cannot see it, if another one was typed than stood there.
func (p *page) checkAlt(f form) (sent map[string]any) {
	typed := strings.TrimSpace(p.input("alt"))
	if typed == p.input("alt-was") {
		return nil
	}
	p.view(func(v *store.View) {
		i := v.Image(idOf(f["image"]))
		switch {
		case i == nil && typed != "":
			p.reject("alt", "desk.alt-alone")
		case i == nil || i.Alt == typed:
		case i.Directory == "" || !access.MaySeeImage(p.Caller, &v.Reader, i.ID) ||
			!access.MayEditImage(p.Caller, i):
			p.reject("alt", "desk.alt-others")
		default:
			sent = map[string]any{"alt": typed}
		}
	})
	return sent
}

// write stores the event, and returns its id. The report is nil unless it is of a series.
func (p *page) write(
	ed *editing,
	members map[string]any,
) (id int64, report *write.Report, err error) {
	if ed.Event == nil {
		id, err = p.once(ed.Key, func() (int64, error) {
			return p.add(members)
		})
		return id, nil, err
	}
	members["scope"] = cmp.Or(ed.Scope, "this")
	id = ed.Event.ID
	change, err := p.change(api.Events.Update, digits(id), members, ed.Tag)
	return id, change.Report, err
}

// once runs a function unless a form with a key has made an event already, which it returns.
func (p *page) once(key string, create func() (int64, error)) (int64, error) {
	if key == "" {
		return create()
	}
	key = digits(p.Caller.ID) + " " + keyOf(key) // of any length
	return p.Sent.Do(key, p.Now, create)
}

// add stores a new event, and returns its id.
func (p *page) add(members map[string]any) (int64, error) {
	change, err := p.change(api.Events.Create, "", members, "")
	if err != nil {
		return 0, err
	}
	return change.Record.Key(), nil
}

// change makes the change of an operation of the API. A record has an id and an entity tag, which
// may be "" for any version; a new one has none.
func (p *page) change(
	op *api.Op,
	id string,
	members map[string]any,
	tag string,
) (api.Change, error) {
	var path map[string]string
	if id != "" {
		path = map[string]string{"id": id}
	}
	return p.Make(op, path, params.Given(members, path), tag)
}

// done returns the word for what a button did to an event.
func (p *page) done(id int64, button string) (word string) {
	word = "saved"
	p.view(func(v *store.View) {
		switch e := v.Event(id); {
		case e == nil || button != "publish" && button != "pending":
		case e.Status == store.Future:
			word = "scheduled"
		case e.Status == store.Pending:
			word = "sent"
		case e.Status == store.Publish:
			word = "published"
		}
	})
	return word
}

// changed returns the part of an address that says how many dates a change of several was for.
func (p *page) changed(report *write.Report) string {
	scope := write.Scope(p.input("scope"))
	if report == nil || scope != write.Following && scope != write.All {
		return ""
	}
	count := len(report.Made) + len(report.Kept)
	if count == 0 { // they went to the trash
		count = len(report.Removed)
	}
	return "&dates=" + strconv.Itoa(count)
}

// again shows the form with its values, and why it was not taken. A change of somebody else leads
// to a choice between both.
func (p *page) again(ed *editing, err error) (*respond.Response, error) {
	status, err := p.reasons(err)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusPreconditionFailed:
		return p.conflict(ed)
	}
	return p.showAgain(status, ed)
}

// wrongKeys are the keys of the texts about fields that were not taken.
var wrongKeys = map[string]string{
	"title":       "desk.bad-title",
	"date":        "desk.bad-date",
	"ends":        "desk.bad-date",
	"website":     "desk.bad-website",
	"virtual_url": "desk.bad-website",
	"repeat":      "desk.bad-repeat",
	"publish":     "desk.bad-date",
	"picture":     "desk.bad-picture",
	"zone":        "desk.bad-zone",
	"name":        "desk.bad-name",
	"number":      "desk.bad-state",
	"into":        "desk.bad-same",
	"sender":      "desk.bad-sender",
	"tell":        "desk.bad-tell",
}

// showAgain shows the form of an event anew.
func (p *page) showAgain(status int, ed *editing) (*respond.Response, error) {
	p.view(func(v *store.View) {
		p.fill(v, ed)
	})
	title := p.T("desk.add")
	if !ed.IsNew() {
		title = p.nameOf(ed.Event)
	}
	return p.show(status, "event.html", title, ed)
}

// reasons turns the error of an operation into problems of the form that asked for it, and the
// status of its page. It returns other errors.
func (p *page) reasons(err error) (status int, other error) {
	var invalid *params.Invalid
	var missing *params.Missing
	var refused *api.Error
	switch {
	case errors.As(err, &invalid):
		for _, c := range invalid.Complaints {
			p.complain(c.Name)
		}
	case errors.As(err, &missing):
		for _, name := range missing.Names {
			p.complain(name)
		}
	case !errors.As(err, &refused):
		return http.StatusUnprocessableEntity, err
	case refused.Status == http.StatusPreconditionFailed:
		p.reject("", "desk.conflict")
	case refused.Status == http.StatusGone:
		p.reject("", "desk.in-trash")
	case refused.Code == "term_exists" || strings.HasPrefix(refused.Code, "could-not-create"):
		p.reject("name", "desk.bad-name")
	case strings.HasPrefix(refused.Code, "rest_picture") || strings.HasPrefix(refused.Code, "rest_upload"):
		p.reject("picture", "desk.bad-picture")
	default:
		p.reject("", refusal(refused))
	}
	if refused != nil {
		return refused.Status, nil
	}
	return http.StatusUnprocessableEntity, nil
}

// complain adds the problem with a member of the API, at its field. The reasons of the API are not
// shown: they are in English, and say what to send.
func (p *page) complain(member string) {
	name := cmp.Or(fieldOf[member], member)
	text := p.T(
		cmp.Or(wrongKeys[name], "desk.bad"),
		"{field}",
		p.T(cmp.Or(labels[name], "site.when")),
	)
	if !slices.ContainsFunc(p.Problems, func(other problem) bool {
		return other.Text == text
	}) {
		p.Problems = append(p.Problems, problem{name, text})
	}
}

// act answers a button that sends no form: it changes the status or the state of the event.
func (p *page) act(button string) (*respond.Response, error) {
	var e *store.Event
	err := p.Store.View(func(v *store.View) (err error) {
		e, err = p.find(v)
		return err
	})
	if err != nil {
		return nil, err
	}
	ed := &editing{Event: e, Scope: "this"}
	p.view(func(v *store.View) {
		ed.Form = p.formOf(v, e)
		ed.Tag = p.TagOf(v, e)
	})
	if button == "publish" && !ed.Is("publish", "future") {
		if p.checkYear(ed.Form); p.Problems != nil {
			return p.showAgain(http.StatusUnprocessableEntity, ed)
		}
	}
	done, report, err := p.press(button, p.Path["id"], "")
	if err != nil {
		return p.again(ed, err)
	}
	to := p.eventPath(e.ID) + "?done=" + cmp.Or(done, p.done(e.ID, button))
	return p.redirect(to + p.changed(report)), nil
}

// press does to an event what a button says that sends no form, if the event has a tag or the tag
// is "". It returns the word for that, "" if the status of the event tells it.
func (p *page) press(button, id, tag string) (done string, report *write.Report, err error) {
	op := api.Events.Update
	done = "saved"
	members := map[string]any{"scope": cmp.Or(p.input("scope"), "this")}
	switch button {
	case "trash":
		op = api.Events.Delete
		done = "trashed"
	case "decline":
		op = api.Events.Delete
		done = "declined"
		tag = p.decline(id, tag)
		defer func() {
			p.Call.Proposal = nil
		}()
	case "restore":
		members["status"] = "draft"
		done = "restored" // it may have been private
	case "canceled", "postponed", "scheduled":
		members["event_status"] = button
		if button != "scheduled" {
			members["event_status_reason"] = p.input("reason")
		}
	default:
		members["status"] = statusOf[button]
		done = ""
	}
	change, err := p.change(op, id, members, tag)
	return done, change.Report, err
}

// retry shows a page again whose form was not taken, with the reasons.
func (p *page) retry(
	err error,
	show func(status int) (*respond.Response, error),
) (*respond.Response, error) {
	_, err = p.reasons(err)
	if err != nil {
		return nil, err
	}
	return show(http.StatusUnprocessableEntity)
}
