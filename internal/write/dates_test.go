// Tests of the dates and zones of an event.

package write_test

import "testing"

func TestDates(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{name: "an offset does not count",
			send: `{"start_date":"2031-05-01T10:00:00Z","end_date":"2031-05-01 12:00 Europe/Paris","timezone":"Asia/Tokyo"}`,
			want: `{"start_date":"2031-05-01 10:00:00","utc_start_date":"2031-05-01 01:00:00","utc_end_date":"2031-05-01 03:00:00"}`},
		{name: "the clock of a timestamp is UTC's", send: `{"start_date":"1935000000","end_date":"1935003600"}`,
			want: `{"start_date":"2031-04-26 20:00:00","utc_start_date":"2031-04-27 00:00:00"}`},
		{name: "words are about the event's zone", send: `{"start_date":"tomorrow","end_date":"tomorrow 9am","timezone":"Asia/Tokyo"}`,
			want: `{"start_date":"2026-11-22 00:00:00","end_date":"2026-11-22 09:00:00"}`},
		{name: "a day begins at midnight", send: `{"start_date":"2031-05-10","end_date":"2031-05-11"}`,
			want: `{"start_date":"2031-05-10 00:00:00","end_date":"2031-05-11 00:00:00"}`},
		{name: "whole days", send: `{"start_date":"2031-07-04 13:00","end_date":"2031-07-05 14:30","all_day":true}`,
			want: `{"start_date":"2031-07-04 00:00:00","end_date":"2031-07-05 23:59:59"}`},
		{name: "a whole day in UTC", send: `{"start_date":"2031-07-14","end_date":"2031-07-14","all_day":true,"timezone":"Europe/Paris"}`,
			want: `{"utc_start_date":"2031-07-13 22:00:00","utc_end_date":"2031-07-14 21:59:59"}`},
		{name: "an hour that is skipped", send: `{"start_date":"2031-03-09 02:30","end_date":"2031-03-09 04:00"}`,
			want: `{"start_date":"2031-03-09 03:30:00","utc_start_date":"2031-03-09 07:30:00"}`},
		{name: "an hour that is repeated", send: `{"start_date":"2031-11-02 01:30","end_date":"2031-11-02 01:45"}`,
			want: `{"utc_start_date":"2031-11-02 05:30:00"}`},
		{name: "end before start", send: `{"end_date":"2031-05-10 08:00"}`,
			want: `{"end_date":"2031-05-10 10:00:00","utc_end_date":"2031-05-10 14:00:00"}`},
		{name: "end at start", send: `{"end_date":"2031-05-10 10:00"}`, want: `{"end_date":"2031-05-10 10:00:00"}`},
		{name: "a day past the month", send: `{"start_date":"2031-02-30","end_date":"2031-03-05"}`, want: `{"start_date":"2031-03-02 00:00:00"}`},
		{name: "the epoch", send: `{"start_date":"1970-01-01 00:00:00","timezone":"UTC"}`, want: `{"utc_start_date":"1970-01-01 00:00:00"}`},
		{name: "the last second", send: `{"start_date":"9999-12-31 23:59:59","end_date":"9999-12-31 23:59:59"}`,
			want: `{"start_date":"9999-12-31 23:59:59"}`},
		{name: "no date", send: `{"start_date":"bad"}`, want: "400 rest_invalid_param start_date"},
		{name: "no month", send: `{"start_date":"2031-13-01"}`, want: "400 rest_invalid_param start_date"},
		{name: "no hour", send: `{"end_date":"2031-05-10 25:00"}`, want: "400 rest_invalid_param end_date"},
		{name: "no year", send: `{"start_date":"0000-01-01"}`, want: "400 rest_invalid_param start_date"},
		{name: "empty", send: `{"start_date":""}`, want: "400 rest_invalid_param start_date"},
		{name: "true", send: `{"start_date":true}`, want: "400 rest_invalid_param start_date"},
		{name: "number", send: `{"start_date":1935000000}`, want: "400 rest_invalid_param start_date, type"},

		{name: "date is the site's, whatever the zone", send: `{"date":"2026-01-02 10:00:00","timezone":"Asia/Tokyo"}`,
			want: `{"date":"2026-01-02 10:00:00","date_utc":"2026-01-02 15:00:00"}`},
		{name: "date in UTC", send: `{"date_utc":"2026-01-02 10:00:00"}`,
			want: `{"date":"2026-01-02 05:00:00","date_utc":"2026-01-02 10:00:00"}`},
		{name: "both dates", send: `{"date":"2026-01-02 05:00:00","date_utc":"2026-01-02 10:00:00"}`,
			want: `{"date":"2026-01-02 05:00:00","date_utc":"2026-01-02 10:00:00"}`},
		{name: "dates that disagree: UTC counts", send: `{"date":"2026-01-02 05:00:00","date_utc":"2026-05-02 10:00:00"}`,
			want: `{"date":"2026-05-02 06:00:00","date_utc":"2026-05-02 10:00:00"}`},
		{name: "date empty", send: `{"date":""}`, want: "400 rest_invalid_param date"},
		{name: "date a number", send: `{"date_utc":1770000000}`, want: "400 rest_invalid_param date_utc, type"},
	})
}

