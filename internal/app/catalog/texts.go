// Package catalog is the message catalogue of the server: notifications, deal timelines and emails.
// The database stores a kind and its parameters; they are rendered in the reader's language when
// read.
package catalog

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
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
