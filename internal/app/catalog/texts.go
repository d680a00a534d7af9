// Package catalog is the message catalogue of the server: notifications, deal timelines and emails.
// The database stores a kind and its parameters; they are rendered in the reader's language when
// read.
package catalog

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"amanat/internal/lib/clock"
)

// Kind identifies a message.
type Kind string

// Params are the values of a message's {placeholders}, formatted: amounts as "480.00". Times, {at}
// and {until}, are RFC 3339.
type Params map[string]string

// Supported languages.
const (
	English = "en"
	Bangla  = "bn"
)

// Render returns the message of a kind in a language, English if the language is unknown. An
// unknown kind, which only a newer process can have written, gives "".
func Render(lang string, kind Kind, params Params) string {
	words := find(kind).in(lang)
	if params[TitleParam] == "" {
		words = strings.ReplaceAll(words, untitled, "")
	}
	pairs := make([]string, 0, 2*len(params))
	for name, value := range params {
		switch {
		case !freeText[name] && isFigure(value), counts[name]:
			value = figure(lang, name, value)
		case name == "at" || name == "until":
			value = moment(lang, value)
		case methods[value] != text{} && name == "method":
			value = methods[value].in(lang)
		}
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(words)
}

// TitleParam is the title of the deal that a message is about.
const TitleParam = "title"

// Titled reports whether a message names its deal.
func Titled(kind Kind) bool { return strings.Contains(find(kind).en, untitled) }

// untitled is what a message leaves out if it has no title: messages stored before deals were named
// in them, and deals without a description.
const untitled = " “{title}”"

// methods are the brand names of the payment methods, by their values in the API.
var methods = map[string]text{"Bkash": {"bKash", "বিকাশ"}, "Nagad": {"Nagad", "নগদ"}}

// freeText lists the parameters that users write. They are not figures, even if they look like one.
var freeText = map[string]bool{
	TitleParam: true, "username": true, "note": true, "reason": true, "subject": true, "name": true, "admin": true,
	"shipment": true,
}

// counts lists the parameters that are whole numbers of more than one digit.
var counts = map[string]bool{"days": true, "inspectionDays": true, "completed": true, "finished": true, "page": true}

// find returns the message of a kind in all languages; empty for an unknown kind.
func find(kind Kind) text {
	for _, catalogue := range catalogues() {
		if words, here := catalogue[kind]; here {
			return words
		}
	}
	return text{}
}

// catalogues returns all messages: each kind is in one of the maps.
func catalogues() []map[Kind]text {
	return []map[Kind]text{
		notices, timeline, counteroffers, disputes, suspensions, security, decisions, personal, sharing, statements, mails, invites,
		pushes,
	}
}

type text struct{ en, bn string }

func (t text) in(language string) string {
	if language == Bangla {
		return t.bn
	}
	return t.en
}

// isFigure recognises amounts and single digits. Phone numbers and ids, which users copy, keep
// their digits.
func isFigure(s string) bool {
	return (strings.Contains(s, ".") || len(s) == 1) && strings.Trim(s, "0123456789.") == ""
}

// Number printers: dollars in thousands in English, taka in lakh, and Bangla digits in Bangla.
var (
	english = message.NewPrinter(language.English)
	taka    = message.NewPrinter(language.MustParse("en-IN"))
	bangla  = message.NewPrinter(language.Bengali)
)

// figure formats a number as the UI does: grouped, and whole taka without decimals.
func figure(lang, name, value string) string {
	n, err := strconv.ParseFloat(value, 64) // exact to the cent up to 90 trillion
	if err != nil {
		return value
	}
	printer := english
	_, decimals, _ := strings.Cut(value, ".")
	scale := len(decimals)
	if name == "taka" {
		printer = taka
		if n == math.Trunc(n) {
			scale = 0
		}
	}
	if lang == Bangla {
		printer = bangla
	}
	return printer.Sprint(number.Decimal(n, number.Scale(scale)))
}

// InList is the number of characters of a long text in a list; the resource itself has the whole
// text. SQL reads one more, so that Shorten can tell whether the text is longer.
const InList = 300

const (
	ellipsis  = '…'
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	hasanta   = '\u09cd' // joins two Bangla consonants
	// maxGrapheme bounds how far Shorten looks for the start of a grapheme cluster.
	maxGrapheme = 16
)

// titleLength is the number of characters of a deal's title in messages.
const titleLength = 60

// DealTitle returns the first line of a deal's description, shortened, for messages about the deal.
func DealTitle(description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	return Shorten(strings.TrimSpace(line), titleLength)
}

// Shorten returns a text of at most the given number of characters: the text itself, or its start
// with an ellipsis. It does not split grapheme clusters, such as a consonant with its vowel sign.
func Shorten(text string, most int) string {
	if len(text) <= most { // no more characters than bytes
		return text
	}
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	end := most - 1
	for end > 1 && most-end < maxGrapheme && (insideGrapheme(runes[end-1], runes[end]) || insideFlag(runes, end)) {
		end--
	}
	for end > 1 && unicode.IsSpace(runes[end-1]) {
		end--
	}
	return string(runes[:end]) + string(ellipsis)
}

// insideGrapheme reports whether two characters belong to one grapheme cluster.
func insideGrapheme(before, after rune) bool {
	switch {
	case before == joiner, before == hasanta, after == joiner, after == nonJoiner:
		return true
	case after >= '\U0001F3FB' && after <= '\U0001F3FF': // skin tones
		return true
	case after >= '\U000E0020' && after <= '\U000E007F': // the letters of a flag such as Scotland's
		return true
	}
	return unicode.Is(unicode.M, after)
}

// insideFlag reports whether a position is between the two letters of a country's flag.
func insideFlag(runes []rune, at int) bool {
	letters := 0
	for letters < at && unicode.Is(unicode.Regional_Indicator, runes[at-1-letters]) {
		letters++
	}
	return letters%2 == 1 && unicode.Is(unicode.Regional_Indicator, runes[at])
}

var banglaMonths = [...]string{
	"জানুয়ারি", "ফেব্রুয়ারি", "মার্চ", "এপ্রিল", "মে", "জুন", "জুলাই", "আগস্ট", "সেপ্টেম্বর", "অক্টোবর", "নভেম্বর", "ডিসেম্বর",
}

// moment formats an RFC 3339 time for users in Dhaka, and returns anything else unchanged.
func moment(lang, value string) string {
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return value
	}
	at = at.In(clock.Dhaka)
	if lang != Bangla {
		return at.Format("2 Jan 2006, 15:04")
	}
	day, year := strconv.Itoa(at.Day()), strconv.Itoa(at.Year())
	return banglaDigits(day) + " " + banglaMonths[at.Month()-1] + " " + banglaDigits(year) + ", " +
		partOfDay(at.Hour()) + " " + banglaDigits(at.Format("3:04"))
}

// partOfDay returns what Bangla says before an hour of the clock, as ui/src/lib/time.ts does.
func partOfDay(hour int) string {
	switch {
	case hour >= 20 || hour < 4:
		return "রাত"
	case hour >= 18:
		return "সন্ধ্যা"
	case hour >= 16:
		return "বিকেল"
	case hour >= 12:
		return "দুপুর"
	case hour >= 6:
		return "সকাল"
	}
	return "ভোর"
}

func banglaDigits(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if r >= '0' && r <= '9' {
			runes[i] = r - '0' + '০'
		}
	}
	return string(runes)
}

// Outcome is what a call has done: its text for the user in English, and a code by which programs
// decide and render it in another language. Each is declared as a literal:
// internal/devtools/sentences lists them.
type Outcome struct {
	Message string `json:"message" doc:"Text for the user." example:"Done."`
	Code    string `json:"outcome,omitempty" doc:"What the message says, for programs." example:"done"`
}
