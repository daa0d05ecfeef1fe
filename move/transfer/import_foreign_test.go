package transfer_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// This file imports calendars as other programs write them, against RFC 5545 or in its corners.

// A foreignCase is a calendar, and the events that it means. The same calendar again changes
// nothing.

type foreignCase struct {
	name  string
	lines []string // of calendarFile
	want  []string // of eventLines
	made  int      // events; 0 is as many as want
}

func runForeign(t *testing.T, cases []foreignCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := calendarFile(t, c.lines...)
			made := c.made
			if made == 0 {
				made = len(c.want)
			}
			wantSums(t, dir, "import", made, 0, "-timezone", "Europe/Berlin", file)
			wantHeld(t, dir, "events", c.want...)
			wantSums(t, dir, "the same again", 0, 0, "-timezone", "Europe/Berlin", file)
			wantHeld(t, dir, "events again", c.want...)
		})
	}
}

// sortedLines returns lines in the order of eventLines.
func sortedLines(lines []string) []string { return slices.Sorted(slices.Values(lines)) }

// vzone returns a VTIMEZONE of observances: each a name, a DTSTART, an offset before and one after,
// and further lines.
func vzone(tzid string, observances ...string) string {
	text := "BEGIN:VTIMEZONE|TZID:" + tzid + "|"
	for _, o := range observances {
		f := append(strings.SplitN(o, " ", 5), "")
		text += "BEGIN:" + f[0] +
			"|DTSTART:" + f[1] + "|TZOFFSETFROM:" + f[2] + "|TZOFFSETTO:" + f[3] + "|"
		if f[4] != "" {
			text += f[4] + "|"
		}
		text += "END:" + f[0] + "|"
	}
	return text + "END:VTIMEZONE|"
}

