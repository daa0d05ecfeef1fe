package rrule_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/text/rrule"
)

// dates expands a list of dates as RFC 5545 writes them: "1997 Sep 2,9 Oct 7-9".
// Each has the times of day in clock.
func dates(t *testing.T, list, clock string) []string {
	t.Helper()
	var all []string
	year := ""
	month := time.Month(0)
	for word := range strings.FieldsSeq(list) {
		if regexp.MustCompile(`^\d{4}$`).MatchString(word) {
			year = word
			continue
		}
		if m, err := time.Parse("Jan", word); err == nil {
			month = m.Month()
			continue
		}
		for days := range strings.SplitSeq(word, ",") {
			first, last, ok := strings.Cut(days, "-")
			if !ok {
				last = first
			}
			a, errA := strconv.Atoi(first)
			z, errZ := strconv.Atoi(last)
			if errA != nil || errZ != nil {
				t.Fatalf("%q in %q is no day", days, list)
			}
			for d := a; d <= z; d++ {
				for at := range strings.FieldsSeq(clock) {
					all = append(all, fmt.Sprintf("%s-%02d-%02d %s", year, month, d, at))
				}
			}
		}
	}
	return all
}

const nine = "09:00"

// rfcExamples are the examples of RFC 5545, sections 3.3.10 and 3.8.5.3. A list that
// ends in "…" goes on. Start is a local time of New York.
var rfcExamples = []struct{ start, rules, want, clock string }{
	// Section 3.3.10. It gives no start for these.
	{
		"19970930T090000",
		"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
		"1997 Sep 30 Oct 31 Nov 28 Dec 31 1998 Jan 30 Feb 27 …",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=DAILY;COUNT=10;INTERVAL=2",
		"1997 Sep 2,4,6,8,10,12,14,16,18,20",
		nine,
	},
	{"19970105T083000", "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30",
		"1997 Jan 5,12,19,26 1999 Jan 3,10,17,24,31 2001 Jan 7 …", "08:30 09:30"},
	{
		"20070115T090000",
		"FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
		"2007 Jan 15,30 Feb 15 Mar 15,30",
		nine,
	},

	// Section 3.8.5.3, in its order.
	{"19970902T090000", "FREQ=DAILY;COUNT=10", "1997 Sep 2-11", nine},
	{
		"19970902T090000",
		"FREQ=DAILY;UNTIL=19971224T000000Z",
		"1997 Sep 2-30 Oct 1-31 Nov 1-30 Dec 1-23",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=DAILY;INTERVAL=2",
		"1997 Sep 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 " +
			"Oct 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 Nov 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29 Dec 1,3 …",
		nine,
	},
	{"19970902T090000", "FREQ=DAILY;INTERVAL=10;COUNT=5", "1997 Sep 2,12,22 Oct 2,12", nine},
	{"19980101T090000", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
		"1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31", nine},
	{
		"19980101T090000",
		"FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
		"1998 Jan 1-31 1999 Jan 1-31 2000 Jan 1-31",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=WEEKLY;COUNT=10",
		"1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=WEEKLY;UNTIL=19971224T000000Z",
		"1997 Sep 2,9,16,23,30 Oct 7,14,21,28 Nov 4,11,18,25 Dec 2,9,16,23",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=WEEKLY;INTERVAL=2;WKST=SU",
		"1997 Sep 2,16,30 Oct 14,28 Nov 11,25 Dec 9,23 1998 Jan 6,20 Feb 3,17 …",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
		"1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
		"1997 Sep 2,4,9,11,16,18,23,25,30 Oct 2",
		nine,
	},
	{"19970901T090000", "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
		"1997 Sep 1,3,5,15,17,19,29 Oct 1,3,13,15,17,27,29,31 " +
			"Nov 10,12,14,24,26,28 Dec 8,10,12,22", nine},
	{
		"19970902T090000",
		"FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
		"1997 Sep 2,4,16,18,30 Oct 2,14,16",
		nine,
	},
	{
		"19970905T090000",
		"FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
		"1997 Sep 5 Oct 3 Nov 7 Dec 5 1998 Jan 2 Feb 6 Mar 6 Apr 3 May 1 Jun 5",
		nine,
	},
	{
		"19970905T090000",
		"FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
		"1997 Sep 5 Oct 3 Nov 7 Dec 5",
		nine,
	},
	{
		"19970907T090000",
		"FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
		"1997 Sep 7,28 Nov 2,30 1998 Jan 4,25 Mar 1,29 May 3,31",
		nine,
	},
	{
		"19970922T090000",
		"FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
		"1997 Sep 22 Oct 20 Nov 17 Dec 22 1998 Jan 19 Feb 16",
		nine,
	},
	{
		"19970928T090000",
		"FREQ=MONTHLY;BYMONTHDAY=-3",
		"1997 Sep 28 Oct 29 Nov 28 Dec 29 1998 Jan 29 Feb 26 …",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
		"1997 Sep 2,15 Oct 2,15 Nov 2,15 Dec 2,15 1998 Jan 2,15",
		nine,
	},
	{
		"19970930T090000",
		"FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
		"1997 Sep 30 Oct 1,31 Nov 1,30 Dec 1,31 1998 Jan 1,31 Feb 1",
		nine,
	},
	{
		"19970910T090000",
		"FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
		"1997 Sep 10-15 1999 Mar 10-13",
		nine,
	},
	{"19970902T090000", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
		"1997 Sep 2,9,16,23,30 Nov 4,11,18,25 1998 Jan 6,13,20,27 Mar 3,10,17,24,31 …", nine},
	{"19970610T090000", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
		"1997 Jun 10 Jul 10 1998 Jun 10 Jul 10 1999 Jun 10 Jul 10 2000 Jun 10 Jul 10 2001 Jun 10 Jul 10", nine},
	{
		"19970310T090000",
		"FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
		"1997 Mar 10 1999 Jan 10 Feb 10 Mar 10 2001 Jan 10 Feb 10 Mar 10 " +
			"2003 Jan 10 Feb 10 Mar 10",
		nine,
	},
	{
		"19970101T090000",
		"FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
		"1997 Jan 1 Apr 10 Jul 19 2000 Jan 1 Apr 9 Jul 18 " +
			"2003 Jan 1 Apr 10 Jul 19 2006 Jan 1",
		nine,
	},
	{"19970519T090000", "FREQ=YEARLY;BYDAY=20MO", "1997 May 19 1998 May 18 1999 May 17 …", nine},
	{
		"19970512T090000",
		"FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
		"1997 May 12 1998 May 11 1999 May 17 …",
		nine,
	},
	{
		"19970313T090000",
		"FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
		"1997 Mar 13,20,27 1998 Mar 5,12,19,26 1999 Mar 4,11,18,25 …",
		nine,
	},
	{
		"19970605T090000",
		"FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
		"1997 Jun 5,12,19,26 Jul 3,10,17,24,31 Aug 7,14,21,28 " +
			"1998 Jun 4,11,18,25 Jul 2,9,16,23,30 Aug 6,13,20,27 1999 Jun 3,10,17,24 Jul 1,8,15,22,29 Aug 5,12,19,26 …",
		nine,
	},
	{
		"19970902T090000",
		"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13\nEXDATE;TZID=America/New_York:19970902T090000",
		"1998 Feb 13 Mar 13 Nov 13 1999 Aug 13 2000 Oct 13 …",
		nine,
	},
	{
		"19970913T090000",
		"FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
		"1997 Sep 13 Oct 11 Nov 8 Dec 13 " +
			"1998 Jan 10 Feb 7 Mar 7 Apr 11 May 9 Jun 13 …",
		nine,
	},
	{
		"19961105T090000",
		"FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
		"1996 Nov 5 2000 Nov 7 2004 Nov 2 …",
		nine,
	},
	{
		"19970904T090000",
		"FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
		"1997 Sep 4 Oct 7 Nov 6",
		nine,
	},
	{"19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
		"1997 Sep 29 Oct 30 Nov 27 Dec 30 1998 Jan 29 Feb 26 Mar 30 …", nine},
	// The RFC adds 15:00, but 17:00 in UTC is 13:00 in New York: erratum 3883 says 21:00.
	{
		"19970902T090000",
		"FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
		"1997 Sep 2",
		"09:00 12:00",
	},
	{
		"19970902T090000",
		"FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
		"1997 Sep 2",
		"09:00 12:00 15:00",
	},
	{
		"19970902T090000",
		"FREQ=MINUTELY;INTERVAL=15;COUNT=6",
		"1997 Sep 2",
		"09:00 09:15 09:30 09:45 10:00 10:15",
	},
	{
		"19970902T090000",
		"FREQ=MINUTELY;INTERVAL=90;COUNT=4",
		"1997 Sep 2",
		"09:00 10:30 12:00 13:30",
	},
	{
		"19970902T090000",
		"FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
		"1997 Sep 2,3 …",
		"09:00 09:20 09:40 " +
			"10:00 10:20 10:40 11:00 11:20 11:40 12:00 12:20 12:40 13:00 13:20 13:40 14:00 14:20 14:40 15:00 15:20 15:40 16:00 16:20 16:40",
	},
	{
		"19970902T090000",
		"FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
		"1997 Sep 2,3 …",
		"09:00 09:20 09:40 " +
			"10:00 10:20 10:40 11:00 11:20 11:40 12:00 12:20 12:40 13:00 13:20 13:40 14:00 14:20 14:40 15:00 15:20 15:40 16:00 16:20 16:40",
	},
	{
		"19970805T090000",
		"FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
		"1997 Aug 5,10,19,24",
		nine,
	},
	{
		"19970805T090000",
		"FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
		"1997 Aug 5,17,19,31",
		nine,
	},
}

