// Abbreviations of zones: letters that several zones share, and which of them
// may be meant.

package caltime

import (
	"errors"
	"strings"
	"sync"
)

// abbreviationList has an abbreviation a line, and zones that it is in force in:
// one for each country or each possible offset. Abbreviations that are IANA names
// themselves are missing. TestAbbreviations compares it with the database.
const abbreviationList = `
ACDT Australia/Adelaide
ACST Australia/Adelaide Australia/Darwin
ADT America/Halifax Atlantic/Bermuda
AEDT Australia/Sydney Australia/Melbourne Australia/Hobart
AEST Australia/Sydney Australia/Melbourne Australia/Brisbane
AKDT America/Anchorage
AKST America/Anchorage
AST America/Halifax America/Puerto_Rico Atlantic/Bermuda
AWST Australia/Perth
BST Europe/London
CAT Africa/Maputo Africa/Harare Africa/Windhoek
CDT America/Chicago America/Winnipeg America/Havana
CEST Europe/Paris Europe/Berlin Europe/Madrid Europe/Rome
ChST Pacific/Guam
CST America/Chicago America/Winnipeg America/Mexico_City America/Havana Asia/Shanghai Asia/Taipei
EAT Africa/Nairobi Africa/Addis_Ababa
EDT America/New_York America/Toronto America/Nassau
EEST Europe/Athens Europe/Helsinki Europe/Kyiv Africa/Cairo Asia/Beirut
HDT America/Adak
HKT Asia/Hong_Kong
IDT Asia/Jerusalem
IST Asia/Kolkata Europe/Dublin Asia/Jerusalem
JST Asia/Tokyo
KST Asia/Seoul Asia/Pyongyang
MDT America/Denver America/Edmonton
MSK Europe/Moscow
NDT America/St_Johns
NST America/St_Johns
NZDT Pacific/Auckland
NZST Pacific/Auckland
PDT America/Los_Angeles America/Vancouver America/Tijuana
PKT Asia/Karachi
PST America/Los_Angeles America/Vancouver America/Tijuana Asia/Manila
SAST Africa/Johannesburg
SST Pacific/Pago_Pago
WAT Africa/Lagos Africa/Kinshasa
WEST Europe/Lisbon Atlantic/Canary
WIB Asia/Jakarta
WIT Asia/Jayapura
WITA Asia/Makassar
`

// abbreviations maps abbreviations in upper case to names of zones.
var abbreviations = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(abbreviationList) {
		if fields := strings.Fields(line); len(fields) > 0 {
			m[strings.ToUpper(fields[0])] = fields[1:]
		}
	}
	return m
})

// errAbbreviation refuses an abbreviation with the zones it may mean; nil when
// the name is none. It is refused, as its letters are the time of half a year
// and at times that of several continents.
func errAbbreviation(name string) error {
	zones := abbreviations()[strings.ToUpper(name)]
	if zones == nil {
		return nil
	}
	text := strings.Join(zones[:len(zones)-1], ", ")
	last := zones[len(zones)-1]
	if text != "" {
		text += " or "
	}
	return errors.New(
		"this is an abbreviation and may mean " + text + last + "; give the name of the zone",
	)
}
