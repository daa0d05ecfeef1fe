// The table of errors, and how they are answered.

package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"almanac/filters"
	"almanac/internal/api/admission"
	"almanac/internal/api/respond"
	"almanac/internal/people/account"
	"almanac/internal/people/limit"
	"almanac/internal/people/password"
	"almanac/internal/text/jsonio"
	"almanac/internal/wire/params"
	"almanac/internal/write"
	"almanac/store"
)

// An Error is an answer that says why a request was refused. Clients branch on
// the status and the code.
type Error struct {
	Status  int
	Code    string
	Message string
	extra   errorData
	retry   time.Duration // after which it makes sense to ask again; 0 is not said
	limit   string        // the limit that was exceeded, as in Record; "" if none
}

func (e *Error) Error() string {
	return e.Code + ": " + e.Message
}

// Header returns the fields that go with the answer.
func (e *Error) Header() map[string]string {
	if e.retry == 0 {
		return nil
	}
	seconds := (e.retry + time.Second - 1) / time.Second // no earlier than it makes sense
	return map[string]string{"Retry-After": strconv.FormatInt(int64(seconds), 10)}
}

// errorBody is the body of an Error on the wire.
type errorBody struct {
	Code       string    `json:"code"`
	Message    string    `json:"message"`
	Data       errorData `json:"data"`
	Additional []int64   `json:"additional_data,omitempty"`
}

// errorData has the members of a body beside code and message.
type errorData struct {
	Status      int    `json:"status"`
	Params      any    `json:"params,omitempty"`
	Details     any    `json:"details,omitempty"`
	TermID      int64  `json:"term_id,omitempty"`
	JSONCode    int    `json:"json_error_code,omitempty"`
	JSONMessage string `json:"json_error_message,omitempty"`
}

func (e *Error) body() errorBody {
	body := errorBody{Code: e.Code, Message: e.Message, Data: e.extra}
	body.Data.Status = e.Status
	if id := e.extra.TermID; id != 0 {
		body.Additional = []int64{id, id} // twice, as clients know it
	}
	return body
}

// The errors without anything of the request in them.
var (
	ErrNoRoute = &Error{
		Status:  http.StatusNotFound,
		Code:    "rest_no_route",
		Message: "There is no such route, or it does not take this method. GET the index, cal/events/v1, for those there are.",
	}
	errStranger = &Error{
		Status:  http.StatusUnauthorized,
		Code:    "rest_forbidden",
		Message: "Sign in to do this: send a token as bearer or basic authorization.",
	}
	ErrForbidden = &Error{
		Status:  http.StatusForbidden,
		Code:    "rest_forbidden",
		Message: "Your account has no right to do this.",
	}

	errNonce = &Error{
		Status:  http.StatusForbidden,
		Code:    "rest_cookie_invalid_nonce",
		Message: "There are no nonces here: send a token as bearer or basic authorization.",
	}

	errBody = &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest_body_unreadable",
		Message: "The body of the request ended before its stated length.",
	}

	errCallback = &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest_callback_invalid",
		Message: "_jsonp must be the name of a function: letters, digits, _, $ and dots.",
	}

	errFile = &Error{
		Status: http.StatusUnsupportedMediaType,
		Code:   "rest_file_not_taken",
		Message: "Nothing was stored, as files are not taken here: send the picture to cal/events/v1/media, and its id as image, or the " +
			"address of a picture, such as image=https://example.org/hall.jpg.",
	}

	errPrecondition = &Error{
		Status:  http.StatusPreconditionFailed,
		Code:    "rest_precondition_failed",
		Message: "The record is not, or no longer, in the state that If-Match names. Read it again.",
	}
	errBusy = &Error{
		Status:  http.StatusServiceUnavailable,
		Code:    "rest_too_busy",
		retry:   time.Second,
		limit:   "busy",
		Message: "The server has as much to do as it can. Ask again in a moment.",
	}
	errDocuments = &Error{
		Status:  http.StatusServiceUnavailable,
		Code:    "rest_too_busy",
		retry:   5 * time.Second,
		limit:   "documents-mb",
		Message: "Other documents are being made or read, as many as the server has room for. Ask again in a moment.",
	}
	errUnavailable = &Error{
		Status: http.StatusServiceUnavailable,
		Code:   "rest_store_unavailable",
		retry:  5 * time.Second,
		Message: "The disk did not take the change, and the calendar is as it was: look again before you repeat it. Reading goes " +
			"on; writing goes on by itself as soon as the disk is in order.",
	}
	errNoMore = &Error{
		Status: http.StatusServiceUnavailable,
		Code:   "rest_store_unavailable",
		retry:  time.Minute,
		Message: "What is on the disk is not what the server wrote, or the server is being stopped. The calendar is as it was. " +
			"Reading goes on; writing goes on when the server was started again.",
	}
	errReadOnly = &Error{
		Status: http.StatusServiceUnavailable,
		Code:   "rest_read_only",
		Message: "The calendar can only be read at the moment: the server was started with " +
			"-read-only. Nothing was changed.",
	}
	errInternal = &Error{
		Status:  http.StatusInternalServerError,
		Code:    "internal_server_error",
		Message: "The server made a mistake. What happened is in its log.",
	}

	errEventGone = &Error{
		Status:  http.StatusForbidden,
		Code:    "event-no-longer-available",
		Message: "This event is in the trash.",
	}
	errEventType = &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest-invalid-event-id",
		Message: "The id belongs to a record that is not an event.",
	}
	errLocked = &Error{
		Status:  http.StatusForbidden,
		Code:    "event-password-protected",
		Message: "This event is protected: send its password.",
	}
	errScope = &Error{
		Status:  http.StatusForbidden,
		Code:    "rest_forbidden",
		Message: "Your account has no right to do this to each of the events that scope means. Send scope=this for one of them.",
	}
	errNotTags = &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest_taxonomy_not_hierarchical",
		Message: "Tags have no parents: leave parent out.",
	}
)

