package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file is the promise that the server connects to nobody and reads no foreign file: there is
// nothing in the program to do it with. almanac-move does both: its commands adopt, compare,
// conform, pull and import speak by package client to a site that somebody names. With
// -fetch-pictures, it fetches the pictures of records. internal/serve/command/netns_linux_test.go watches
// the server. Commands speak to the server of a data directory by package socket, which reaches
// files alone; audit tries to connect to itself.

// A reach lists the names that the program may use of a package with access to the
// network or the system.
type reach struct {
	pkg    string
	only   []string // if it is given, nothing else
	never  []string
	except map[string][]string // more, for some files
}

var reaches = []reach{
	// The sockets that a service manager opened, and the one at which it listens itself.
	{
		pkg: "net",
		only: []string{
			"Listen",
			"Listener",
			"Conn",
			"Addr",
			"TCPAddr",
			"SplitHostPort",
			"JoinHostPort",
			"ParseIP",
			"ErrClosed",
		},
		except: map[string][]string{
			"almanac/internal/cli/systemd/manager.go":         {"DialUnix", "UnixConn", "UnixAddr"},
			"almanac/internal/cli/systemd/socket.go":          {"FileListener", "TCPListener"},
			"almanac/move/client/fetch.go":                    {"Dialer", "OpError"},
			"almanac/internal/serve/command/audit_process.go": {"DialTCP"}, // which has to fail
			"almanac/internal/cli/socket/do.go":               {"DialUnix", "UnixConn", "UnixAddr", "OpError"},
			"almanac/internal/cli/socket/serve.go":            {"ListenUnix", "UnixListener", "UnixAddr"},
		},
	},
	{
		pkg: "net/http",
		never: []string{
			"Client",
			"Transport",
			"RoundTripper",
			"DefaultClient",
			"DefaultTransport",
			"Get",
			"Head",
			"Post",
			"PostForm",
			"NewRequest",
			"NewRequestWithContext",
			"NewFileTransport",
			"NewFileTransportFS",
			"ProxyURL",
			"ProxyFromEnvironment",
		},
		except: map[string][]string{
			"almanac/move/client/client.go":  {"Client", "NewRequestWithContext"},
			"almanac/move/client/fetch.go":   {"Transport", "ProxyFromEnvironment"},
			"almanac/move/client/crawler.go": {"Client", "NewRequestWithContext"},
		},
	},
	{
		pkg:   "crypto/tls",
		never: []string{"Dial", "DialWithDialer", "Dialer", "Client", "QUICClient"},
	},
	// Signals, limits and locks. The rest is the package that takes sockets away.
	{
		pkg: "syscall",
		only: []string{
			"SIGTERM",
			"SIGHUP",
			"Getrlimit",
			"RLIMIT_NOFILE",
			"Rlimit",
			"Stat_t",
			"Errno",
			"EACCES",
			"ELOOP",
			"ENOSPC",
			"EDQUOT",
			"EROFS",
			"Flock",
			"LOCK_EX",
			"LOCK_NB",
			"LOCK_UN",
			"EWOULDBLOCK",
			"CreateFile",
			"FILE_ATTRIBUTE_NORMAL",
			"FILE_SHARE_READ",
			"GENERIC_READ",
			"GENERIC_WRITE",
			"OPEN_ALWAYS",
			"UTF16PtrFromString",
		},
		except: map[string][]string{
			"almanac/internal/serve/confine/process_linux.go": {
				"AllThreadsSyscall",
				"AllThreadsSyscall6",
				"Syscall",
				"Syscall6",
				"ENOTSUP",
				"SYS_GETPID",
				"SYS_PRCTL",
				"SYS_READ",
				"SYS_MUNMAP",
				"PROT_READ",
				"PROT_WRITE",
				"MAP_ANON",
				"MAP_PRIVATE",
			},
			"almanac/internal/serve/confine/landlock_linux.go": {
				"AllThreadsSyscall",
				"Syscall",
				"Syscall6",
				"Open",
				"Close",
				"O_DIRECTORY",
				"O_CLOEXEC",
			},
			"almanac/internal/serve/confine/filter_linux.go": {
				"Syscall",
				"SYS_PRCTL",
				"EPERM",
				"ENOSYS",
				"EBUSY",
			},
			"almanac/internal/serve/confine/map_linux.go":  {"SYS_MMAP"},
			"almanac/move/client/fetch.go":                 {"RawConn"}, // in the type of a function
			"almanac/internal/serve/confine/map2_linux.go": {"SYS_MMAP2"},
			"almanac/store/wal/free_statfs.go": {
				"Statfs_t",
				"Fstatfs",
			}, // how much room a disk has
		},
	},
}

// mayImport are packages of the standard library whose path begins with net or
// that could start what connects. All others of them are forbidden.
var mayImport = []string{"net", "net/http", "net/netip", "net/url", "os", "os/signal"}