func TestImportWholeDays(t *testing.T) {
	t.Parallel()
	const three = "DTSTART;VALUE=DATE:20310602|RRULE:FREQ=DAILY;COUNT=3|SUMMARY:"
	const year = "DTSTART;VALUE=DATE:20310602|RRULE:FREQ=DAILY;UNTIL="
	const outlook = "|X-MICROSOFT-CDO-ALLDAYEVENT:TRUE|SUMMARY:"
	days := func(title string, days ...string) (lines []string) {
		for _, day := range days {
			day = "2031-06-" + day
			lines = append(lines, day+" to "+day+" all day "+title+", for "+day+" 00:00:00")
		}
		return lines
	}
	join := func(lists ...[]string) (all []string) {
		for i := 0; i < 31; i++ { // eventLines are in order
			for _, list := range lists {
				if i < len(list) {
					all = append(all, list[i])
				}
			}
		}
		return sortedLines(all)
	}
	runForeign(t, []foreignCase{
		{
			name: "exceptions and additions with a time",
			lines: []string{
				vevent("1", three+"a|EXDATE:20310603T000000Z"),
				vevent("2", three+"b|EXDATE;TZID=Asia/Tokyo:20310603T000000"),
				vevent(
					"3",
					three+"c|EXDATE;TZID=America/New_York:20310603T233000,20310604T000000",
				),
				vevent("4", three+"d|EXDATE:20310602T220000"),
				vevent("5", three+"e|RDATE;TZID=Pacific/Auckland:20310610T000000"),
				vevent("6", three+"f|RDATE;VALUE=PERIOD:20310610T000000Z/PT24H"),
			},
			want: join(
				days("a", "02", "04"),
				days("b", "02", "04"),
				days("c", "02"),
				days("d", "03", "04"),
				days("e", "02", "03", "04", "10"), days("f", "02", "03", "04", "10"),
			),
		},
		{
			name: "changed dates with a time",
			lines: []string{
				vevent("1", three+"a"),
				vevent(
					"1",
					"RECURRENCE-ID;TZID=Asia/Tokyo:20310603T000000|DTSTART;VALUE=DATE:20310605|"+
						"SUMMARY:A",
				),
				vevent("2", three+"b"),
				vevent(
					"2",
					"RECURRENCE-ID:20310603T000000Z|DTSTART;VALUE=DATE:20310605|SUMMARY:B",
				),
				vevent(
					"3",
					"RECURRENCE-ID;TZID=America/New_York:20310603T000000|"+
						"DTSTART;VALUE=DATE:20310605|SUMMARY:C",
				),
				vevent("3", three+"c"),
				vevent("4", three+"d"),
				vevent("4", "RECURRENCE-ID:20310603T220000|DTSTART:20310605T100000Z|SUMMARY:D"),
				vevent("5", three+"e"),
				vevent(
					"5",
					"RECURRENCE-ID;TZID=Asia/Tokyo:20310603T000000|DTSTART;VALUE=DATE:20310603|"+
						"STATUS:CANCELLED|SUMMARY:e",
				),
			},
			want: sortedLines(append(join(
				days("a", "02", "04"),
				days("b", "02", "04"),
				days("c", "02", "04"),
				days("d", "02", "04"),
				days("e", "02", "04"),
			),
				"2031-06-05 to 2031-06-05 all day A, for 2031-06-03 00:00:00 with end_date "+
					"start_date title",
				"2031-06-05 to 2031-06-05 all day B, for 2031-06-03 00:00:00 with end_date "+
					"start_date title",
				"2031-06-05 to 2031-06-05 all day C, for 2031-06-03 00:00:00 with end_date "+
					"start_date title",
				"2031-06-05 10:00:00 to 2031-06-05 10:00:00 UTC D, for 2031-06-03 00:00:00 with "+
					"all_day end_date start_date timezone title",
				"2031-06-03 to 2031-06-03 all day e, canceled, for 2031-06-03 00:00:00 with "+
					"event_status",
			)),
		},
		{
			name: "the end of a rule in UTC",
			lines: []string{
				vevent("1", year+"20310603T000000Z|SUMMARY:a"),
				vevent("2", year+"20310603T235959Z|SUMMARY:b"),
				vevent("3", year+"20310602T220000Z|SUMMARY:c"), // midnight of the 3rd in Berlin
				vevent("4", year+"20310603T040000Z|SUMMARY:d"), // midnight of the 3rd in New York
				vevent("5", year+"20310602T150000Z|SUMMARY:e"), // midnight of the 3rd in Tokyo
				vevent("6", year+"20310603T200000|SUMMARY:f"),
				vevent("7", year+"20310601T220000Z|SUMMARY:g"),
			},
			want: join(
				days("a", "02", "03"),
				days("b", "02", "03"),
				days("c", "02", "03"),
				days("d", "02", "03"),
				days("e", "02", "03"), days("f", "02", "03"), days("g", "02"),
			),
		},
		{
			name: "the end of a rule at midnight of the calendar",
			lines: []string{
				"X-WR-TIMEZONE:Pacific/Auckland|",
				vevent("1", year+"20310602T120000Z|SUMMARY:a"), // midnight of the 3rd in Auckland
			},
			want: days("a", "02", "03"),
		},
		{
			name: "midnights of Outlook",
			lines: []string{
				vevent(
					"1",
					"DTSTART;TZID=W. Europe Standard Time:20310602T000000|DTEND;TZID=W. Europe "+
						"Standard Time:20310604T000000"+outlook+"a",
				),
				vevent("2", "DTSTART:20310602T000000Z|DTEND:20310603T000000Z"+outlook+"b"),
				vevent("3", "DTSTART:20310602T000000|DURATION:P2D"+outlook+"c"),
				vevent("4", "DTSTART:20310601T220000Z|DTEND:20310602T220000Z"+outlook+"d"),
				vevent("5", "DTSTART;TZID=Asia/Tokyo:20310602T000000|DURATION:PT24H"+outlook+"e"),
				vevent("6", "DTSTART:20310602T000000|DTEND:20310603T000000|SUMMARY:timed"),
				vevent("7", "DTSTART:20310602T100000|DTEND:20310602T110000"+outlook+"timed too"),
				vevent(
					"8",
					"DTSTART:20310601T220000Z|DTEND:20310602T220000Z|"+
						"RRULE:FREQ=WEEKLY;UNTIL=20310615T220000Z|"+
						"EXDATE:20310608T220000Z"+outlook+"f",
				),
			},
			want: sortedLines(append(days("f", "02", "16"),
				"2031-06-02 to 2031-06-03 all day a", "2031-06-02 to 2031-06-02 all day b",
				"2031-06-02 to 2031-06-03 all day c", "2031-06-02 to 2031-06-02 all day d",
				"2031-06-02 to 2031-06-02 all day e",
				"2031-06-02 00:00:00 to 2031-06-03 00:00:00 Europe/Berlin timed",
				"2031-06-02 10:00:00 to 2031-06-02 11:00:00 Europe/Berlin timed too",
			)),
		},
		{
			name: "a day and a time as start and end",
			lines: []string{
				vevent(
					"1",
					"DTSTART;VALUE=DATE:20310602|DTEND;VALUE=DATE:20310605T130000Z|SUMMARY:a",
				),
				vevent("2", "DTSTART;VALUE=DATE:20310602|DTEND:20310605T130000Z|SUMMARY:b"),
				vevent(
					"3",
					"DTSTART;VALUE=DATE:20310602|DTEND;TZID=Asia/Tokyo:20310605T000000|SUMMARY:c",
				),
				vevent("4", "DTSTART;VALUE=DATE:20310602|DTEND:20310602T130000Z|SUMMARY:d"),
				vevent("5", "DTSTART:20310602T100000|DTEND;VALUE=DATE:20310603|SUMMARY:e"),
				vevent("6", "DTSTART:20310602T100000Z|DTEND;VALUE=DATE:20310602|SUMMARY:f"),
				vevent("7", "DTSTART:20310602T100000|DTEND;VALUE=DATE:20310605|SUMMARY:g"),
			},
			want: sortedLines([]string{
				"2031-06-02 to 2031-06-04 all day a", "2031-06-02 to 2031-06-05 all day b",
				"2031-06-02 to 2031-06-04 all day c", "2031-06-02 to 2031-06-02 all day d",
				"2031-06-02 10:00:00 to 2031-06-03 00:00:00 Europe/Berlin e",
				"2031-06-02 10:00:00 to 2031-06-03 00:00:00 UTC f",
				"2031-06-02 10:00:00 to 2031-06-05 00:00:00 Europe/Berlin g",
			}),
		},
	})
}

