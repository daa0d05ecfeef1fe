// Wall clocks and their form.

package record

import (
	"encoding/json"
	"testing"
	"time"
)

func TestWallForm(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0000-01-01 00:00:00", "0001-01-01 00:00:00", "1969-12-31 23:59:59", "1970-01-01 00:00:00",
		"2024-02-29 12:00:00", "2031-03-09 02:30:00", "9999-12-31 23:59:59",
	} {
		var w Wall
		if err := w.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := w.MarshalText()
		if err != nil || string(got) != text || w.String() != text {
			t.Errorf("%s becomes %q and %q, %v", text, got, w, err)
		}
		if again := WallOf(w.Time()); again != w {
			t.Errorf("%s: WallOf(Time()) is %v", text, again)
		}
	}
}

func TestWallRefuses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":             "",
		"no time":           "2031-05-10",
		"a T between":       "2031-05-10T10:00:00",
		"a zone":            "2031-05-10 10:00:00Z",
		"a fraction":        "2031-05-10 10:00:00.5",
		"one digit":         "2031-05-10 9:00:00",
		"month 13":          "2031-13-01 00:00:00",
		"30 February":       "2031-02-30 00:00:00",
		"hour 24":           "2031-05-10 24:00:00",
		"five digits":       "10000-01-01 00:00:00",
		"before the year 0": "-001-01-01 00:00:00",
		"space":             " 2031-05-10 10:00:00",
	} {
		w := Wall(7)
		if err := w.UnmarshalText([]byte(text)); err == nil || w != 7 {
			t.Errorf("%s: %q becomes %v, %v", name, text, w, err)
		}
	}
	for _, w := range []Wall{firstWall - 1, lastWall + 1, -1 << 63, 1<<63 - 1} {
		if text, err := w.MarshalText(); err == nil {
			t.Errorf("wall %d has the form %s", int64(w), text)
		}
	}
}

func TestWallOfIsTheClockOfTheZone(t *testing.T) {
	t.Parallel()
	instant := time.Date(2031, 5, 10, 22, 30, 0, 999, time.UTC)
	for offset, want := range map[int]string{
		0:                "2031-05-10 22:30:00",
		2 * 3600:         "2031-05-11 00:30:00",
		-(3*3600 + 1800): "2031-05-10 19:00:00",
	} {
		if got := WallOf(instant.In(time.FixedZone("", offset))).String(); got != want {
			t.Errorf("at %d: %s, want %s", offset, got, want)
		}
	}
	before := time.Date(1969, 12, 31, 23, 59, 59, 500_000_000, time.UTC)
	if got := WallOf(before); got != -1 {
		t.Errorf("half a second before the epoch is %d, want -1", int64(got))
	}
}

// Walls of one zone compare as their texts do.
func TestWallOrder(t *testing.T) {
	t.Parallel()
	walls := []Wall{firstWall, -5, -1, 0, 1, 59, 60, 86_399, 86_400, 1_900_000_000, lastWall}
	for i, a := range walls {
		for j, b := range walls {
			if (a < b) != (a.String() < b.String()) || (i < j) != (a < b) {
				t.Errorf("%v and %v", a, b)
			}
		}
	}
}

func FuzzWall(f *testing.F) {
	for _, seed := range []string{"2031-05-10 10:00:00", "0000-01-01 00:00:00", "9999-12-31 23:59:59", "2031-05-10 1:00:00", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var w Wall
		if w.UnmarshalText(text) != nil {
			return
		}
		got, err := w.MarshalText()
		if err != nil {
			t.Fatalf("%q is read and cannot be written: %v", text, err)
		}
		equal(t, "written again it differs", string(text), string(got))
	})
}

func TestKindNames(t *testing.T) {
	t.Parallel()
	for k := range Kinds {
		text, err := json.Marshal(k)
		must(t, err)
		var again Kind
		if err := json.Unmarshal(text, &again); err != nil || again != k {
			t.Errorf("%s becomes %s, %v", text, again, err)
		}
	}
	if text, err := json.Marshal(Kinds); err == nil {
		t.Errorf("a kind that is none is written as %s", text)
	}
	var k Kind
	if err := k.UnmarshalText([]byte("Events")); err == nil {
		t.Error("Events is read as a kind; files say events")
	}
}
