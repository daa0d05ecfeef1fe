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

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/caltime"
	"almanac/internal/media"
	"almanac/internal/params"
	"almanac/internal/respond"
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
	button := p.In.Text("do")
	if p.Path["id"] != "" && !p.In.Sent("title") {
		return p.act(button)
	}
	ed := &editing{
		Form:  p.sentForm(),
		Key:   p.In.Text("key"),
		Tag:   p.In.Text("tag"),
		Base:  p.In.Text("base"),
		Scope: p.In.Text("scope"),
	}
	was := form{"zone": p.Zone.Name()}
	var sent map[string]any
	var among []store.Record
	unstored := p.upload(ed.Form)
	err := p.Store.View(func(v *store.View) (err error) {
		if p.Path["id"] != "" {
			ed.Event, err = p.find(v)
			if err != nil {
				return err
			}
			was = p.formOf(v, ed.Event)
			p.pick(ed.Form, was)
			ed.Form["scope"] = ed.Scope
			if !p.In.Sent("repeat") {
				ed.Form["repeat"] = was["repeat"]
			}
			if !p.In.Sent("offered") && !p.In.Sent("leave") {
				ed.Form["leave"] = was["leave"]
			}
		}
		sent = ed.Form.members(was)
		if ed.Form["publish"] == "" && was["publish"] != "" {
			sent["date"] = p.Zone.Wall(p.Now).Format(time.DateTime)
		}
		if ed.Form["venue"] != was["venue"] {
			sent["venue"], among = p.place(v, ed.Form["venue"], p.In.Text("place"))
		}
		if ed.Form["organizer"] != was["organizer"] {
			sent["organizer"] = p.organizers(v, ed.Form["organizer"])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	ed.Similar = p.similar(ed.Form["venue"], among)
	if status := statusOf[button]; status != "" {
		sent["status"] = status
	} else if ed.Event == nil {
		sent["status"] = "draft"
	}
	if ed.Event == nil {
		sent["title"] = ed.Form["title"]
		ed.Form.setTimes(sent)
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
	p.checkTimes(ed.Form, was)
	p.checkFolds(ed.Form, was)
	p.checkTell(ed.Event, ed.Form, was)
	p.checkCost(ed.Form)
	isPublic := ed.Is("publish", "future")
	if button == "publish" && !isPublic ||
		isPublic && sent["status"] == nil && ed.Form.Days() != was.Days() {
		p.checkYear(ed.Form)
	}
	alt := p.checkAlt(ed.Form)
	if sent["recurrence"] != nil && ed.Event != nil && ed.Event.Recurrence != nil &&
		cmp.Or(ed.Scope, "this") == "this" {
		p.reject("repeat", "desk.which-dates")
	}
	if was["first"] != "" && ed.Form["repeat"] != was["repeat"] && ed.Form.rule() == "" {
		p.complain("repeat")
	}
	if p.Problems != nil { // with those that come most often beside them
		if ed.Form["title"] == "" {
			p.complain("title")
		}
		if _, err := caltime.LoadZone(ed.Form["zone"]); err != nil && ed.Form["zone"] != "" {
			p.complain("zone")
		}
		return p.showAgain(http.StatusUnprocessableEntity, ed)
	}
	if alt != nil {
		if _, err := p.change(media.Media.Update, ed.Form["image"], alt, ""); err != nil {
			return p.again(ed, err)
		}
	}
	id, report, err := p.write(ed, sent)
	if err != nil {
		return p.again(ed, err)
	}
	if button == "preview" {
		return p.redirect(p.eventPath(id) + "/preview"), nil
	}
	return p.redirect(p.eventPath(id) + "?done=" + p.done(id, button) + p.changed(report)), nil
}

// checkAlt returns what is to be changed of the picture of a form, nil for nothing: the text for
// people who cannot see it, if another one was typed than stood there.
func (p *page) checkAlt(f form) (sent map[string]any) {
	typed := strings.TrimSpace(p.In.Text("alt"))
	if typed == p.In.Text("alt-was") {
		return nil
	}
	p.view(func(v *store.View) {
		i := v.Image(api.ParseID(cmp.Or(f["image"], "0")))
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

// changed returns the part of an address that says how many dates a change of several was for.
func (p *page) changed(report *write.Report) string {
	scope := write.Scope(p.In.Text("scope"))
	if report == nil || scope != write.Following && scope != write.All {
		return ""
	}
	count := len(report.Made) + len(report.Kept)
	if count == 0 { // they went to the trash
		count = len(report.Removed)
	}
	return "&dates=" + strconv.Itoa(count)
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

// change makes the change of an operation of the API. A record has an id and an entity tag, which
// may be "" for any version; a new one has none.
func (p *page) change(
	op *api.Op,
	id string,
	sent map[string]any,
	tag string,
) (api.Change, error) {
	var path map[string]string
	if id != "" {
		path = map[string]string{"id": id}
	}
	return p.Make(op, path, params.Given(sent, path), tag)
}

// write stores the event, and returns its id. The report is nil unless it is of a series.
func (p *page) write(
	ed *editing,
	sent map[string]any,
) (id int64, report *write.Report, err error) {
	if ed.Event == nil {
		id, err = p.once(ed.Key, func() (int64, error) {
			return p.add(sent)
		})
		return id, nil, err
	}
	sent["scope"] = cmp.Or(ed.Scope, "this")
	id = ed.Event.ID
	change, err := p.change(api.Events.Update, digits(id), sent, ed.Tag)
	return id, change.Report, err
}

// add stores a new event, and returns its id.
func (p *page) add(sent map[string]any) (int64, error) {
	change, err := p.change(api.Events.Create, "", sent, "")
	if err != nil {
		return 0, err
	}
	return change.Record.Key(), nil
}

// addPicture stores a picture with its texts, and returns its id.
func (p *page) addPicture(texts map[string]any, file *params.File) (int64, error) {
	change, err := p.Make(media.Media.Create, nil, params.GivenFile(texts, file), "")
	if err != nil {
		return 0, err
	}
	return change.Record.Key(), nil
}

// upload stores the picture that came with the form, so that it is there whatever becomes of the
// rest.
func (p *page) upload(f form) error {
	file := p.sentFile()
	if p.In.Text("no-picture") != "" {
		f["image"] = ""
	}
	if chosen := p.In.Text("uploaded"); chosen != "" {
		f["image"] = chosen
	}
	if file == nil || len(file.Data) == 0 {
		return nil
	}
	id, err := p.addPicture(map[string]any{"alt": p.In.Text("alt")}, file)
	if err == nil {
		f["image"] = digits(id)
	}
	return err
}

// sentFile returns the file that came with a form, or with the page of a sign-in in between; nil
// is none.
func (p *page) sentFile() *params.File {
	if data, err := base64.RawURLEncoding.DecodeString(p.In.Text(keptFile)); err == nil &&
		len(data) > 0 {
		return &params.File{Name: p.In.Text(keptName), Data: data}
	}
	return p.In.Upload()
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

// wrongKeys are the keys of the texts about fields that were not taken.
var wrongKeys = map[string]string{
	"title":   "desk.bad-title",
	"date":    "desk.bad-date",
	"ends":    "desk.bad-date",
	"website": "desk.bad-website",
	"repeat":  "desk.bad-repeat",
	"publish": "desk.bad-date",
	"picture": "desk.bad-picture",
	"zone":    "desk.bad-zone",
	"name":    "desk.bad-name",
	"number":  "desk.bad-state",
	"into":    "desk.bad-same",
	"sender":  "desk.bad-sender",
	"tell":    "desk.bad-tell",
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

// press does to an event what a button says that sends no form, if the event has a tag or the tag
// is "". It returns the word for that, "" if the status of the event tells it.
func (p *page) press(button, id, tag string) (done string, report *write.Report, err error) {
	op := api.Events.Update
	done = "saved"
	sent := map[string]any{"scope": cmp.Or(p.In.Text("scope"), "this")}
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
		sent["status"] = "draft"
		done = "restored" // it may have been private
	case "canceled", "postponed", "scheduled":
		sent["event_status"] = button
		sent["event_status_reason"] = p.In.Text("reason")
		if button == "scheduled" {
			delete(sent, "event_status_reason")
		}
	default:
		sent["status"] = statusOf[button]
		done = ""
	}
	change, err := p.change(op, id, sent, tag)
	return done, change.Report, err
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
