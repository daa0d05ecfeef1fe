// Flags, which are environment variables too.

package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A FlagSet is the flags of a command.
type FlagSet struct {
	*flag.FlagSet
	synopsis string
	Typed    []string            // flags that are no environment variables
	Found    []string            // flags that the environment has set
	Weaken   map[string]Weakness // flags with values that weaken a server
}

// Declare returns the flags of a command, and the settings that they set.
func Declare[S any](name, synopsis string, flags func(*S, *FlagSet)) (*FlagSet, *S) {
	f := &FlagSet{
		FlagSet:  flag.NewFlagSet(name, flag.ContinueOnError),
		synopsis: synopsis,
		Weaken:   map[string]Weakness{},
	}
	s := new(S)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	flags(s, f)
	return f, s
}

// IsGiven reports whether a flag or its variable was given.
func (f *FlagSet) IsGiven(name string) (given bool) {
	f.Visit(func(fl *flag.Flag) { given = given || fl.Name == name })
	return given
}

// A Setting is a flag that was declared.
type Setting struct {
	flags *FlagSet
	name  string
}

// A Weakness says what a value of a flag weakens, "" for nothing.
type Weakness func(value string) string

// Weakens sets the weakness of a flag, for audit.
func (s Setting) Weakens(w Weakness) { s.flags.Weaken[s.name] = w }

// Weak is Weakens for one value, or with "" for every value but none.
func (s Setting) Weak(value, text string) {
	s.Weakens(func(v string) string {
		if v == "" || value != "" && v != value {
			return ""
		}
		return text
	})
}

// NoVariable takes the flag out of the environment.
func (s Setting) NoVariable() { s.flags.Typed = append(s.flags.Typed, s.name) }

// NoVariables takes all flags that were declared before out of the environment.
func (f *FlagSet) NoVariables() {
	f.VisitAll(func(fl *flag.Flag) { Setting{f, fl.Name}.NoVariable() })
}

// Parse reads flags and returns the arguments, which may stand before flags, as all words behind
// "--". Then it reads the environment:
// -per-page is ALMANAC_PER_PAGE, and a flag wins. Every mistake is marked by Usage and says what
// would be right. If the arguments ask for help, Parse writes it and reports that it did.
func (f *FlagSet) Parse(args []string, p Process) (arguments []string, helped bool, err error) {
	for {
		err := f.FlagSet.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, true, f.Help(p.Stdout)
		}
		if err != nil {
			return nil, false, Usage(f.explain(err))
		}
		left := f.Args()
		if parsed := len(args) - len(left); len(left) == 0 ||
			parsed > 0 && args[parsed-1] == "--" {
			return append(arguments, left...), false, f.parseVariables(p)
		}
		arguments = append(arguments, left[0])
		args = left[1:]
	}
}

// parseVariables reads the environment for the flags that were not given.
func (f *FlagSet) parseVariables(p Process) (err error) {
	given := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		name := Variable(fl.Name)
		value := p.Getenv(name)
		if value == "" || given[fl.Name] || slices.Contains(f.Typed, fl.Name) || err != nil {
			return
		}
		f.Found = append(f.Found, fl.Name)
		if setErr := f.Set(fl.Name, value); setErr != nil {
			err = Usage(
				fmt.Errorf(
					"invalid value %q of the environment variable %s: %v",
					value,
					name,
					setErr,
				),
			)
		}
	})
	return err
}

// Variable returns the environment variable of a flag.
func Variable(flag string) string {
	return "ALMANAC_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// explain adds to an error of the flag package what would be right.
func (f *FlagSet) explain(err error) error {
	const undefined = "flag provided but not defined: -"
	name, ok := strings.CutPrefix(err.Error(), undefined)
	if !ok {
		return fmt.Errorf("%w (see %s help %s)", err, program(f.synopsis), f.Name())
	}
	best := ""
	distance := 3
	f.VisitAll(func(fl *flag.Flag) {
		if d := edits(name, fl.Name); d < distance {
			best = fl.Name
			distance = d
		}
	})
	if best != "" {
		return fmt.Errorf("there is no flag -%s; did you mean -%s?", name, best)
	}
	return fmt.Errorf("there is no flag -%s (see %s help %s)", name, program(f.synopsis), f.Name())
}

// edits counts the letters to insert, remove or replace between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Help writes what the command takes.
func (f *FlagSet) Help(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.synopsis)
	f.VisitAll(func(fl *flag.Flag) {
		value, text := flag.UnquoteUsage(fl)
		fmt.Fprintf(&b, "\n  -%s", fl.Name)
		if value != "" {
			fmt.Fprintf(&b, " %s", value)
		}
		fmt.Fprintf(&b, "\n        %s", text)
		if fl.DefValue != "" && fl.DefValue != "false" {
			fmt.Fprintf(&b, " (default %s)", fl.DefValue)
		}
		if !slices.Contains(f.Typed, fl.Name) {
			fmt.Fprintf(&b, "\n        environment: %s", Variable(fl.Name))
		}
		b.WriteByte('\n')
	})
	_, err := io.WriteString(w, b.String())
	return err
}
