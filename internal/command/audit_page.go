// The page of audit as plain text, to be printed.

package command

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"almanac/internal/rest"
)

const (
	pageWidth = 96 // columns
	pageLabel = 18 // of a line that has a label
	pageMost  = 40 // accounts, and lines about damage, at most; -json has all
)

// A sheet is the text of a page.
type sheet struct{ bytes.Buffer }

// row writes a text with a label, in as many lines as it takes.
func (t *sheet) row(label, text string) {
	line := fmt.Sprintf("  %-*s", pageLabel-1, label)
	for word := range strings.FieldsSeq(text) {
		if n := utf8.RuneCountInString(line); n > pageLabel+1 && n+1+utf8.RuneCountInString(word) > pageWidth {
			t.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", pageLabel+1)
		}
		line += " " + word
	}
	t.WriteString(strings.TrimRight(line, " ") + "\n")
}

// labelled is a line as version and verify print it.
var labelled = regexp.MustCompile(`(?m)^(.+?)  +(.*)$`)

// rows writes the lines that another command prints.
func (t *sheet) rows(text string) {
	for _, line := range labelled.FindAllStringSubmatch(text, -1) {
		t.row(line[1], line[2])
	}
}

// text returns the page.
func (a *page) text(s *settings) []byte {
	t := &sheet{}
	fmt.Fprintf(t, "ALMANAC AUDIT  %s  %s\n", a.Time.Format("2006-01-02 15:04 UTC"), cmp.Or(a.Data.Directory, "in memory"))
	for i, part := range []struct {
		title string
		write func(*sheet)
	}{
		{"What stands out", a.findingsText}, {"What the program is made of", a.programText},
		{"What it may do here", func(t *sheet) { a.processText(t, s) }},
		{"What is in the data directory", a.dataText}, {"Who has an account", a.accountsText},
		{"What can be asked, and which right it takes", a.routesText}, {"What there is to read", a.sourceText},
	} {
		fmt.Fprintf(t, "\n%d %s\n\n", i+1, strings.ToUpper(part.title))
		part.write(t)
	}
	return t.Bytes()
}

func (a *page) findingsText(t *sheet) {
	for i, finding := range a.Findings {
		t.row(fmt.Sprint(i+1), finding)
	}
	if len(a.Findings) == 0 {
		t.row("nothing", "")
	}
}

func (a *page) programText(t *sheet) {
	var lines bytes.Buffer
	_ = writeInfo(&lines, a.Program) // a buffer takes everything
	t.rows(lines.String())
}

// processText writes settings and confinement.
func (a *page) processText(t *sheet, s *settings) {
	speaks := "without TLS"
	if s.cert != "" {
		speaks = "with TLS"
	}
	t.row("listens", s.addr+" "+speaks)
	for _, one := range a.Settings {
		t.row(one.Flag, one.Value+", by "+strings.Replace(one.From, "flag", "a flag", 1))
	}
	t.row("settings", "all others are the default")
	t.row("user", fmt.Sprintf("%d asks; where a server runs as another, ask as that one", a.Process.User))
	t.row("confined", a.Process.Confined)
	t.row("writes below", cmp.Or(strings.Join(a.Process.Writes, ", "), "no directory"))
	t.row("reads below", cmp.Or(strings.Join(slices.Concat(a.Process.Writes, a.Process.Reads), ", "), "no directory"))
	if len(a.Process.Appends) > 0 {
		t.row("only writes below", strings.Join(a.Process.Appends, ", "))
	}
	if len(a.Process.Kernel) > 0 {
		t.row("kernel says", strings.Join(a.Process.Kernel, ", "))
	}
	if n := len(a.Process.Calls); n > 0 {
		t.row("system calls", fmt.Sprintf("%d pass, those in internal/confine/calls_linux.go, and all others are refused", n))
	}
	t.row("tried", "by this process, before and after it was confined as a server is:")
	w := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\n  BEFORE\tCONFINED\tTO")
	for _, try := range a.Process.Tried {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", try.Before, try.Confined, try.What)
	}
	w.Flush()
}

