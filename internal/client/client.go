// Package client speaks to one server that somebody names, and fetches files for a command: no other code of the program connects
// to a calendar or to another site.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
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
	Direct  bool          // without the proxy of the environment
	TLS     *tls.Config   // with Direct; nil is the usual one
}

// An Answer is the answer to a request.
type Answer struct {
	Code   int
	Status string // with the code: "200 OK"
	Body   []byte
}

// Do sends a request, with a body unless that is nil: JSON, or a file if it has a name. It follows no redirect, which would turn
// a POST into a GET. The error is that of the connection.
func (c *Client) Do(ctx context.Context, method, path string, body []byte, file string) (a Answer, err error) {
	h := http.Client{Timeout: c.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.Direct {
		h.Transport = &http.Transport{TLSClientConfig: c.TLS, DisableKeepAlives: true}
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.Site, "/")+path, bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	switch {
	case file != "":
		request.Header.Set("Content-Type", "application/octet-stream")
		request.Header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": file}))
	case body != nil:
		request.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	answer, err := h.Do(request)
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // without the address, which the caller names
	}
	if err != nil {
		return a, err
	}
	defer answer.Body.Close()
	a.Code, a.Status = answer.StatusCode, answer.Status
	a.Body, err = io.ReadAll(io.LimitReader(answer.Body, answerMost))
	return a, err
}