func TestImportZones(t *testing.T) {
	t.Parallel()
	const yearly = "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH="
	central := func(tzid string) string {
		return vzone(
			tzid,
			"STANDARD 19701025T030000 +0200 +0100 "+yearly+"10",
			"DAYLIGHT 19700329T020000 +0100 +0200 "+yearly+"3",
		)
	}
	at := func(uid, tzid, time string) string {
		return vevent(uid, "DTSTART;TZID="+tzid+":"+time+"|SUMMARY:"+uid)
	}
	const next = "END:VCALENDAR|BEGIN:VCALENDAR|"
	runForeign(t, []foreignCase{
		{
			name: "behind its events",
			lines: []string{
				at("a", "Club", "20310714T100000"),
				vevent(
					"b",
					"DTSTART;TZID=Club:20310714T100000|DTEND;TZID=Far:20310714T100000|SUMMARY:b",
				),
				vevent("c", "DTSTART;TZID=Far:20310714T100000|RRULE:FREQ=DAILY;COUNT=1|SUMMARY:c"),
				vzone("Far", "STANDARD 19700101T000000 -0500 -0500"),
				central("Club"),
				at("d", "Far", "20310714T100000"),
				at("e", "Club", "20310114T100000"),
			},
			want: []string{
				"2031-01-14 10:00:00 to 2031-01-14 10:00:00 Europe/Berlin e",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 -05:00 c, for 2031-07-14 10:00:00",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 -05:00 d",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Berlin a",
				"2031-07-14 10:00:00 to 2031-07-14 17:00:00 Europe/Berlin b",
			},
		},
		{
			name: "one name in two calendars",
			lines: []string{
				vzone("Own", "STANDARD 19700101T000000 +0900 +0900"),
				at("a", "Own", "20310714T100000"),
				next,
				at("b", "Own", "20310714T100000"),
				vzone("Own", "STANDARD 19700101T000000 +0530 +0530"),
				next,
				central("Own"), at("c", "Own", "20310714T100000"), next,
				at("d", "Own", "20310714T100000"), next, // which has none: that of the file
				vzone("Own", "STANDARD 19700101T000000 -0330 -0330"),
				at("e", "Own", "20310714T100000"),
			},
			want: []string{
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 +05:30 b",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 +09:00 a",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 +09:00 d",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 -03:30 e",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Berlin c",
			},
		},
		{
			name: "offsets of no zone",
			lines: []string{
				// Changes an hour early: the clocks of the zone show 1:30 again.
				vzone(
					"Early",
					"STANDARD 19701025T020000 +0200 +0100 "+yearly+"10",
					"DAYLIGHT 19700329T010000 +0100 +0200 "+yearly+"3",
				),
				at("a", "Early", "20310714T100000"),
				at("b", "Early", "20311026T023000"),
				at("c", "Early", "20310330T013000"),
				// One year.
				vzone(
					"Once",
					"STANDARD 20301027T030000 +0200 +0100 RDATE:20311026T030000",
					"DAYLIGHT 20310330T020000 +0100 +0200",
				),
				at("d", "Once", "20310714T100000"),
				at("e", "Once", "20311114T100000"),
				at("f", "Once", "20330714T100000"),
				// Summer time of two hours.
				vzone(
					"Two",
					"STANDARD 19701025T030000 +0300 +0100 "+yearly+"10",
					"DAYLIGHT 19700329T020000 +0100 +0300 "+yearly+"3",
				),
				at("g", "Two", "20310714T100000"), at("h", "Two", "20310114T100000"),
				// Not in quarters of an hour.
				vzone("Odd", "STANDARD 19700101T000000 +0013 +0013"),
				at("i", "Odd", "20310714T100000"),
			},
			want: []string{
				"2031-01-14 10:00:00 to 2031-01-14 10:00:00 +01:00 h",
				"2031-03-30 01:30:00 to 2031-03-30 01:30:00 Europe/Berlin c",
				"2031-07-14 09:47:00 to 2031-07-14 09:47:00 UTC i",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 +03:00 g",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Berlin a",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Berlin d",
				"2031-10-26 02:30:00 to 2031-10-26 02:30:00 +01:00 b",
				"2031-11-14 10:00:00 to 2031-11-14 10:00:00 Europe/Berlin e",
				"2033-07-14 10:00:00 to 2033-07-14 10:00:00 +01:00 f",
			},
		},
		{
			name: "names",
			lines: []string{
				at("a", "CET", "20310714T100000"),
				at("b", "EET", "20310714T100000"),
				at("c", "WET", "20310714T100000"),
				at("d", "MET", "20310114T100000"),
				at("e", `"(UTC+09:00) Osaka, Sapporo, Tokyo"`, "20310714T100000"),
				at("f", `"(UTC-05:00) Eastern Time (US & Canada)"`, "20310714T100000"),
				at("g", `"(GMT+01:00) Brussels, Copenhagen, Madrid, Paris"`, "20310714T100000"),
				at("h", `"(UTC+10:00) Canberra, Melbourne, Sydney"`, "20310114T100000"),
				at("i", `"(UTC) Coordinated Universal Time"`, "20310714T100000"),
				at("j", `"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"`, "20310714T100000"),
				at("k", `"(UTC-07:00) Arizona"`, "20310714T100000"),
			},
			want: []string{
				"2031-01-14 10:00:00 to 2031-01-14 10:00:00 Australia/Canberra h",
				"2031-01-14 10:00:00 to 2031-01-14 10:00:00 Europe/Berlin d",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 America/New_York f",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 America/Phoenix k",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Asia/Kolkata j",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Asia/Tokyo e",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Athens b",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Berlin a",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Brussels g",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 Europe/Lisbon c",
				"2031-07-14 10:00:00 to 2031-07-14 10:00:00 UTC i",
			},
		},
		{
			name: "a day in UTC over a change of the clock",
			lines: []string{
				"X-WR-TIMEZONE:Europe/Berlin|",
				vevent("1", "DTSTART:20311025T180000Z|DURATION:P1D|SUMMARY:a"),
			},
			want: []string{"2031-10-25 20:00:00 to 2031-10-26 19:00:00 Europe/Berlin a"},
		},
		{
			name: "the second of two equal hours",
			lines: []string{
				"X-WR-TIMEZONE:Europe/Berlin|",
				vevent("1", "DTSTART:20311026T013000Z|DTEND:20311026T020000Z|SUMMARY:a"),
				vevent("2", "DTSTART:20311026T003000Z|DTEND:20311026T013000Z|SUMMARY:b"),
				vevent("3", "DTSTART:20311026T003000Z|DTEND:20311026T004500Z|SUMMARY:c"),
				vevent("4", "DTSTART;TZID=Europe/Berlin:20311026T023000|DURATION:PT1H|SUMMARY:d"),
				vevent(
					"5",
					"DTSTART;TZID=Europe/Berlin:20311026T023000|DTEND:20311026T013000Z|SUMMARY:e",
				),
				vevent("6", "DTSTART:20311026T020000Z|SUMMARY:f"),
			},
			want: []string{
				"2031-10-26 00:30:00 to 2031-10-26 01:30:00 UTC b",
				"2031-10-26 00:30:00 to 2031-10-26 01:30:00 UTC d",
				"2031-10-26 00:30:00 to 2031-10-26 01:30:00 UTC e",
				"2031-10-26 01:30:00 to 2031-10-26 02:00:00 UTC a",
				"2031-10-26 02:30:00 to 2031-10-26 02:45:00 Europe/Berlin c",
				"2031-10-26 03:00:00 to 2031-10-26 03:00:00 Europe/Berlin f",
			},
		},
	})
	dir := t.TempDir()
	file := calendarFile(
		t,
		vzone("Two", "STANDARD 19701025T030000 +0300 +0100 "+yearly+"10", "DAYLIGHT 19700329T020000 +0100 +0300 "+yearly+"3"),
		vevent("1", "DTSTART;TZID=Two:20310714T100000|RRULE:FREQ=WEEKLY;COUNT=9|SUMMARY:x"))
	status, _, errs := runImport(t, "-data", dir, file)
	if status != 1 || !strings.Contains(errs, "and the event repeats") {
		t.Errorf("a series in a zone that is none: status %d, %s", status, errs)
	}
}

