// Uploads in the form of wp/v2/media, by which clients of the original send pictures. Servers with
// Options.Also have its routes.

package media

import (
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/api"
	"almanac/internal/api/respond"
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
		Params: params.MediaRead,
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

// errPage answers a page behind the last one: clients of the original end their loops at it.
var errPage = &api.Error{
	Status:  http.StatusBadRequest,
	Code:    "rest_post_invalid_page_number",
	Message: "The list has no such page: ask for one from 1 to X-WP-TotalPages.",
}

// object returns an object with members in an order: names, each with its value.
func object(members ...any) (o jsonio.Object) {
	for n := 0; n < len(members); n += 2 {
		o.Add(members[n].(string), members[n+1])
	}
	return o
}

// slugOf returns the name of the file of an upload without its extension.
func slugOf(i *store.Image) string { return strings.TrimSuffix(path.Base(i.URL), path.Ext(i.URL)) }

// attachmentOf shows an upload, with the members that clients of the original read. The whole
// picture is a size, too.
func attachmentOf(r *api.Call, i *store.Image) jsonio.Object {
	const layout = "2006-01-02T15:04:05"
	rendered := func(text string) jsonio.Object { return object("rendered", text) }
	source := r.Site.Origin + i.URL
	var sizes jsonio.Object
	for _, s := range append(i.Sizes[:len(i.Sizes):len(i.Sizes)], i.Full()) {
		sizes.Add(
			s.Name,
			object(
				"file",
				path.Base(s.URL),
				"width",
				s.Width,
				"height",
				s.Height,
				"filesize",
				s.Filesize,
				"mime_type",
				s.MIMEType,
				"source_url",
				r.Site.Origin+s.URL,
			),
		)
	}
	return object(
		"id",
		i.ID,
		"date",
		r.Zone.Wall(i.Date).Format(layout),
		"date_gmt",
		i.Date.UTC().Format(layout),
		"modified",
		r.Zone.Wall(i.Modified).Format(layout),
		"modified_gmt",
		i.Modified.UTC().Format(layout),
		"slug",
		slugOf(i),
		"status",
		"inherit",
		"type",
		"attachment",
		"link",
		source,
		"title",
		rendered(markup.Title(i.Title)),
		"author",
		i.Author,
		"caption",
		rendered(markup.Content(i.Caption)),
		"alt_text",
		i.Alt,
		"media_type",
		"image",
		"mime_type",
		i.Type,
		"media_details",
		object("width", i.Width, "height", i.Height,
			"file", i.Directory+"/"+path.Base(i.URL), "filesize", i.Filesize, "sizes", sizes),
		"source_url",
		source,
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
	a, err := answer(status, attachmentOf(r, i))
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
	before := attachmentOf(r, change.Record.(*store.Image))
	return answer(http.StatusOK, object("deleted", true, "previous", before))
}

// readAttachment answers GET /wp/v2/media/{id}.
func readAttachment(r *api.Call) (*respond.Response, error) {
	var i *store.Image
	err := r.InView(func(v *store.View, _ params.Values) (err error) {
		i, err = find(r, &v.Reader)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answer(http.StatusOK, attachmentOf(r, i))
}

// listAttachments answers GET /wp/v2/media with a page of uploads, newest first.
func listAttachments(r *api.Call) (*respond.Response, error) {
	l := &api.List{Call: r, Name: "media"}
	shown := []any{}
	var found []store.Record
	err := r.InView(func(v *store.View, values params.Values) error {
		l.Ask(v, values)
		ids := values.IDs("include")
		slug := values.Text("slug")
		found = pageOf(l, v, values, func(i *store.Image) bool {
			return (ids == nil || slices.Contains(ids, i.ID)) && (slug == "" || slugOf(i) == slug)
		})
		if l.Page > 1 && len(found) == 0 {
			return errPage
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, record := range found {
		shown = append(shown, attachmentOf(r, record.(*store.Image)))
	}
	a, err := answer(http.StatusOK, shown)
	a.Total = &respond.Total{Items: l.Total, Pages: l.Pages()}
	link := func(page int, relation string) {
		query := r.HTTP.URL.Query()
		query.Set("page", strconv.Itoa(page))
		address := r.Site.Origin + r.Base.Prefix + "/wp/v2/media?" + query.Encode()
		a.Links = append(a.Links, "<"+address+`>; rel="`+relation+`"`)
	}
	if l.Page > 1 {
		link(l.Page-1, "prev")
	}
	if l.Page < l.Pages() {
		link(l.Page+1, "next")
	}
	return a, err
}
