// Flags, which are environment variables too.

package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A flagSet is the flags of a command.
type flagSet struct {
	*flag.FlagSet
	synopsis string
	typed    []string            // flags that are no environment variables
	found    []string            // flags that the environment has set
	weaken   map[string]weakness // flags with values that weaken a server
}

// declare returns the flags of a command, and the settings that they set.
func declare[S any](name, synopsis string, flags func(*S, *flagSet)) (*flagSet, *S) {
	f, s := &flagSet{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), synopsis: synopsis, weaken: map[string]weakness{}}, new(S)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	flags(s, f)
	return f, s
}

// A setting is a flag that was declared.
type setting struct {
	flags *flagSet
	name  string
}

// A weakness says what a value of a flag weakens, "" for nothing.
type weakness func(value string) string

// weakens sets the weakness of a flag, for audit.
func (s setting) weakens(w weakness) { s.flags.weaken[s.name] = w }

// weak is weakens for one value, or with "" for every value but none.
func (s setting) weak(value, text string) {
	s.weakens(func(v string) string {
		if v == "" || value != "" && v != value {
			return ""
		}
		return text
	})
}

// noVariable takes the flag out of the environment.
func (s setting) noVariable() { s.flags.typed = append(s.flags.typed, s.name) }

// noVariables takes all flags that were declared before out of the environment.
func (f *flagSet) noVariables() {
	f.VisitAll(func(fl *flag.Flag) { setting{f, fl.Name}.noVariable() })
}

// parse reads arguments, then the environment: -per-page is ALMANAC_PER_PAGE,
// and a flag wins. Every mistake is a usageError that says what would be right.
// If the arguments ask for help, parse writes it and reports that it did.
func (f *flagSet) parse(args []string, p Process) (helped bool, err error) {
	err = f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return true, f.help(p.Stdout)
	}
	if err != nil {
		return false, usageError{f.explain(err)}
	}
	return false, f.parseVariables(p)
}

// parseAll is parse for commands whose flags may stand behind arguments, which it
// returns, as all words behind "--".
func (f *flagSet) parseAll(args []string, p Process) (arguments []string, helped bool, err error) {
	for {
		err := f.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, true, f.help(p.Stdout)
		}
		if err != nil {
			return nil, false, usageError{f.explain(err)}
		}
		left := f.Args()
		if parsed := len(args) - len(left); len(left) == 0 || parsed > 0 && args[parsed-1] == "--" {
			return append(arguments, left...), false, f.parseVariables(p)
		}
		arguments, args = append(arguments, left[0]), left[1:]
	}
}

// parseVariables reads the environment for the flags that were not given.
func (f *flagSet) parseVariables(p Process) (err error) {
	given := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		name := variable(fl.Name)
		value := p.Getenv(name)
		if value == "" || given[fl.Name] || slices.Contains(f.typed, fl.Name) || err != nil {
			return
		}
		f.found = append(f.found, fl.Name)
		if setErr := f.Set(fl.Name, value); setErr != nil {
			err = usageError{fmt.Errorf("invalid value %q of the environment variable %s: %v", value, name, setErr)}
		}
	})
	return err
}

// variable returns the environment variable of a flag.
func variable(flag string) string {
	return "ALMANAC_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// explain adds to an error of the flag package what would be right.
func (f *flagSet) explain(err error) error {
	const undefined = "flag provided but not defined: -"
	name, ok := strings.CutPrefix(err.Error(), undefined)
	if !ok {
		return fmt.Errorf("%w (see almanac help %s)", err, f.Name())
	}
	best, distance := "", 3
	f.VisitAll(func(fl *flag.Flag) {
		if d := edits(name, fl.Name); d < distance {
			best, distance = fl.Name, d
		}
	})
	if best != "" {
		return fmt.Errorf("there is no flag -%s; did you mean -%s?", name, best)
	}
	return fmt.Errorf("there is no flag -%s (see almanac help %s)", name, f.Name())
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

// help writes what the command takes.
func (f *flagSet) help(w io.Writer) error {
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
		if !slices.Contains(f.typed, fl.Name) {
			fmt.Fprintf(&b, "\n        environment: %s", variable(fl.Name))
		}
		b.WriteByte('\n')
	})
	_, err := io.WriteString(w, b.String())
	return err
}