func TestImportForeignSeries(t *testing.T) {
	t.Parallel()
	const start = "DTSTART:20310602T100000Z|SUMMARY:"
	const night = "DTSTART;TZID=Europe/Berlin:20311018T200000|"
	runForeign(t, []foreignCase{
		{
			name: "without a date",
			lines: []string{
				vevent(
					"1",
					start+"a|RRULE:FREQ=WEEKLY;UNTIL=20310602T215959Z|EXDATE:20310602T100000Z",
				),
				vevent("2", start+"b|RRULE:FREQ=WEEKLY;UNTIL=20310601T100000Z"),
				vevent(
					"3",
					start+"c|RRULE:FREQ=WEEKLY;COUNT=2|EXDATE:20310602T100000Z,20310609T100000Z",
				),
				vevent(
					"4",
					"DTSTART;VALUE=DATE:20310602|SUMMARY:d|RRULE:FREQ=DAILY;UNTIL=20310601",
				),
				vevent(
					"5",
					"DTSTART;VALUE=DATE:20310602|SUMMARY:e|RRULE:FREQ=DAILY;COUNT=1|"+
						"EXDATE:20310602T220000Z",
				),
				vevent(
					"6",
					"DTSTART;TZID=Asia/Tokyo:20310602T100000|SUMMARY:f|"+
						"RDATE;TZID=Asia/Tokyo:20310609T100000|EXDATE;VALUE=DATE:20310602,20310609",
				),
				vevent("7", start+"another"),
			},
			want: []string{"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC another"},
		},
		{
			name: "rules as they are written",
			lines: []string{
				vevent("1", start+"a|RRULE:FREQ=WEEKLY;COUNT=1;"),
				vevent("2", start+"b|RRULE:FREQ=WEEKLY;COUNT=1;;"),
				vevent("3", start+"c|RRULE:;FREQ=WEEKLY;COUNT=1"),
				vevent("4", start+"d|RRULE:FREQ=WEEKLY; COUNT=1 ;"),
				vevent("5", start+"e|RRULE:FREQ=WEEKLY;;COUNT=1"),
			},
			want: []string{
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC a, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC b, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC c, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC d, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC e, for 2031-06-02 10:00:00",
			},
		},
		{
			name: "durations over a change of the clock",
			lines: []string{
				vevent("1", night+"DURATION:PT12H|RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2|SUMMARY:a"),
				vevent(
					"2",
					"DTSTART;TZID=Europe/Berlin:20311025T200000|DURATION:PT12H|"+
						"RRULE:FREQ=WEEKLY;COUNT=2|SUMMARY:b",
				),
				vevent(
					"3",
					"DTSTART;TZID=Europe/Berlin:20311025T200000|DURATION:P1D|"+
						"RRULE:FREQ=WEEKLY;COUNT=1|SUMMARY:c",
				),
				vevent(
					"4",
					"DTSTART;TZID=Europe/Berlin:20311025T200000|DURATION:P1DT2H|SUMMARY:d",
				),
				vevent("5", "DTSTART;TZID=Europe/Berlin:20311025T200000|DURATION:PT24H|SUMMARY:e"),
				vevent(
					"6",
					"DTSTART;TZID=Europe/Berlin:20311025T200000|"+
						"DTEND;TZID=Europe/Berlin:20311026T080000|RRULE:FREQ=WEEKLY;COUNT=2|"+
						"SUMMARY:f",
				),
				vevent(
					"7",
					"DTSTART;TZID=Europe/Berlin:20310329T200000|DURATION:PT12H|"+
						"RRULE:FREQ=WEEKLY;COUNT=2|SUMMARY:g",
				),
			},
			want: []string{
				"2031-03-29 20:00:00 to 2031-03-30 09:00:00 Europe/Berlin g, for 2031-03-29 " +
					"20:00:00 with end_date",
				"2031-04-05 20:00:00 to 2031-04-06 08:00:00 Europe/Berlin g, for 2031-04-05 " +
					"20:00:00",
				"2031-10-18 20:00:00 to 2031-10-19 08:00:00 Europe/Berlin a, for 2031-10-18 " +
					"20:00:00",
				"2031-10-25 20:00:00 to 2031-10-26 07:00:00 Europe/Berlin b, for 2031-10-25 " +
					"20:00:00 with end_date",
				"2031-10-25 20:00:00 to 2031-10-26 08:00:00 Europe/Berlin f, for 2031-10-25 " +
					"20:00:00",
				"2031-10-25 20:00:00 to 2031-10-26 19:00:00 Europe/Berlin e",
				"2031-10-25 20:00:00 to 2031-10-26 20:00:00 Europe/Berlin c, for 2031-10-25 " +
					"20:00:00",
				"2031-10-25 20:00:00 to 2031-10-26 22:00:00 Europe/Berlin d",
				"2031-11-01 20:00:00 to 2031-11-02 08:00:00 Europe/Berlin a, for 2031-11-01 " +
					"20:00:00",
				"2031-11-01 20:00:00 to 2031-11-02 08:00:00 Europe/Berlin b, for 2031-11-01 " +
					"20:00:00",
				"2031-11-01 20:00:00 to 2031-11-02 08:00:00 Europe/Berlin f, for 2031-11-01 " +
					"20:00:00",
			},
		},
		{
			name: "changed dates before their series",
			lines: []string{
				vevent(
					"1",
					"RECURRENCE-ID:20310602T100000Z|LAST-MODIFIED:20260202T000000Z|"+start+"a",
				),
				vevent("1", "LAST-MODIFIED:20260101T000000Z|"+start+"a|RRULE:FREQ=WEEKLY;COUNT=2"),
				vevent(
					"2",
					"RECURRENCE-ID;VALUE=DATE:20310603|LAST-MODIFIED:20260202T000000Z|"+
						"DTSTART;VALUE=DATE:20310603|SUMMARY:b",
				),
				vevent(
					"2",
					"LAST-MODIFIED:20260101T000000Z|DTSTART;VALUE=DATE:20310602|SUMMARY:b|"+
						"RRULE:FREQ=DAILY;COUNT=2",
				),
				vevent(
					"3",
					"RECURRENCE-ID:20310602T100000Z|LAST-MODIFIED:20260101T000000Z|"+start+"c",
				),
				vevent("3", "LAST-MODIFIED:20260202T000000Z|"+start+"c|RRULE:FREQ=WEEKLY;COUNT=1"),
				vevent("4", "RECURRENCE-ID:20310609T100000Z|DTSTART:20310609T110000Z|SUMMARY:d"),
				vevent("4", start+"d|RRULE:FREQ=WEEKLY;COUNT=2"),
				vevent(
					"5",
					"RECURRENCE-ID:20310609T100000Z|DTSTAMP:20260202T000000Z|"+
						"DTSTART:20310609T100000Z|SUMMARY:e",
				),
				vevent("5", "DTSTAMP:20260101T000000Z|"+start+"e|RRULE:FREQ=WEEKLY;COUNT=2"),
			},
			want: []string{
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC a, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC c, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC d, for 2031-06-02 10:00:00",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC e, for 2031-06-02 10:00:00",
				"2031-06-02 to 2031-06-02 all day b, for 2031-06-02 00:00:00",
				"2031-06-03 to 2031-06-03 all day b, for 2031-06-03 00:00:00",
				"2031-06-09 10:00:00 to 2031-06-09 10:00:00 UTC a, for 2031-06-09 10:00:00",
				"2031-06-09 10:00:00 to 2031-06-09 10:00:00 UTC e, for 2031-06-09 10:00:00",
				"2031-06-09 11:00:00 to 2031-06-09 11:00:00 UTC d, for 2031-06-09 10:00:00 with " +
					"end_date start_date",
			},
		},
		{
			name: "one UID",
			lines: []string{
				// Several events.
				vevent("1", "DTSTART:20310608T183000Z|SUMMARY:a1"),
				vevent("1", "DTSTART:20310708T183000Z|SUMMARY:a2"),
				vevent("1", "DTSTART:20310808T183000Z|SUMMARY:a3"),
				vevent("2", "DTSTART;VALUE=DATE:20310608|SEQUENCE:3|SUMMARY:b1"),
				vevent("2", "DTSTART;VALUE=DATE:20310708|SEQUENCE:3|SUMMARY:b2"),
				vevent("3", "DTSTART:20310609T100000|SUMMARY:c1|DTSTAMP:20260101T000000Z"),
				vevent("3", "DTSTART:20310709T100000|SUMMARY:c2|DTSTAMP:20260201T000000Z"),
				vevent("4", "DTSTART:20310610T100000Z|SUMMARY:d1|RRULE:FREQ=WEEKLY;COUNT=1"),
				vevent("4", "DTSTART:20310710T100000Z|SUMMARY:d2"),
				vevent("5", "DTSTART;TZID=Asia/Tokyo:20310611T100000|SUMMARY:e1"),
				vevent("5", "DTSTART;TZID=Asia/Tokyo:20310611T120000|SUMMARY:e2"),
				// Versions of one.
				vevent("6", "DTSTART:20310612T100000Z|SEQUENCE:1|SUMMARY:old f"),
				vevent("6", "DTSTART:20310613T100000Z|SEQUENCE:2|SUMMARY:f"),
				vevent("7", "DTSTART:20310612T110000Z|SEQUENCE:2|SUMMARY:g"),
				vevent("7", "DTSTART:20310613T100000Z|SUMMARY:old g"),
				vevent(
					"8",
					"DTSTART:20310612T120000Z|SUMMARY:old h|LAST-MODIFIED:20260101T000000Z",
				),
				vevent("8", "DTSTART:20310612T120000Z|SUMMARY:h|LAST-MODIFIED:20260201T000000Z"),
				vevent("9", "DTSTART:20310612T130000Z|SUMMARY:i|RRULE:FREQ=WEEKLY;COUNT=1"),
				vevent(
					"9",
					"RECURRENCE-ID:20310612T130000Z|SEQUENCE:2|DTSTART:20310612T140000Z|SUMMARY:I",
				),
				vevent(
					"9",
					"RECURRENCE-ID:20310612T130000Z|SEQUENCE:1|DTSTART:20310612T150000Z|"+
						"SUMMARY:old I",
				),
			},
			want: []string{
				"2031-06-08 18:30:00 to 2031-06-08 18:30:00 UTC a1",
				"2031-06-08 to 2031-06-08 all day b1",
				"2031-06-09 10:00:00 to 2031-06-09 10:00:00 Europe/Berlin c1",
				"2031-06-10 10:00:00 to 2031-06-10 10:00:00 UTC d1, for 2031-06-10 10:00:00",
				"2031-06-11 10:00:00 to 2031-06-11 10:00:00 Asia/Tokyo e1",
				"2031-06-11 12:00:00 to 2031-06-11 12:00:00 Asia/Tokyo e2",
				"2031-06-12 11:00:00 to 2031-06-12 11:00:00 UTC g",
				"2031-06-12 12:00:00 to 2031-06-12 12:00:00 UTC h",
				"2031-06-12 14:00:00 to 2031-06-12 14:00:00 UTC I, for 2031-06-12 13:00:00 with " +
					"end_date start_date title",
				"2031-06-13 10:00:00 to 2031-06-13 10:00:00 UTC f",
				"2031-07-08 18:30:00 to 2031-07-08 18:30:00 UTC a2",
				"2031-07-08 to 2031-07-08 all day b2",
				"2031-07-09 10:00:00 to 2031-07-09 10:00:00 Europe/Berlin c2",
				"2031-07-10 10:00:00 to 2031-07-10 10:00:00 UTC d2",
				"2031-08-08 18:30:00 to 2031-08-08 18:30:00 UTC a3",
			},
		},
		{
			name: "broken lines and components",
			lines: []string{
				vevent("1", "DTSTART:20310602T100000Z|DTSTAMP:yesterday|SUMMARY:a"),
				vevent("2", "DTSTART:20310602T100000Z|CREATED:20310230|LAST-MODIFIED:|SUMMARY:b"),
				vevent(
					"3",
					"DTSTART:20310602T100000Z|DTSTAMP:2026-01-01|LAST-MODIFIED:20260101T000000Z|"+
						"SUMMARY:c",
				),
				vevent("4", "DTSTART:20310602T100000Z|DTSTAMP;VALUE=DATE:20260101|SUMMARY:d"),
				vevent("5", "DTSTART:20310602T100000Z|CREATED:x|SUMMARY:e"),
			},
			want: []string{
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC a",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC b",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC c",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC d",
				"2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC e",
			},
		},
	})
}

