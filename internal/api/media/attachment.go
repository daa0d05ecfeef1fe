// Uploads in the form of wp/v2/media, by which clients of the original send pictures. Servers with
// Options.Also have its routes.

package media

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/text/jsonio"
	"almanac/internal/text/markup"
	"almanac/internal/wire/params"
	"almanac/store"
)

var wordpress = form{
	alt:    "alt_text",
	force:  true,
	titled: true,
}

// Attachments is the operations on uploads in the form of the original.
var Attachments = api.Resource{
	List: api.ForAlso(api.Listed(&api.Op{
		Name:   "attachments.list",
		Params: params.AttachmentList,
		Serve:  listAttachments,
	})),
	Create: api.ForAlso(api.Uploads(guarded(api.NewChange(api.Op{
		Name:   "attachments.create",
		Params: params.AttachmentCreate,
		Change: wordpress.create,
	}, storedAttachment)))),
	Read: api.ForAlso(&api.Op{
		Name:   "attachments.read",
		Params: params.AttachmentRead,
		Serve:  readAttachment,
	}),
	Update: api.ForAlso(guarded(api.NewChange(api.Op{
		Name:   "attachments.update",
		Params: params.AttachmentUpdate,
		Change: wordpress.update,
	}, storedAttachment))),
	Delete: api.ForAlso(guarded(api.NewChange(api.Op{
		Name:   "attachments.delete",
		Params: params.AttachmentDelete,
		Change: wordpress.remove,
	}, removedAttachment))),
}

// errTrash answers a DELETE without force: the original has no trash for pictures either.
var errTrash = &api.Error{
	Status:  http.StatusNotImplemented,
	Code:    "rest_trash_not_supported",
	Message: "Pictures have no trash: send force=true to delete this one for good.",
}

// slugOf returns the name of the file of an upload without its extension.
func slugOf(i *store.Image) string { return strings.TrimSuffix(path.Base(i.URL), path.Ext(i.URL)) }

// attachmentOf shows an upload, with the members that clients of the original read. The whole
// picture is a size, too. A caller who edits gets texts as they are stored, as well.
func attachmentOf(r *api.Call, i *store.Image, edits bool) jsonio.Object {
	const layout = "2006-01-02T15:04:05"
	text := func(html, stored string) jsonio.Object {
		if edits {
			return jsonio.Members("raw", stored, "rendered", html)
		}
		return jsonio.Members("rendered", html)
	}
	source := r.Site.Origin + i.URL
	var sizes jsonio.Object
	for _, s := range append(i.Sizes[:len(i.Sizes):len(i.Sizes)], i.Full()) {
		sizes.Add(s.Name, jsonio.Members(
			"file", path.Base(s.URL),
			"width", s.Width,
			"height", s.Height,
			"filesize", s.Filesize,
			"mime_type", s.MIMEType,
			"source_url", r.Site.Origin+s.URL,
		))
	}
	return jsonio.Members(
		"id", i.ID,
		"date", r.Zone.Wall(i.Date).Format(layout),
		"date_gmt", i.Date.UTC().Format(layout),
		"modified", r.Zone.Wall(i.Modified).Format(layout),
		"modified_gmt", i.Modified.UTC().Format(layout),
		"slug", slugOf(i),
		"status", "inherit",
		"type", "attachment",
		"link", source,
		"title", text(markup.Title(i.Title), i.Title),
		"author", i.Author,
		"caption", text(markup.Content(i.Caption), i.Caption),
		"alt_text", i.Alt,
		"media_type", "image",
		"mime_type", i.Type,
		"media_details", jsonio.Members(
			"width", i.Width,
			"height", i.Height,
			"file", i.Directory+"/"+path.Base(i.URL),
			"filesize", i.Filesize,
			"sizes", sizes,
		),
		"post", nil,
		"source_url", source,
	)
}

// answer answers with JSON.
func answer(status int, body any) (*respond.Response, error) {
	text, err := jsonio.Marshal(body)
	return &respond.Response{Status: status, Body: respond.Text(text)}, err
}

func storedAttachment(r *api.Call, change api.Change) (*respond.Response, error) {
	i := change.Record.(*store.Image)
	status := http.StatusOK
	if r.IsNew() {
		status = http.StatusCreated
	}
	a, err := answer(status, attachmentOf(r, i, true))
	if r.IsNew() {
		a.Header = map[string]string{
			"Location": r.Site.Origin + r.Base.Prefix + "/wp/v2/media/" + strconv.FormatInt(
				i.ID,
				10,
			),
		}
	}
	return a, err
}

