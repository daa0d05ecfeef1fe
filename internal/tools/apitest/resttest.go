// Package apitest sends requests in tests. It is no part of the program.
//
//	w := apitest.Serve(handler, "POST", "http://a.example/cal/events/v1/tags", `{"name":"Free"}`, "Authorization", "Bearer …")
//	status, tag := apitest.Do(t, client, "GET", server.URL+"/cal/events/v1/tags/1", "")
package apitest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Request makes a request with a body of JSON, "" for none, and headers as name
// and value. A header without a value is not sent.
func Request(method, target, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body == "" {
		r.Body = http.NoBody
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

// Bearer returns the Authorization header of a token, or "" without a token.
func Bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

// Record returns what a handler answers.
func Record(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Serve returns what a handler answers to a request that Request makes.
func Serve(
	h http.Handler,
	method, target, body string,
	headers ...string,
) *httptest.ResponseRecorder {
	return Record(h, Request(method, target, body, headers...))
}

// Value returns the JSON of an answer.
func Value[T any](t testing.TB, body []byte) (value T) {
	t.Helper()
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%v in %q", err, body)
	}
	return value
}

// Do sends a request with a body of JSON, "" for none, to a server that listens,
// and returns the status and the object that is answered.
func Do(
	t testing.TB,
	client *http.Client,
	method, url, body string,
) (status int, object map[string]any) {
	t.Helper()
	status, answer := Text(t, client, method, url, body)
	return status, Value[map[string]any](t, answer)
}

// Text is Do with the answer as it was sent.
func Text(
	t testing.TB,
	client *http.Client,
	method, url, body string,
) (status int, answer []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}
