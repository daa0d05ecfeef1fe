package command

import (
	"bufio"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An asker asks for a path of a host in one of the ways of HTTP that say which
// host it is.
type asker func(t *testing.T, conn *tls.Conn, host, path string) (status int, body string)

// ask1 sends a request as it stands on the wire, by HTTP/1.1.
func ask1(t *testing.T, conn *tls.Conn, request string) (status int, body string) {
	t.Helper()
	if _, err := io.WriteString(conn, request+"Connection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// ask2 asks by HTTP/2 (RFC 9113), in frames of its own making: the client of
// net/http sends no host that is none. Of the answer it knows two statuses, as
// they stand in the static table of HPACK (RFC 7541, appendix A).
func ask2(t *testing.T, conn *tls.Conn, host, path string) (status int, body string) {
	t.Helper()
	const (
		data, headers, settings = 0, 1, 4 // types of frames
		endStream, endHeaders   = 1, 4    // flags
	)
	frame := func(kind, flags byte, stream uint32, payload string) string {
		head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
		return string(binary.BigEndian.AppendUint32(append(head, flags), stream)) + payload
	}
	text := func(name byte, value string) string { return string([]byte{name, byte(len(value))}) + value }
	fields := "\x82\x87" + text(4, path) + text(1, host) // GET, https, :path, :authority
	_, err := io.WriteString(
		conn,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+frame(
			settings,
			0,
			0,
			"",
		)+frame(
			headers,
			endStream|endHeaders,
			1,
			fields,
		),
	)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for r := bufio.NewReader(conn); ; {
		var head [9]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			t.Fatal(err)
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(r, payload); err != nil {
			t.Fatal(err)
		}
		if binary.BigEndian.Uint32(head[5:]) != 1 {
			continue
		}
		switch kind, flags := head[3], head[4]; {
		case kind == headers && payload[0] == 0x88:
			status = http.StatusOK
		case kind == headers && payload[0] == 0x8c:
			status = http.StatusBadRequest
		case kind == data:
			all.Write(payload)
			if flags&endStream != 0 {
				return status, all.String()
			}
		default:
			t.Fatalf("frame of type %d: %q", kind, payload)
		}
	}
}

// The host that a request asks for becomes part of links. One that is none is
// refused however it is said, and nothing of it is in a description or a header.
func TestHost(t *testing.T) {
	t.Parallel()
	pair := newPair(t, t.TempDir(), time.Hour)
	s := startServer(t, append(pair.flags(), "-memory")...)
	ways := []struct {
		name, protocol string
		ask            asker
	}{
		{"Host", "http/1.1", func(t *testing.T, conn *tls.Conn, host, path string) (int, string) {
			return ask1(t, conn, "GET "+path+" HTTP/1.1\r\nHost: "+host+"\r\n")
		}},
		{
			"absolute address",
			"http/1.1",
			func(t *testing.T, conn *tls.Conn, host, path string) (int, string) {
				return ask1(
					t,
					conn,
					"GET https://"+host+path+" HTTP/1.1\r\nHost: calendar.example.org\r\n",
				)
			},
		},
		{":authority", "h2", ask2},
	}
	for _, test := range []struct {
		host string
		want int
	}{
		{"calendar.example.org", 200},
		{"calendar.example.org:8443", 200},
		{"CALENDAR_2.example.org.", 200},
		{"127.0.0.1:8443", 200},
		{"[::1]", 200},
		{"[2001:db8::1]:8443", 200},
		{`a"b<script>`, 400},
		{`x>;rel="evil",<y`, 400},
		{"a'b", 400},
		{"a,b", 400},
		{"a%22b", 400},
		{"a:b", 400},
		{"a:1:2", 400},
		{"a:123456", 400},
		{"[::1", 400},
		{"[::1]x", 400},
		{"[fe80::1%25eth0]", 400},
		{"[127.0.0.1]", 400},
		{":8443", 400},
		{"a$b", 400},
	} {
		for _, way := range ways {
			if test.host == ":8443" && way.name == "absolute address" {
				continue // an address without a host is none
			}
			t.Run(fmt.Sprintf("%s %.40s", way.name, test.host), func(t *testing.T) {
				conn, err := tls.Dial("tcp", strings.TrimPrefix(s.URL, "https://"), &tls.Config{
					RootCAs:    pair.pool,
					NextProtos: []string{way.protocol},
				})
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
					t.Fatal(err)
				}
				status, body := way.ask(t, conn, test.host, v1+"/doc?_fields=servers")
				if status != test.want {
					t.Errorf("status %d, want %d: %.300s", status, test.want, body)
				}
				ours := strings.HasPrefix(body, "{")
				if ours && !json.Valid([]byte(body)) {
					t.Errorf("no JSON: %.200s", body)
				}
				if status == 200 && !strings.Contains(body, `"https://`+test.host+v1) {
					t.Errorf("no address with that host: %.200s", body)
				}
				if ours && status == 400 && !strings.Contains(body, `"rest_invalid_host"`) {
					t.Errorf("refused for another reason: %s", body)
				}
			})
		}
	}
}