// outward returns what a file uses that it must not, and notes what it uses of
// the exceptions.
func outward(file string, parsed *ast.File, used map[string]bool) (found []string) {
	paths := map[string]string{} // by the name that the file uses
	for _, spec := range parsed.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = imported
		first, _, _ := strings.Cut(imported, "/")
		if (first == "net" || first == "os" || slices.Contains([]string{"plugin", "log/syslog", "expvar", "runtime/cgo", "C", "unsafe"},
			imported)) &&
			!slices.Contains(mayImport, imported) {
			found = append(found, imported)
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		left, ok := selector.X.(*ast.Ident)
		if !ok {
			return true
		}
		for _, r := range reaches {
			name := selector.Sel.Name
			if paths[left.Name] != r.pkg ||
				(r.only == nil || slices.Contains(r.only, name)) &&
					!slices.Contains(r.never, name) {
				continue
			}
			if slices.Contains(r.except[file], name) {
				used[file+" "+r.pkg+"."+name] = true
				continue
			}
			found = append(found, r.pkg+"."+name)
		}
		return true
	})
	return found
}

func TestNothingConnects(t *testing.T) {
	atTop(t)
	t.Parallel()
	used := map[string]bool{}
	n := 0
	for _, p := range goList(t, "-deps", ".", "./move") {
		if _, ours := below(p.ImportPath); !ours {
			continue
		}
		for _, file := range files(t, p) {
			n++
			for _, what := range outward(file.name, file.File, used) {
				t.Errorf("%s uses %s: the server connects to nobody", file.name, what)
			}
		}
	}
	if n < 100 {
		t.Errorf("looked at %d files: not all of the program", n)
	}
	for _, r := range reaches {
		for file, names := range r.except {
			for _, name := range names {
				if !used[file+" "+r.pkg+"."+name] {
					t.Errorf("%s may use %s.%s and does not", file, r.pkg, name)
				}
			}
		}
	}
}

// The server has no HTTP client, no reader of foreign files and no command that needs one: these
// are linked into almanac-move, which serves nothing.
func TestTwoPrograms(t *testing.T) {
	atTop(t)
	t.Parallel()
	linked := func(program string) map[string]bool {
		all := map[string]bool{}
		for _, p := range goList(t, "-deps", program) {
			all[strings.TrimPrefix(p.ImportPath, "almanac/")] = true
		}
		return all
	}
	server := linked(".")
	mover := linked("./move")
	for _, pkg := range []string{
		"encoding/csv",
		"encoding/xml",
		"move/adopt",
		"move/client",
		"move/compare",
		"move/conformance",
		"move/files",
		"move/files/ical",
		"move/oldsite",
		"move/pull",
		"move/transfer",
	} {
		if server[pkg] || !mover[pkg] {
			t.Errorf("%s: almanac has it: %v; almanac-move: %v", pkg, server[pkg], mover[pkg])
		}
	}
	for _, pkg := range []string{"internal/serve/command", "internal/desk", "internal/serve/httpd", "internal/site"} {
		if !server[pkg] || mover[pkg] {
			t.Errorf("%s: almanac has it: %v; almanac-move: %v", pkg, server[pkg], mover[pkg])
		}
	}
}

// TestNothingConnects would find each way to connect.
func TestConnectingIsFound(t *testing.T) {
	atTop(t)
	t.Parallel()
	for source, want := range map[string]string{
		`import "net"; var c, _ = net.Dial("tcp", "a:1")`:                                         "net.Dial",
		`import "net"; var d net.Dialer`:                                                          "net.Dialer",
		`import n "net"; var c, _ = n.LookupHost("a")`:                                            "net.LookupHost",
		`import "net"; var c, _ = net.ListenPacket("udp", ":1")`:                                  "net.ListenPacket",
		`import "net/http"; var r, _ = http.Get("http://a")`:                                      "net/http.Get",
		`import "net/http"; func f() { c := &http.Client{}; _ = c }`:                              "net/http.Client",
		`import "net/http"; var t = http.DefaultTransport`:                                        "net/http.DefaultTransport",
		`import "crypto/tls"; var c, _ = tls.Dial("tcp", "a:1", nil)`:                             "crypto/tls.Dial",
		`import "syscall"; var e = syscall.Connect(1, nil)`:                                       "syscall.Connect",
		`import "syscall"; var _, _, e = syscall.Syscall(42, 1, 2, 3)`:                            "syscall.Syscall",
		`import "os/exec"; var c = exec.Command("curl")`:                                          "os/exec",
		`import _ "net/http/pprof"`:                                                               "net/http/pprof",
		`import "net/http/httputil"; var p httputil.ReverseProxy`:                                 "net/http/httputil",
		`import "net"; func f(c net.Conn) (net.Listener, error) { return net.Listen("tcp", "") }`: "",
		`import "net/http"; var s http.Server`:                                                    "",
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strings.Join(outward("almanac/internal/serve/command/a.go", parsed, map[string]bool{}), " ")); diff != "" {
			t.Errorf("%s (-want, +found):\n%s", source, diff)
		}
	}
}
