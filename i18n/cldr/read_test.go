package cldr_test

import (
	"slices"
	"testing"
	"time"

	"almanac/i18n"
)

// A day is read as the language writes it, in each language, and a text that is no day stays.
func TestISODay(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		l := language.Locale()
		for month := range 12 {
			day := time.Date(2031, time.Month(month+1), 24, 0, 0, 0, 0, time.UTC)
			want := day.Format(time.DateOnly)
			for _, text := range []string{l.Medium(day), day.Format("2006/1/2"), day.Format("2006-1-2")} {
				if got := l.ISODay(text); got != want {
					t.Errorf("%s: %q is %q, not %q", language.Tag, text, got, want)
				}
			}
		}
	}
	for _, test := range []struct{ language, text, want string }{
		{"de", "24.12.2026", "2026-12-24"},
		{"de", "24. 12. 26", "2026-12-24"},
		{"de", "1.6.2031", "2031-06-01"},
		{"de", "24. Dezember 2026", "2026-12-24"},
		{"de", "24.12.0226", "0226-12-24"},
		{"de", "31.2.2031", "2031-02-31"},
		{"nl", "24-12-2026", "2026-12-24"},
		{"fr", "24/12/2026", "2026-12-24"},
		{"es", "24 de diciembre de 2026", "2026-12-24"},
		{"en", "12/24/2026", "2026-12-24"},
		{"en", "December 24, 2026", "2026-12-24"},
		{"en", "24 Dec 2026", "2026-12-24"},
		{"ja", "2026/12/24", "2026-12-24"},
	} {
		language, _ := i18n.Find(test.language)
		if got := language.Locale().ISODay(test.text); got != test.want {
			t.Errorf("%s: %q is %q, not %q", test.language, test.text, got, test.want)
		}
	}
	de, _ := i18n.Find("de")
	en, _ := i18n.Find("en")
	for _, text := range []string{
		"", "morgen", "tomorrow", "+1 week", "1906761600", "2031-06-01 19:00", "24.12.", "24.12.226",
		"2026", "24.12.2026.1", "1.2.3", "24. Dez", "12.2026", "24 2026 12", "99999.1.1", "२४",
	} {
		if got := de.Locale().ISODay(text); got != text {
			t.Errorf("%q is %q", text, got)
		}
	}
	for _, text := range []string{"24.12.2026", "01.06.2031"} {
		if got := en.Locale().ISODay(text); got != text {
			t.Errorf("%q is %q in English", text, got)
		}
	}
	if there, _ := en.Locale().In("GB"); !slices.Equal(
		[]string{there.ISODay("24/12/2026"), there.ISODay("24.12.2026")},
		[]string{"2026-12-24", "2026-12-24"},
	) {
		t.Error("British days begin with the day")
	}
}

// A time is read as people type it, and one that may be another time stays.
func TestISOTime(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Languages() {
		l := language.Locale()
		for hour := range 24 {
			at := time.Date(2031, 12, 24, hour, 5, 0, 0, time.UTC)
			want := at.Format("15:04")
			for _, text := range []string{l.Time(at), want, at.Format("3:04 pm"), at.Format("1504")} {
				if got := l.ISOTime(text); got != want {
					t.Errorf("%s: %q is %q, not %q", language.Tag, text, got, want)
				}
			}
		}
	}
	for _, test := range []struct{ language, text, want string }{
		{"en", "7 pm", "19:00"},
		{"en", "7pm", "19:00"},
		{"en", "7:30pm", "19:30"},
		{"en", "730 pm", "19:30"},
		{"en", "7.30 P.M.", "19:30"},
		{"en", "12 am", "00:00"},
		{"en", "12:15 pm", "12:15"},
		{"en", "9:30", "09:30"},
		{"es", "7:30 p. m.", "19:30"},
		{"de", "19.30", "19:30"},
		{"de", "19 Uhr", "19:00"},
		{"de", "19:30 Uhr", "19:30"},
		{"de", "1930", "19:30"},
		{"de", "0730", "07:30"},
		{"de", " 19 30 ", "19:30"},
		{"fr", "19h30", "19:30"},
		{"fr", "19 h 30", "19:30"},
		{"fr", "19h", "19:00"},
		{"nl", "19 uur", "19:00"},
		{"da", "kl. 19.30", "19:30"},
		{"fi", "klo 19", "19:00"},
		{"it", "ore 19:30", "19:30"},
		{"ja", "19時30分", "19:30"},
		{"ja", "19時", "19:00"},
		{"ar", "7:30 م", "19:30"},
	} {
		language, _ := i18n.Find(test.language)
		if got := language.Locale().ISOTime(test.text); got != test.want {
			t.Errorf("%s: %q is %q, not %q", test.language, test.text, got, test.want)
		}
	}
	en, _ := i18n.Find("en")
	for _, text := range []string{
		"", "7", "19", "7:3", "7:", "7.", "930", "9 30", "24:00", "24 h", "19:60", "19:30 pm", "0 am", "13 pm", "7 am pm",
		"am 7 pm", "late", "half past 7", "7-9 pm", "7 or 8", "-7 pm", "pm", "19:30:00", "1 930", "7 م", "１９:３０", "7 p",
	} {
		if got := en.Locale().ISOTime(text); got != text {
			t.Errorf("%q is %q", text, got)
		}
	}
}