func TestRFCExamples(t *testing.T) {
	t.Parallel()
	for _, tt := range rfcExamples {
		list, endless := strings.CutSuffix(tt.want, "…")
		text := "DTSTART;TZID=America/New_York:" + tt.start + "\nRRULE:" + tt.rules
		checkDates(t, text, "2006-01-02 15:04", dates(t, list, tt.clock), endless)
	}
}

// checkDates compares the dates of a set with want. An endless set goes on after these.
func checkDates(t *testing.T, text, layout string, want []string, endless bool) {
	t.Helper()
	s, err := rrule.ParseSet(text, time.LoadLocation)
	if err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	var got []string
	for date := range s.All() {
		if endless && len(got) == len(want) {
			break
		}
		got = append(got, date.Format(layout))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want, +got):\n%s", text, diff)
	}
}

// The examples of sections 3.3.5, 3.8.5.1 and 3.8.5.2, around a rule each.
func TestRFCLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"DTSTART:19960401T010000Z\nRRULE:FREQ=DAILY;COUNT=5\nEXDATE:19960402T010000Z,19960403T010000Z,19960404T010000Z",
			"1996-04-01T01:00:00Z 1996-04-05T01:00:00Z"},
		{"DTSTART:19970701T123000Z\nRDATE:19970714T123000Z", "1997-07-01T12:30:00Z 1997-07-14T12:30:00Z"},
		{"DTSTART;TZID=America/New_York:19970701T083000\nRDATE;TZID=America/New_York:19970714T083000",
			"1997-07-01T08:30:00-04:00 1997-07-14T08:30:00-04:00"},
		{"DTSTART;TZID=Europe/Berlin:19970701T083000\nRDATE;TZID=America/New_York:19970714T083000",
			"1997-07-01T08:30:00+02:00 1997-07-14T14:30:00+02:00"},
		{"DTSTART;VALUE=DATE:19970101\nRDATE;VALUE=DATE:19970101,19970120,19970217,19970421,\n" +
			" 19970526,19970704,19970901,19971014,19971128,19971129,19971225",
			"1997-01-01T00:00:00Z 1997-01-20T00:00:00Z 1997-02-17T00:00:00Z 1997-04-21T00:00:00Z 1997-05-26T00:00:00Z 1997-07-04T00:00:00Z " +
				"1997-09-01T00:00:00Z 1997-10-14T00:00:00Z 1997-11-28T00:00:00Z 1997-11-29T00:00:00Z 1997-12-25T00:00:00Z"},
		// 1:30 happens twice on this day: it is the first; 2:30 does not: it is read with the
		// offset before.
		{"DTSTART;TZID=America/New_York:20071104T013000", "2007-11-04T01:30:00-04:00"},
		{"DTSTART;TZID=America/New_York:20070311T023000", "2007-03-11T03:30:00-04:00"},
		{"DTSTART;TZID=America/New_York:20070310T023000\nRRULE:FREQ=DAILY;COUNT=3",
			"2007-03-10T02:30:00-05:00 2007-03-11T03:30:00-04:00 2007-03-12T02:30:00-04:00"},
		{"DTSTART;TZID=America/New_York:20070311T013000\nRRULE:FREQ=MINUTELY;INTERVAL=30;COUNT=7",
			"2007-03-11T01:30:00-05:00 2007-03-11T03:00:00-04:00 2007-03-11T03:30:00-04:00 2007-03-11T04:00:00-04:00 2007-03-11T04:30:00-04:00"},
		{"DTSTART;TZID=America/New_York:20071104T003000\nRRULE:FREQ=HOURLY;COUNT=4",
			"2007-11-04T00:30:00-04:00 2007-11-04T01:30:00-04:00 2007-11-04T02:30:00-05:00 2007-11-04T03:30:00-05:00"},
		// Without a time: an EXDATE takes the day away, an RDATE has the time of the start.
		{"DTSTART;TZID=Europe/Berlin:20261222T193000\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;VALUE=DATE:20261229\nRDATE;VALUE=DATE:20261230",
			"2026-12-22T19:30:00+01:00 2026-12-30T19:30:00+01:00 2027-01-05T19:30:00+01:00"},
		// A zone that skips a day, and the leap second.
		{"DTSTART;TZID=Pacific/Apia:20111228T100000\nRRULE:FREQ=DAILY;COUNT=5",
			"2011-12-28T10:00:00-10:00 2011-12-29T10:00:00-10:00 2011-12-31T10:00:00+14:00 2012-01-01T10:00:00+14:00"},
		{"DTSTART:20161231T235960Z", "2016-12-31T23:59:59Z"},
		{"DTSTART:20161231T235958\nRRULE:FREQ=MINUTELY;COUNT=3;BYSECOND=58,59,60",
			"2016-12-31T23:59:58Z 2016-12-31T23:59:59Z 2017-01-01T00:00:58Z"},
	} {
		checkDates(t, tt.text, time.RFC3339, strings.Fields(tt.want), false)
	}
}