// A series that loses its last date loses its events, and so does one event.
func TestImportEndedSeries(t *testing.T) {
	t.Parallel()
	const start = "DTSTART:20310602T100000Z|SUMMARY:x|"
	gone := map[string]string{
		"exceptions":       "RRULE:FREQ=WEEKLY;COUNT=2|EXDATE:20310602T100000Z,20310609T100000Z",
		"an earlier end":   "RRULE:FREQ=WEEKLY;UNTIL=20310601T000000Z",
		"an exception day": "RRULE:FREQ=WEEKLY;COUNT=1|EXDATE;VALUE=DATE:20310602",
	}
	for name, lines := range gone {
		for before, events := range map[string]int{"RRULE:FREQ=WEEKLY;COUNT=2|": 2, "": 1} {
			t.Run(name+" of "+before, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				was := calendarFile(t, vevent("1", start+before+"LAST-MODIFIED:20260101T000000Z"))
				wantSums(t, dir, "before", events, 0, was)
				now := calendarFile(t, vevent("1", start+lines+"|LAST-MODIFIED:20260201T000000Z"))
				wantSums(t, dir, "without a date", 0, events, now)
				for _, line := range eventLines(t, dir) {
					if !strings.Contains(line, ", trash") {
						t.Error("still there:", line)
					}
				}
				wantSums(t, dir, "again", 0, 0, now)
				again := calendarFile(
					t,
					vevent("1", start+before+"LAST-MODIFIED:20260301T000000Z"),
				)
				wantSums(t, dir, "with dates again", events, 0, again)
			})
		}
	}
}

