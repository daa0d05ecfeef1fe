// Programs with their calendars, and rows of their processes: how long they take to start, how
// much memory they need, and worlds of a fixture.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"almanac/almanactest"
	"almanac/internal/people/password"
	"almanac/internal/write/seed"
	"almanac/store"
)

// now is the time on the clocks of all servers: the default window of 24 months is
// wholly inside the generated years.
const now = "2030-06-15 12:00:00"

// A calendar has n generated events, and the last quarter of them are events of series.
type calendar struct {
	almanactest.Calendar
	n    int
	file string // a seed, without series
}

// calendarOf returns the calendar of n events, from the directory if it is there.
func calendarOf(dir string, n int) (*calendar, error) {
	c := &calendar{n: n, file: filepath.Join(dir, fmt.Sprintf("calendar-%d.json", n))}
	facts := filepath.Join(dir, fmt.Sprintf("calendar-%d-facts.json", n))
	if text, err := os.ReadFile(facts); err == nil {
		return c, json.Unmarshal(text, &c.Calendar)
	}
	sealed := map[string]string{
		"": "",
	} // hashed once, since the few events that have a password have the same
	s, err := store.Open(store.Options{HashPassword: func(text string) string {
		if _, known := sealed[text]; !known {
			sealed[text] = password.NewKeeper(password.Iterations).HashNow(text)
		}
		return sealed[text]
	}})
	if err != nil {
		return nil, err
	}
	defer debug.FreeOSMemory()
	defer s.Close()
	made, err := almanactest.Generate(s, n-n/4)
	if err != nil {
		return nil, err
	}
	c.Calendar = *made
	f, err := os.Create(c.file)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(seed.Write(f, s, seed.Pictures{}), f.Close()); err != nil {
		return nil, err
	}
	text, err := json.Marshal(made)
	return c, errors.Join(err, os.WriteFile(facts, text, 0o600)) // last, when the seed is whole
}

// plant fills the directory of a program with the calendar: the seed, and after it a log with a
// line for each series.
func (c *calendar) plant(p *program) error {
	s, err := p.serve("25", "-seed", c.file)
	if err != nil {
		return err
	}
	p.token = s.Token
	rng := rand.New(rand.NewPCG(uint64(c.n), 1))
	for left := c.n / 4; left > 0; left -= 100 {
		rule := fmt.Sprintf(`,"recurrence":{"rule":"FREQ=WEEKLY;COUNT=%d"}`, min(left, 100))
		s.ask(c.linked(rng, p.token, rng.IntN(300), rule))
	}
	return errors.Join(s.err, s.stop())
}

// A program is a binary with its data.
type program struct{ binary, data, token string }

// serve starts the program on its data, which -memory leaves alone. gc is GOGC.
func (p *program) serve(gc string, flags ...string) (*server, error) {
	fixed := []string{
		"serve",
		"-addr",
		"127.0.0.1:0",
		"-exit-with-parent",
		"-clock",
		now,
		"-freeze",
		"-data",
		p.data,
	}
	cmd := exec.Command(p.binary, append(fixed, flags...)...)
	cmd.Env = append(os.Environ(), "GOGC="+gc)
	s, err := launch(cmd, nil)
	if err == nil && s.Token == "" {
		s.Token = p.token
	}
	return s, err
}

// serving starts all programs, and ends them after use.
func (m *measurement) serving(use func([]*server) error, flags ...string) (err error) {
	var servers []*server
	for _, p := range m.programs {
		s, err := p.serve("", flags...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		servers = append(servers, s)
	}
	return use(servers)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// starts measures starts until the first answer. per is the unit of resident memory.
func (m *measurement) starts(name, unit string, per float64, flags ...string) error {
	type start struct{ first, resident float64 }
	all, err := byTurns(m.rounds, len(m.programs), func(side, _ int) (start, error) {
		s, err := m.programs[side].serve("", flags...)
		if err != nil {
			return start{}, err
		}
		return start{milliseconds(s.first), s.resident() / per}, s.stop()
	})
	if err == nil {
		add(
			m.table,
			name,
			"first answer, ms",
			false,
			all,
			func(s start) float64 { return s.first },
		)
		add(m.table, name, unit, false, all, func(s start) float64 { return s.resident })
	}
	return err
}

// heap measures the heap of servers that keep no answers and collect garbage all the time. The
// garbage of the start is collected while they answer.
func (m *measurement) heap(name string) error {
	all, err := byTurns(1, len(m.programs), func(side, _ int) (heap float64, err error) {
		s, err := m.programs[side].serve("5", "-cache-mb", "0", "-metrics-addr", "127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		for range 2 * m.different {
			s.ask(get(eventsPath + "?per_page=50"))
		}
		metrics := &server{URL: strings.TrimSuffix(s.Metrics, "/metrics")}
		heap = sum(metrics.ask(get("/metrics")).Body, `\ngo_memstats_heap_alloc_bytes (\S+)`)
		return heap / 1000 / float64(m.calendar.n), errors.Join(s.err, metrics.err, s.stop())
	})
	if err == nil {
		add(
			m.table,
			name,
			"heap, KB per event",
			false,
			all,
			func(heap float64) float64 { return heap },
		)
	}
	return err
}

// worlds measures worlds of a fixture that begin with @city: making a hundred, and 300 writes in
// them.
func (m *measurement) worlds(name string) error {
	return m.serving(func(servers []*server) error {
		all, err := byTurns(
			m.rounds,
			len(servers),
			func(side, number int) (took [2]time.Duration, err error) {
				s := servers[side]
				token := "Authorization: Bearer " + s.Token
				var made, written, gone []request
				for n := range 100 {
					world := fmt.Sprintf("%d-%d", number, n)
					made = append(made, get(eventsPath+"?per_page=1", "Almanac-World: "+world))
					for day := range 3 {
						written = append(written, create(day, "", token, "Almanac-World: "+world))
					}
					gone = append(
						gone,
						message("DELETE", "/_almanac/worlds/"+world, "", http.StatusOK, token),
					)
				}
				start := time.Now()
				s.answers(made...)
				took[0] = time.Since(start) / 100
				s.answers(written...)
				took[1] = time.Since(start)
				s.answers(gone...)
				return took, s.err
			},
		)
		if err == nil {
			add(
				m.table,
				name,
				"ms, one world",
				false,
				all,
				func(took [2]time.Duration) float64 { return milliseconds(took[0]) },
			)
			add(
				m.table,
				name,
				"ms, 100 and 300 writes",
				false,
				all,
				func(took [2]time.Duration) float64 { return milliseconds(took[1]) },
			)
		}
		return err
	}, "-memory", "-worlds", "-seed", "@city")
}