// badLogin answers a login that names no account.
func badLogin(code, message string) *Error {
	return &Error{Status: http.StatusUnauthorized, Code: code, Message: message}
}

// errorAnswers is how the errors of other packages are answered.
var errorAnswers = map[error]*Error{
	account.ErrWrongToken: badLogin(
		"incorrect_password",
		"There is no account with this login or e-mail address and this token.",
	),
	account.ErrUnknownToken: badLogin(
		"rest_invalid_token",
		"There is no account with this token.",
	),

	password.ErrMany: {
		Status:  http.StatusServiceUnavailable,
		Code:    "rest_too_busy",
		retry:   time.Second,
		limit:   "busy",
		Message: "The list has more passwords than are worked out for one request. They are remembered: ask again.",
	},
	write.ErrForbidden: ErrForbidden,
	write.ErrTwoVenues: {
		Status:  http.StatusBadRequest,
		Code:    "could-not-create-venue",
		Message: "An event has one venue: send one.",
	},
	write.ErrTermSlug: {
		Status:  http.StatusBadRequest,
		Code:    "duplicate_term_slug",
		Message: "Another term has this slug.",
	},
	filters.ErrWide: Invalid(
		"search",
		"search must be for words that fewer texts hold, or together with dates: too many would have to be read to find these side by side.",
	),
	filters.ErrNames: Invalid(
		"search",
		"search must be for words that fewer names of venues, organizers, categories and tags hold, or without search_names.",
	),
	limit.ErrBusy: errBusy,
	admission.ErrBodies: {
		Status:  http.StatusServiceUnavailable,
		Code:    "rest_too_busy",
		retry:   time.Second,
		limit:   "max-bodies-mb",
		Message: "The server holds as many bodies of requests as it may. Send this one again in a moment.",
	},
	store.ErrHeld: {
		Status: http.StatusConflict,
		Code:   "rest_record_in_use",
		retry:  time.Second,
		Message: "Nothing was changed: a merge or a removal of very many links is at work on this record. Ask again when " +
			"that has ended.",
	},
	store.ErrLatched:    errNoMore,
	store.ErrNoPictures: errUnavailable,
	store.ErrClosed:     errNoMore,

	context.Canceled: errBusy, context.DeadlineExceeded: errBusy, // nobody is there any more to be told
}

// badHost refuses a host that is none, which the Host or address of HTTP/1.1 or the :authority of
// HTTP/2 names: net/http checks each in another way.
func badHost(host string) *Error {
	return &Error{
		Status: http.StatusBadRequest,
		Code:   "rest_invalid_host",
		Message: fmt.Sprintf(
			"The host that was asked, %.100q, is no name and no address: it must be like calendar.example.org or "+
				"192.0.2.1:8080.",
			host,
		),
	}
}

// noRoute answers a request that no route takes, which may be below a segment that
// stands where the tag of a language would.
func (r *Call) noRoute() error {
	e := *ErrNoRoute
	if r.Tenant.NoRoute != nil {
		e.Message += " " + r.Tenant.NoRoute(r.HTTP.URL.Path)
	}
	if tag, ok := r.Base.TagIn(r.HTTP.URL.Path); ok {
		var tags []string
		for _, l := range r.Front.Offered() {
			tags = append(tags, l.Tag)
		}
		reason := "must be one of " + strings.Join(tags, ", ") + "."
		e.Message = fmt.Sprintf("The language %q is not served: it %s", tag, reason)
		e.extra.Params = map[string]string{"language": reason}
	}
	return &e
}

// NoPage answers a page after the end of a list.
func NoPage(name string) *Error {
	return &Error{
		Status:  http.StatusNotFound,
		Code:    name + "-archive-page-not-found",
		Message: "The list has no such page.",
	}
}