// Endless rules that began long ago begin on the present day; the same calendar later changes
// nothing.

func TestImportLongAgo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := calendarFile(
		t,
		vevent(
			"1",
			"DTSTART;TZID=America/Los_Angeles:20120801T050000|"+
				"DTEND;TZID=America/Los_Angeles:20120801T060000|RRULE:FREQ=DAILY|SUMMARY:a",
		),
		vevent(
			"2",
			"DTSTART;VALUE=DATE:20000101|RRULE:FREQ=DAILY|EXDATE;VALUE=DATE:20010101|SUMMARY:b",
		),
		vevent(
			"3",
			"DTSTART:19990101T100000Z|RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR|RDATE:20000102T100000Z|"+
				"SUMMARY:c",
		),
		vevent("4", "DTSTART:19000101T100000|RRULE:FREQ=DAILY;INTERVAL=2|SUMMARY:d"),
		vevent(
			"5",
			"DTSTART:19900101T100000Z|RRULE:FREQ=DAILY;UNTIL=20990101T000000Z;BYMONTH=1,2|"+
				"SUMMARY:e",
		),
		vevent("6", "DTSTART:20200106T100000Z|RRULE:FREQ=WEEKLY|SUMMARY:not long"),
	)
	mustImport(t, "-data", dir, file)
	today := time.Now().UTC().AddDate(0, 0, -3).Format(time.DateOnly)
	first := map[string]string{}
	for _, line := range eventLines(t, dir) {
		title := line[:strings.Index(line, ", for")]
		title = title[strings.LastIndex(title, " ")+1:]
		if first[title] == "" {
			first[title] = line[:10]
		}
	}
	for _, title := range []string{"a", "b", "c", "d"} {
		if first[title] < today {
			t.Errorf("%s begins on %s", title, first[title])
		}
	}
	if first["long"] != "2020-01-06" || first["e"] != "1990-01-01" {
		t.Errorf("what is not long ago begins on %s and %s", first["long"], first["e"])
	}
	wantSums(t, dir, "again", 0, 0, file)
}

