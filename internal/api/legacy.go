// The namespace wp/v2, which clients of the original ask beside the API of the calendar. Servers
// with Options.Also have its routes.

package api

import (
	"net/http"
	"slices"
	"strings"

	"almanac/filters"
	"almanac/i18n"
	"almanac/internal/api/openapi"
	"almanac/internal/api/respond"
	"almanac/internal/people/access"
	"almanac/internal/people/account"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/feed"
	"almanac/internal/wire/params"
	"almanac/store"
)

// legacy is the path of the namespace below a base address.
const legacy = "wp/v2"

// The operations of the namespace beside those on uploads. Tools sign in by Me, and Posts tells
// what lists of the original do not: states and terms of events.
var (
	LegacyIndex = ForAlso(Localized(&Op{
		Name:   "legacy.index",
		Params: params.Index,
		Serve:  serveIndex,
	}))
	Me       = ForAlso(SignedIn(&Op{Name: "me", Params: params.Me, Serve: readMe}))
	Settings = ForAlso(Guarded(&Op{
		Name:   "settings.read",
		Params: params.None,
		Serve:  readSettings,
	}, account.Administer, nil))
	Posts = Resource{
		List: ForAlso(Listed(&Op{
			Name:   "posts.list",
			Params: params.PostList,
			Serve:  listPosts,
			format: &feed.Posts,
		})),
		Read: ForAlso(&Op{
			Name:   "posts.read",
			Params: params.PostRead,
			Serve:  readPost,
			format: &feed.Posts,
		}),
	}
)

// isLegacy reports whether the route is in the namespace.
func (r *Target) isLegacy() bool {
	return r.route != nil && strings.HasPrefix(r.route.pattern, "/"+legacy)
}

// legacyURL returns the absolute address of a path below the namespace, "" for the namespace
// itself.
func (r *Target) legacyURL(below string) string {
	return r.Site.Origin + r.Base.Prefix + "/" + legacy + below
}

// describeLegacy returns what there is in the namespace.
func (s *Server) describeLegacy(language i18n.Language) openapi.API {
	api := openapi.API{Language: language, PerPage: s.perPage, Namespace: legacy}
	for _, rt := range s.routes {
		if below, ok := strings.CutPrefix(rt.pattern, "/"+legacy); ok {
			described := rt.describe()
			described.Path = below
			api.Routes = append(api.Routes, described)
		}
	}
	return api
}

// The errors that clients of the original branch on there.
var (
	// ErrPage answers a page behind the last one: clients end their loops at it.
	ErrPage = &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest_post_invalid_page_number",
		Message: "The list has no such page: ask for one from 1 to X-WP-TotalPages.",
	}
	errNobody = &Error{
		Status:  http.StatusUnauthorized,
		Code:    "rest_not_logged_in",
		Message: errStranger.Message,
	}
	errPost = &Error{
		Status:  http.StatusNotFound,
		Code:    "rest_post_invalid_id",
		Message: "There is no event with this ID.",
	}
	errOpens = &Error{
		Status:  http.StatusForbidden,
		Code:    "rest_post_incorrect_password",
		Message: "This is not the password of the event.",
	}
)

// CheckContext refuses context=edit to callers without a right.
func (r *Call) CheckContext(values params.Values, right account.Right) error {
	if values.Text("context") != "edit" || r.Caller.May(right) {
		return nil
	}
	refused := *ErrorOf(r.noRight(), r.Log)
	refused.Code = "rest_forbidden_context"
	return &refused
}

// readMe answers GET /wp/v2/users/me. There is no picture of an account, and no page of one.
func readMe(r *Call) (*respond.Response, error) {
	if r.Caller.IsStranger() {
		return nil, errNobody
	}
	var edits bool
	err := r.InView(func(_ *store.View, values params.Values) error {
		edits = values.Text("context") == "edit"
		return nil
	})
	if err != nil {
		return nil, err
	}
	me := jsonio.Members(
		"id", r.Caller.ID,
		"name", r.Caller.Login,
		"url", "",
		"description", "",
		"link", r.Site.Origin+"/",
		"slug", r.Caller.Login,
		"avatar_urls", struct{}{},
		"meta", []string{},
	)
	if edits {
		me.Add("username", r.Caller.Login)
		me.Add("email", r.Caller.Email)
		me.Add("roles", []account.Role{r.Caller.Role})
	}
	me.Add("_links", openapi.Link("self", r.legacyURL("/users/me")))
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(me)}, nil
}

// readSettings answers GET /wp/v2/settings with the settings that the original has too.
func readSettings(r *Call) (*respond.Response, error) {
	err := r.InView(func(*store.View, params.Values) error { return nil })
	if err != nil {
		return nil, err
	}
	own := r.Front.Neutral().Language
	return &respond.Response{Status: http.StatusOK, Body: jsonBody(jsonio.Members(
		"title", r.SiteName(),
		"description", r.Server.about,
		"url", r.Site.Origin,
		"timezone", r.zoneName,
		"start_of_week", int(own.Locale().Week().Days()[0]),
		"language", own.Tag,
		"posts_per_page", r.perPage,
	))}, nil
}

// listPosts answers GET /wp/v2/tribe_events, newest first.
func listPosts(r *Call) (*respond.Response, error) {
	l := List{Call: r, Name: "tribe_events"}
	l.makeFilter = l.postFilter
	return l.Events(func(events []*store.Event) (*respond.Response, error) {
		if err := r.tryClosed(events); err != nil {
			return nil, err
		}
		if l.Page > 1 && len(events) == 0 {
			return nil, ErrPage
		}
		return l.Response()
	})
}

// LegacyConditions returns the conditions that the lists of the namespace share, nil for none.
func (r *Call) LegacyConditions(values params.Values) *filters.Written {
	names := []string{"include", "exclude", "author", "after", "before"}
	if !slices.ContainsFunc(names, values.Has) {
		return nil
	}
	return &filters.Written{
		Include: values.IDs("include"),
		Exclude: values.IDs("exclude"),
		Authors: values.IDs("author"),
		After:   r.instant(values, "after"),
		Before:  r.instant(values, "before"),
	}
}

// postFilter is eventFilter for the parameters of posts.
func (l *List) postFilter(
	_ *store.View,
	values params.Values,
) (*filters.Events, []pair, error) {
	if err := l.CheckContext(values, account.CreateOwn); err != nil {
		return nil, nil, err
	}
	f, _ := l.newFilter(values)
	f.Categories = values.IDs("tribe_events_cat")
	f.Tags = values.IDs("tags")
	f.Include = values.IDs("include")
	f.Written = l.LegacyConditions(values)
	f.Slug = StoredSlug(values.Text("slug"))
	f.OrderBy = values.Text("orderby")
	f.Desc = values.Text("order") == "desc"
	return f, l.echo(values, []pair{{"per_page", ""}}), nil // the caller fills it in
}

// readPost answers GET /wp/v2/tribe_events/{id}. Of a protected event it shows what lists do.
func readPost(r *Call) (*respond.Response, error) {
	var one item
	var state string
	err := r.InView(func(v *store.View, values params.Values) error {
		if err := r.CheckContext(values, account.CreateOwn); err != nil {
			return err
		}
		e, err := r.FindEvent(&v.Reader)
		switch {
		case err != nil, !r.MayRead(&e.Post),
			e.Status == store.Trash && !access.ViewerOf(r.Caller).Sees(&e.Post):
			return errPost
		case !r.unlocked(e) && values.Text("password") != "":
			return errOpens // unless the password, which is tried now, turns out right
		}
		one = r.item(v, e)
		state = r.StateTag(v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.single(one, state)
}