// InTrash answers a delete of a record that is in the trash already.
func InTrash(name string) *Error {
	return &Error{
		Status:  http.StatusGone,
		Code:    name + "-is-in-trash",
		Message: fmt.Sprintf("This %s is in the trash already.", name),
	}
}

// notAccessible answers a read of a record that is hidden from the caller.
func notAccessible(name string) *Error {
	return &Error{
		Status:  http.StatusForbidden,
		Code:    name + "-not-accessible",
		Message: fmt.Sprintf("You may not read this %s.", name),
	}
}

// RecordNotFound answers a request for an event or a series that is not there; id is 0
// when it was asked for by slug.
func RecordNotFound(name string, id int64) *Error {
	return &Error{
		Status:  http.StatusNotFound,
		Code:    "rest-" + name + "-not-found",
		Message: fmt.Sprintf("There is no %s with the ID %d.", name, id),
	}
}

// Invalid answers one parameter that cannot be taken.
func Invalid(name, reason string) *Error {
	return &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest_invalid_param",
		Message: "Invalid parameter(s): " + name + ". " + reason,
		extra:   errorData{Params: map[string]string{name: reason}, Details: []any{}},
	}
}

// ErrorOf makes an answer of any error. One that was not foreseen is logged whole and answered
// without its text.
func ErrorOf(err error, log *slog.Logger) *Error {
	var answer *Error
	var syntax *params.SyntaxError
	var missing *params.Missing
	var bad *params.Invalid
	var blank *write.BlankName
	var exists *write.TermExists
	var use *write.InUse
	switch {
	case errors.As(err, &answer):
		return answer
	case errors.As(err, &syntax):
		return &Error{
			Status:  http.StatusBadRequest,
			Code:    "rest_invalid_json",
			Message: upper(syntax.Error()) + ".",
			extra:   errorData{JSONCode: syntax.Code, JSONMessage: syntax.Reason},
		}
	case errors.As(err, &missing):
		return &Error{
			Status:  http.StatusBadRequest,
			Code:    "rest_missing_callback_param",
			Message: upper(missing.Error()) + ".",
			extra:   errorData{Params: missing.Names},
		}
	case errors.As(err, &bad):
		return invalidParams(bad)
	case errors.As(err, &blank):
		return &Error{
			Status:  http.StatusBadRequest,
			Code:    "could-not-create-" + blank.Kind,
			Message: upper(blank.Error()) + ".",
		}
	case errors.As(err, &exists):
		return &Error{
			Status:  http.StatusBadRequest,
			Code:    "term_exists",
			Message: "A term with this name and parent is there already.",
			extra:   errorData{TermID: exists.ID},
		}
	case errors.As(err, &use):
		return &Error{
			Status:  http.StatusForbidden,
			Code:    "rest_cannot_delete",
			Message: upper(use.Error()) + ".",
		}
	case store.IsPassing(err): // the store has logged it once
		return errUnavailable
	}
	for cause, answer := range errorAnswers {
		if errors.Is(err, cause) {
			return answer
		}
	}
	for _, cause := range noWrites {
		if errors.Is(err, cause) {
			log.Error("the disk takes no changes", "err", err)
			return errUnavailable
		}
	}
	log.Error("unforeseen error", "err", err)
	return errInternal
}

// noWrites are the errors of a disk that is full, for everybody or for the server's user, or
// became read-only.
var noWrites = []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS}

// invalidParams answers all parameters that cannot be taken. Wrong JSON types have details, as
// clients of the original know them.
func invalidParams(bad *params.Invalid) *Error {
	type detail struct {
		Code    string            `json:"code"`
		Message string            `json:"message"`
		Data    map[string]string `json:"data"`
	}
	reasons := map[string]string{}
	details := map[string]detail{}
	var texts []string
	for _, c := range bad.Complaints {
		reasons[c.Name] = c.Reason
		texts = append(texts, c.Reason)
		if c.Type {
			details[c.Name] = detail{"rest_invalid_type", c.Reason, map[string]string{
				"param": c.Name,
			}}
		}
	}
	e := &Error{
		Status:  http.StatusBadRequest,
		Code:    "rest_invalid_param",
		Message: upper(bad.Error()) + ". " + strings.Join(texts, " "),
	}
	e.extra.Params = reasons
	e.extra.Details = details
	if len(details) == 0 {
		e.extra.Details = []any{}
	}
	return e
}

// jsonBody returns a value as a body. One that is not JSON is a mistake of ours.
func jsonBody(v any) *respond.Body {
	text, err := jsonio.Marshal(v)
	if err != nil {
		panic(err)
	}
	return respond.Text(text)
}

func upper(s string) string {
	return strings.ToUpper(s[:1]) + s[1:]
}
