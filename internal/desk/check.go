// Checks of the form of an event: mistakes that the API would take for something else.

package desk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/internal/text/caltime"
	"almanac/internal/text/cost"
	"almanac/store"
)

// Values of the field that says whether visitors are told of a new date. A postponed event asks
// for one of them.
const (
	tellNow   = "1"
	tellNever = "no"
)

// checkTell asks whether a postponed event with a new date takes place then: its page said that no
// date is known. Where no date changed, there is nothing to tell.
func (p *page) checkTell(e *store.Event, f, was form) {
	isMoved := f["date"] != was["date"] || f["starts"] != was["starts"] || f["zone"] != was["zone"]
	switch {
	case isPostponed(e) && isMoved && f["tell"] != tellNow && f["tell"] != tellNever:
		p.reject("tell", "desk.tell-postponed")
	case f["tell"] == tellNow && !isMoved:
		p.reject("tell", "desk.tell-nothing")
	}
}

// checkCost complains about a cost beside the tick that there is none. Words that say the same are
// none: they are stored as they were typed.
func (p *page) checkCost(f form) {
	typed, err := cost.Parse(f["cost"])
	if f["free"] != "" && f["cost"] != "" && (err != nil || !typed.IsFreeForAll()) {
		p.reject("cost", "desk.free-or-cost")
	}
}

// checkFolds complains about fields that nothing would be made of, because another one is empty or
// says something else.
func (p *page) checkFolds(f, was form) {
	how := f["repeat"]
	days := f["dates"]
	until := ""
	if f["until"] != was["until"] {
		until = f["until"]
	}
	isWeekly := how == "fortnightly" || how == "weekly" || strings.HasPrefix(how, "FREQ=WEEKLY")
	isMonthly := how == "monthly" || strings.HasPrefix(how, "FREQ=MONTHLY")
	switch {
	case how == "" && f["weekdays"]+f["weeks"]+f["more"]+until+days != "":
		p.reject("repeat", "desk.how-often")
	case f["weekdays"] != "" && !isWeekly, f["weeks"] != "" && !isMonthly,
		how == "dates" && until != "", how != "dates" && days != "":
		p.reject("repeat", "desk.other-repeat")
	case how == "dates" && days == "" && was["first"] == "":
		p.reject("repeat", "desk.no-dates")
	}
	if f["open"] != "" && f["password"] != "" {
		p.reject("password", "desk.password-or-none")
	}
}

// yearsNear is how many years a date is at most away from today that nobody is asked about.
const yearsNear = 10

// checkYear asks once whether the days of an event that becomes public are meant, if they are over
// or far away: that may be a slip. Past dates of a series are usual.
func (p *page) checkYear(f form) {
	last := cmp.Or(f["last"], f["date"])
	if until := f["until"]; isDay(until) && until > last {
		last = until
	}
	first, err := time.Parse(time.DateOnly, f["date"])
	if err != nil || !isDay(last) || f["sure"] == f.Days() {
		return
	}
	today := p.Zone.Wall(p.Now)
	if zone, err := caltime.LoadZone(f["zone"]); err == nil {
		today = zone.Wall(p.Now)
	}
	years := today.Year() - first.Year()
	if first.AddDate(years, 0, 0).After(today) {
		years--
	}
	end, _ := time.Parse(time.DateOnly, last)
	isPast := f["repeat"] == "" && last < today.Format(time.DateOnly)
	switch {
	case end.After(today.AddDate(yearsNear, 0, 0)):
		p.reject("sure", "desk.far-ahead", "{date}", p.locale().Full(end))
	case years >= yearsNear || isPast && years > 1:
		p.reject("sure", "desk.is-past", "{ago}", p.Language.Count("desk.years-ago", years))
	case isPast:
		days := max(1, int(today.Sub(end)/(24*time.Hour)))
		p.reject("sure", "desk.is-past", "{ago}", p.Language.Count("desk.days-ago", days))
	}
}

// Days returns the days of a form, which the answer is about whether they are meant.
func (f form) Days() string {
	return f["date"] + "/" + f["last"] + "/" + f["until"]
}

// checkTimes complains about dates and times that do not exist or contradict each other, if the
// form has others than it had: the API would take some of them for something else.
func (p *page) checkTimes(f, was form) {
	isOther := func(name string) bool {
		return f[name] != was[name]
	}
	names := []string{"date", "starts", "ends", "last", "until", "dates", "more", "publish"}
	if was["date"] != "" && !slices.ContainsFunc(names, isOther) {
		return
	}
	first := time.Time{}
	isFirst := false
	if f["date"] == "" {
		p.reject("date", "desk.no-date")
	} else {
		first, isFirst = p.checkDay("date", f["date"])
	}
	for _, name := range []string{"last", "until"} {
		if f[name] == "" {
			continue
		}
		ofSeries := name == "until" && was["first"] != "" // it may have begun before the event
		day, ok := p.checkDay(name, f[name])
		if ok && isFirst && day.Before(first) && !ofSeries {
			p.reject(name, "desk.day-before")
		}
	}
	for _, moment := range items(f["more"], ",") {
		if !isMoment(moment) {
			p.reject("more", "desk.odd-date")
		}
	}
	days, err := strconv.Atoi(f["days"])
	if f["days"] != "" && (err != nil || days < 1 || days > daysMost) {
		p.complain("days")
	}
	for _, day := range items(f["dates"], ",") {
		p.checkDay("repeat", day)
	}
	areTimes := true
	for _, name := range []string{"starts", "ends"} {
		if _, err := time.Parse(timeLayout, f[name]); f[name] != "" && err != nil {
			p.reject(name, "desk.odd-time")
			areTimes = false
		}
	}
	endsEarly := areTimes && f["ends"] != "" && f["ends"] < f["starts"]
	switch {
	case f["starts"] == "" && f["ends"] != "":
		p.reject("starts", "desk.no-start")
	case endsEarly && f["last"] == f["date"]:
		p.reject("ends", "desk.end-before")
	case endsEarly && f["last"] == "" && hoursOverNight(f["starts"], f["ends"]) > 12:
		p.reject("ends", "desk.end-before")
	}
	if f["publish"] != "" && !isMoment(f["publish"]) {
		p.complain("publish")
	}
}

// checkDay returns the day of a field, or complains that there is none.
func (p *page) checkDay(field, text string) (day time.Time, ok bool) {
	day, err := time.Parse(time.DateOnly, text)
	if err == nil {
		return day, true
	}
	at := max(0, len(text)-len("-31"))
	month := text[:at]
	number := text[at:]
	first, err := time.Parse("2006-01", month)
	if err == nil && slices.Contains([]string{"-29", "-30", "-31"}, number) {
		count := p.locale().Number(first.AddDate(0, 1, -1).Day())
		p.reject(field, "desk.short-month", "{month}", p.locale().Month(first), "{count}", count)
	} else {
		p.reject(field, "desk.odd-date")
	}
	return day, false
}

// daysMost is how many days the form keeps for an event that is like another one.
const daysMost = 3660

// hoursOverNight returns how long an event takes that ends on the day after the first one. Longer
// than half a day is rather a slip: then the last day is to be named, too.
func hoursOverNight(starts, ends string) float64 {
	start, _ := time.Parse(timeLayout, starts)
	end, _ := time.Parse(timeLayout, ends)
	return 24 - start.Sub(end).Hours()
}