// Nothing is lost without a word.
func TestImportBrokenCalendars(t *testing.T) {
	t.Parallel()
	one := vevent("1", "DTSTART:20310602T100000Z|SUMMARY:one")
	two := vevent("2", "DTSTART:20310603T100000Z|SUMMARY:two")
	const head, end = "BEGIN:VCALENDAR|VERSION:2.0|", "END:VCALENDAR|"
	const first, second = "2031-06-02 10:00:00 to 2031-06-02 10:00:00 UTC one", "2031-06-03 10:00:00 to 2031-06-03 10:00:00 UTC two"
	unended := strings.Replace(one, "END:VEVENT|", "", 1)
	for name, c := range map[string]struct {
		text   string
		status int
		errs   string
		want   []string
	}{
		"cut off between events":   {head + one, 1, "is cut off", []string{first}},
		"cut off in an event":      {head + one + two[:40], 1, "is cut off", []string{first}},
		"cut off, and joined":      {head + one + head + two + end, 1, "is cut off", []string{first, second}},
		"joined":                   {head + one + end + head + two + end, 0, "", []string{first, second}},
		"one in the other":         {head + head + one + end + two + end, 0, "", []string{first, second}},
		"an event without its end": {head + unended + two + end, 1, "no END:VEVENT", []string{second}},
		"a zone without its end":   {head + "BEGIN:VTIMEZONE|TZID:x|" + one + end, 0, "", []string{first}},
		"a task without its end":   {head + "BEGIN:VTODO|UID:x|" + one + two + end, 0, "", []string{first, second}},
		"an alarm without its end": {
			head + strings.Replace(one, "END:VEVENT", "BEGIN:VALARM|END:VEVENT", 1) + two + end,
			1,
			"ends VEVENT before VALARM",
			[]string{second},
		},
	} {
		for _, newline := range []string{"\r\n", "\n", "\r"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				file := tempFile(t, "calendar.ics", strings.ReplaceAll(c.text, "|", newline))
				status, _, errs := runImport(t, "-data", dir, file)
				if status != c.status || !strings.Contains(errs, c.errs) {
					t.Errorf("%q: status %d, %s", newline, status, errs)
				}
				wantHeld(t, dir, "events", c.want...)
			})
		}
	}
}