func removedAttachment(r *api.Call, change api.Change) (*respond.Response, error) {
	before := attachmentOf(r, change.Record.(*store.Image), true)
	return answer(http.StatusOK, jsonio.Members("deleted", true, "previous", before))
}

// readAttachment answers GET /wp/v2/media/{id}.
func readAttachment(r *api.Call) (*respond.Response, error) {
	var i *store.Image
	var edits bool
	err := r.InView(func(v *store.View, values params.Values) (err error) {
		if i, err = find(r, &v.Reader); err != nil {
			return err
		}
		edits = isEdited(r, values, i)
		return r.CheckContext(values, account.UploadImages)
	})
	if err != nil {
		return nil, err
	}
	return answer(http.StatusOK, attachmentOf(r, i, edits))
}

// isEdited reports whether the caller asks for an upload in order to edit it.
func isEdited(r *api.Call, values params.Values, i *store.Image) bool {
	return values.Text("context") == "edit" && access.MayEditImage(r.Caller, i)
}

// listAttachments answers GET /wp/v2/media with a page of uploads.
func listAttachments(r *api.Call) (*respond.Response, error) {
	l := &api.List{Call: r, Name: "media"}
	look := func(v *store.View, values params.Values) error {
		l.Ask(v, values)
		if moments := r.LegacyConditions(values).Moments(); moments != nil {
			l.Tag = l.StateTag(v, moments...)
			l.TrueUntil(r.Now)
		}
		return r.CheckContext(values, account.UploadImages)
	}
	page := func(v *store.View, values params.Values) error {
		found := pageOf(l, v, values, isAttachment(r, values), inOrder(values))
		for _, record := range found {
			i := record.(*store.Image)
			text, err := jsonio.Marshal(attachmentOf(r, i, isEdited(r, values, i)))
			if err != nil {
				return err
			}
			if !l.ShowText(i, text) {
				break
			}
		}
		if l.Page > 1 && len(found) == 0 {
			return api.ErrPage
		}
		return nil
	}
	return l.Do(look, page, l.Response)
}

// isAttachment returns the filter that the parameters of clients of the original ask for. An
// upload here belongs to no post.
func isAttachment(r *api.Call, values params.Values) func(*store.Image) bool {
	slug := values.Text("slug")
	kind := values.Text("mime_type")
	kinds := values.Text("media_type")
	none := values.Float("parent") != 0 || kinds != "" && kinds != "image"
	written := r.LegacyConditions(values)
	return func(i *store.Image) bool {
		return !none && written.Has(i.ID, i.Author, i.Date) &&
			(slug == "" || slugOf(i) == slug) && (kind == "" || kind == i.Type)
	}
}

// inOrder returns the order that they ask for; nil is newest first. Equal ones are in that of ids.
func inOrder(values params.Values) func(a, b store.Record) int {
	isDown := values.Text("order") == "desc"
	by := func(a, b *store.Image) int { return a.Date.Compare(b.Date) }
	switch values.Text("orderby") {
	case "date":
		if isDown {
			return nil
		}
	case "author":
		by = func(a, b *store.Image) int { return cmp.Compare(a.Author, b.Author) }
	case "include":
		ids := values.IDs("include")
		isDown = false
		by = func(a, b *store.Image) int {
			return slices.Index(ids, a.ID) - slices.Index(ids, b.ID)
		}
	case "modified":
		by = func(a, b *store.Image) int { return a.Modified.Compare(b.Modified) }
	case "id", "parent":
		by = func(*store.Image, *store.Image) int { return 0 }
	case "slug":
		by = func(a, b *store.Image) int { return cmp.Compare(slugOf(a), slugOf(b)) }
	case "title":
		by = func(a, b *store.Image) int { return markup.Compare(begin(a.Title), begin(b.Title)) }
	}
	return func(a, b store.Record) int {
		if isDown {
			a, b = b, a
		}
		return cmp.Or(by(a.(*store.Image), b.(*store.Image)), cmp.Compare(a.Key(), b.Key()))
	}
}

// begin returns the beginning of a title, which may be very long and is compared often.
func begin(title string) string { return title[:min(len(title), 200)] }
