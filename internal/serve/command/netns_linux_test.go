package command

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/internal/tools/race"

	"github.com/google/go-cmp/cmp"
)

// This file runs servers in a network namespace of their own, which has nothing
// but the loopback interface, and counts what they send elsewhere.

// namespaceVariable is set in a process that is in such a namespace. Its value is
// the test binary's: "watch", or "try" to send something itself at the end.
const namespaceVariable = "TEST_OF_ALMANAC_NAMESPACE"

// sent has counters of the kernel for a namespace.
type sent struct{ NoRoute, NoRoute6, Datagrams, Datagrams6 int }

// sentPrefix begins the line that says so.
const sentPrefix = "sent: "

// inNamespace runs tests in a namespace, and prints what was sent. Elsewhere it
// runs them as ever.
func inNamespace(m *testing.M) int {
	what := os.Getenv(namespaceVariable)
	if what == "" {
		return m.Run()
	}
	if err := loopbackUp(); err != nil {
		fmt.Fprintln(os.Stderr, "the loopback interface:", err)
		return 3
	}
	status := m.Run()
	if what == "try" {
		net.DialTimeout("tcp", "192.0.2.1:80", time.Second)
		net.DialTimeout("tcp", "[2001:db8::1]:80", time.Second)
		if c, err := net.Dial("udp", "127.0.0.1:9"); err == nil {
			c.Write([]byte("?"))
		}
	}
	s, err := counted4And6()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	text, _ := json.Marshal(s)
	fmt.Println(sentPrefix + string(text))
	return status
}

// loopbackUp asks the kernel, by a message to rtnetlink(7), to set IFF_UP on the
// first interface.
func loopbackUp() error {
	s, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, syscall.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer syscall.Close(s)
	order := binary.NativeEndian
	message := order.AppendUint32(nil, syscall.NLMSG_HDRLEN+syscall.SizeofIfInfomsg)
	message = order.AppendUint16(message, syscall.RTM_NEWLINK)
	message = order.AppendUint16(message, syscall.NLM_F_REQUEST|syscall.NLM_F_ACK)
	message = append(message, make([]byte, 12)...) // number and sender; no family, no type
	message = order.AppendUint32(message, 1)
	message = order.AppendUint32(message, syscall.IFF_UP)
	message = order.AppendUint32(message, syscall.IFF_UP)
	if err := syscall.Sendto(s, message, 0, &syscall.SockaddrNetlink{
		Family: syscall.AF_NETLINK,
	}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := syscall.Recvfrom(s, answer, 0)
	if err != nil || n < syscall.NLMSG_HDRLEN+4 {
		return errors.Join(err, fmt.Errorf("an answer of %d bytes", n))
	}
	if errno := -int32(order.Uint32(answer[syscall.NLMSG_HDRLEN:])); errno != 0 {
		return syscall.Errno(errno)
	}
	return nil
}

// counted4And6 reads the counters of the namespace.
func counted4And6() (s sent, err error) {
	text, err := os.ReadFile("/proc/self/net/snmp")
	if err != nil {
		return s, err
	}
	names := map[string][]string{}
	values := map[string]int{}
	for line := range strings.Lines(string(text)) { // names, then numbers
		fields := strings.Fields(line)
		for i, name := range names[fields[0]] {
			n, _ := strconv.Atoi(fields[1+i])
			values[fields[0]+name] = n
		}
		names[fields[0]] = fields[1:]
	}
	s.NoRoute = values["Ip:OutNoRoutes"]
	s.Datagrams = values["Udp:OutDatagrams"]
	if text, err = os.ReadFile("/proc/self/net/snmp6"); errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			n, _ := strconv.Atoi(fields[1])
			values[fields[0]] = n
		}
	}
	s.NoRoute6 = values["Ip6OutNoRoutes"]
	s.Datagrams6 = values["Udp6OutDatagrams"]
	return s, err
}

// Servers that do all that the tests ask of them send nothing to anywhere but
// those who ask: no connection that finds no route, and no datagram, as a look
// for a name would be.
func TestNoRoutesAlone(t *testing.T) {
	race.Alone(t)
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inside := func(what, tests string) sent {
		t.Helper()
		cmd := exec.Command(file, "-test.run", tests, "-test.parallel", "2")
		cmd.Dir = "internal/serve/command" // where go test begins, too
		cmd.Env = append(cleanEnvironment(), namespaceVariable+"="+what)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
		if uid := os.Getuid(); uid != 0 {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
			cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{
				ContainerID: 0,
				HostID:      uid,
				Size:        1,
			}}
			cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{
				ContainerID: 0,
				HostID:      os.Getgid(),
				Size:        1,
			}}
		}
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() == 3) {
			t.Skipf("no network namespace can be made here: %v %s", err, out)
		}
		if err != nil {
			t.Fatalf("in a network namespace without routes: %v\n%s", err, out)
		}
		_, line, found := bytes.Cut(out, []byte(sentPrefix))
		var s sent
		if err := json.NewDecoder(bytes.NewReader(line)).Decode(&s); err != nil || !found {
			t.Fatalf("%v\n%s", err, out)
		}
		return s
	}
	if got := inside("try", "^$"); got.NoRoute == 0 || got.Datagrams == 0 {
		t.Fatalf("what is sent is not counted: %+v", got)
	}
	got := inside("watch",
		"^(TestConversations|TestRoutes|TestAlso|TestTrustedProxies|TestRestart|TestSeedFlag|"+
			"TestUsersBesideServer|TestCertificateChanges|TestKill|TestHealthcheck)$")
	if diff := cmp.Diff(sent{}, got); diff != "" {
		t.Errorf("servers sent something elsewhere (-want, +counted):\n%s", diff)
	}
}