// dataText writes what verify says.
func (a *page) dataText(t *sheet) {
	d := &a.Data
	switch {
	case d.Directory == "":
		t.row("nothing", "everything is in memory")
		return
	case a.report.Segments == 0 && len(d.Damage) == 0:
		t.row("unknown", d.Directory+" could not be read")
		return
	}
	verified := "yes: every byte of the log and of the snapshots is as it was written"
	if !d.Verified {
		verified = "no"
	}
	t.row("verified", verified)
	for _, damage := range d.Damage[:min(len(d.Damage), pageMost)] {
		t.row("damaged", damage)
	}
	t.row("identity", cmp.Or(d.Identity, "none yet: the next start gives it one"))
	var lines bytes.Buffer
	_ = writeReport(&lines, a.report)
	t.rows(lines.String())
	formats := fmt.Sprintf("%d of the log", d.Format)
	if d.SnapshotFormat > 0 {
		formats += fmt.Sprintf(", %d of the snapshots", d.SnapshotFormat)
	}
	t.row("formats", formats+", by store/FORMAT.md")
}

// accountsText writes a line for each token, and for who has none, as users list does.
func (a *page) accountsText(t *sheet) {
	disabled, tokens, endless := 0, 0, 0
	shown := slices.Clone(a.listed)
	for i, one := range shown {
		if one.Disabled {
			disabled++
		}
		shown[i].Login, shown[i].Tokens = clipped(one.Login), slices.Clone(one.Tokens)
		for k, token := range one.Tokens {
			shown[i].Tokens[k].Name = clipped(token.Name)
			tokens++
			if token.Expires.IsZero() {
				endless++
			}
		}
	}
	t.rows(a.compared.String())
	t.row("there are", fmt.Sprintf("%s, %d of them disabled", counted(len(a.listed), "account", "accounts"), disabled))
	t.row("tokens", fmt.Sprintf("%d, %d of them without an end; no token is on this page", tokens, endless))
	var lines bytes.Buffer
	_ = listTable(shown[:min(len(shown), pageMost)], &lines, false)
	t.WriteString("\n")
	for line := range strings.Lines(lines.String()) {
		t.WriteString("  " + line)
	}
	if more := len(a.listed) - pageMost; more > 0 {
		t.row("", fmt.Sprintf("and %d more accounts, which almanac audit -json has", more))
	}
}

// clipped is a name that does not make the page wider than it is.
func clipped(name string) string {
	if runes := []rune(shownText(name)); len(runes) > 20 {
		return string(runes[:19]) + "…"
	}
	return shownText(name)
}

// routesText writes the routes by the right that they ask for.
func (a *page) routesText(t *sheet) {
	type group struct{ right, methods, paths string }
	var groups []group
	for _, r := range a.Routes {
		var asked []string
		for _, one := range r.Rights {
			asked = append(asked, fmt.Sprintf("%s (%s)", one.Name, one.From))
		}
		right := cmp.Or(strings.Join(asked, ", or "), "everybody; records are shown to those who may read them")
		if r.Control {
			right = "administrators, and everybody on this machine"
		}
		methods, path := strings.Join(r.Methods, ","), " "+strings.Replace(r.Path, "/"+rest.Namespace, "…", 1)
		at := slices.IndexFunc(groups, func(g group) bool { return g.right == right && g.methods == methods })
		if at < 0 {
			at = len(groups)
			for i, g := range groups {
				if g.right == right {
					at = i + 1 // behind the others with this right
				}
			}
			groups = slices.Insert(groups, at, group{right: right, methods: methods})
		}
		groups[at].paths += path
	}
	t.row("…", "/"+rest.Namespace)
	t.row("right (role)", "and the least role that has it; the roles above have it too. Of several rights, the record says which")
	t.row("besides", "OPTIONS of every path, and HEAD where GET is; all of it below the address of each language too")
	before := ""
	for _, g := range groups {
		if g.right != before {
			fmt.Fprintf(t, "\n  %s\n", g.right)
		}
		before = g.right
		t.row("  "+g.methods, g.paths)
	}
}

// sourceText writes the lines of the packages, in columns, and the reading path.
func (a *page) sourceText(t *sheet) {
	sum, columns := 0, 3
	rows := make([]string, (len(a.Packages)+columns-1)/columns)
	for i, p := range a.Packages {
		sum += p.Lines
		rows[i%len(rows)] += fmt.Sprintf("  %-20s%6d  ", p.Name, p.Lines)
	}
	t.row("lines", fmt.Sprintf("%d, in %s; ARCHITECTURE.md says what each promises", sum, counted(len(a.Packages), "package", "packages")))
	t.WriteString("\n")
	for _, row := range rows {
		t.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	t.WriteString("\n  In this order, one who reads finds out what can be trusted:\n\n")
	for i, step := range a.Reading {
		t.row(fmt.Sprintf("%d %6d lines", i+1, step.Lines), step.Says+":")
		t.row("", step.Name)
	}
}