func TestZones(t *testing.T) {
	t.Parallel()
	play(t, nil, "POST /events", gala, []row{
		{name: "empty", send: `{"timezone":""}`, want: `{"timezone":"America/New_York","timezone_abbr":"EDT"}`},
		{name: "any case", send: `{"timezone":"europe/PARIS"}`,
			want: `{"timezone":"Europe/Paris","timezone_abbr":"CEST","utc_start_date":"2031-05-10 08:00:00"}`},
		{name: "alias", send: `{"timezone":"EST"}`, want: `{"timezone":"EST","timezone_abbr":"EST","utc_start_date":"2031-05-10 15:00:00"}`},
		{name: "hours", send: `{"timezone":"UTC+2"}`,
			want: `{"timezone":"UTC+2","timezone_abbr":"UTC+2","utc_start_date":"2031-05-10 08:00:00"}`},
		{name: "hours west", send: `{"timezone":"UTC-5"}`, want: `{"utc_start_date":"2031-05-10 15:00:00"}`},
		{name: "half hours", send: `{"timezone":"UTC+5.5"}`, want: `{"timezone":"UTC+5.5","utc_start_date":"2031-05-10 04:30:00"}`},
		{name: "minutes", send: `{"timezone":"UTC+5:30"}`, want: `{"timezone":"UTC+5:30","utc_start_date":"2031-05-10 04:30:00"}`},
		{name: "offset", send: `{"timezone":"+02:00"}`, want: `{"timezone":"+02:00","timezone_abbr":"GMT+0200"}`},
		{name: "offset without colon", send: `{"timezone":"+0200"}`,
			want: `{"timezone":"+02:00","timezone_abbr":"GMT+0200","utc_start_date":"2031-05-10 08:00:00"}`},
		{name: "offset of hours", send: `{"timezone":"-05"}`, want: `{"timezone":"-05:00","utc_start_date":"2031-05-10 15:00:00"}`},
		{name: "Z", send: `{"timezone":"Z"}`, want: `{"timezone":"UTC","timezone_abbr":"UTC","utc_start_date":"2031-05-10 10:00:00"}`},
		{name: "UTC+2 after a form", send: `{"timezone":"UTC 2"}`, want: `{"timezone":"UTC+2","utc_start_date":"2031-05-10 08:00:00"}`},
		{name: "abbreviation", send: `{"timezone":"EDT"}`, want: "400 rest_invalid_param timezone"},
		{name: "the furthest east", send: `{"timezone":"UTC+14"}`, want: `{"utc_start_date":"2031-05-09 20:00:00"}`},
		{name: "too far east", send: `{"timezone":"UTC+15"}`, want: "400 rest_invalid_param timezone"},
		{name: "no offset", send: `{"timezone":"UTC+abc"}`, want: "400 rest_invalid_param timezone"},
		{name: "unknown", send: `{"timezone":"Mars/Phobos"}`, want: "400 rest_invalid_param timezone"},
		{name: "number", send: `{"timezone":5}`, want: "400 rest_invalid_param timezone"},
	})
}
