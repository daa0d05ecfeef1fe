// Package client speaks to one server that somebody names, and fetches files for a command: no
// other code of the program connects to a calendar or to another site.
package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// answerMost bounds the body of an answer.
const answerMost = 16 << 20

// A Client speaks to one server.
type Client struct {
	Site    string        // address, such as https://calendar.example.org
	Token   string        // bearer token, or ""
	Timeout time.Duration // for a request and its answer; 0 is without end
}

// A Page is the answer to a request.
type Page struct {
	Code    int
	Status  string // with the code: "200 OK"
	Body    []byte
	Header  http.Header
	Address string // after redirects
}

// ErrTooLong is the error of a body that is longer than it may be.
var ErrTooLong = errors.New("the answer is longer than it may be")

// Do sends a request, with a body unless that is nil: JSON, or a file if it has a name. It follows
// no redirect, which would turn a POST into a GET.
func (c *Client) Do(
	ctx context.Context,
	method, path string,
	body []byte,
	file string,
) (Page, error) {
	h := http.Client{
		Timeout:       c.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	request, err := http.NewRequestWithContext(
		ctx,
		method,
		strings.TrimSuffix(c.Site, "/")+path,
		bytes.NewReader(body),
	)
	if err != nil {
		return Page{}, err
	}
	switch {
	case file != "":
		request.Header.Set("Content-Type", "application/octet-stream")
		request.Header.Set(
			"Content-Disposition",
			mime.FormatMediaType("attachment", map[string]string{
				"filename": file,
			}),
		)
	case body != nil:
		request.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return send(&h, request, answerMost)
}

// send sends a request, and reads the answer, which may have some bytes at most. The error is that
// of the connection, without the address, which the caller names.
func send(h *http.Client, request *http.Request, most int64) (page Page, err error) {
	answer, err := h.Do(request)
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return page, err
	}
	defer answer.Body.Close()
	page = Page{
		Code:    answer.StatusCode,
		Status:  answer.Status,
		Header:  answer.Header,
		Address: answer.Request.URL.String(),
	}
	page.Body, err = io.ReadAll(io.LimitReader(answer.Body, most+1))
	if err == nil && int64(len(page.Body)) > most {
		page.Body = nil
		err = ErrTooLong
	}
	return page, err
}
