// Package texts is the catalogue of what the server says to people about things that happened: notifications, the timeline of a deal,
// e-mails. Rows keep a kind and its parameters; the words are chosen when they are read, in the reader's language.
package texts

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Kind names a text.
type Kind string

// Params are the values of a text's {placeholders}, already formatted: amounts as "480.00".
type Params map[string]string

// Languages of the product.
const (
	English = "en"
	Bangla  = "bn"
)

// Render returns the text of a kind in a language, English where the language is unknown. A kind that is not in the catalogue, which
// only a newer process can have written, gives "".
func Render(lang string, kind Kind, params Params) string {
	found, isNotice := notices[kind]
	if !isNotice {
		found = mails[kind]
	}
	pairs := make([]string, 0, 2*len(params))
	for name, value := range params {
		if isFigure(value) {
			value = figure(lang, name, value)
		}
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(found.in(lang))
}

type text struct{ en, bn string }

func (t text) in(language string) string {
	if language == Bangla {
		return t.bn
	}
	return t.en
}

// isFigure recognises amounts and single digits. Phone numbers and ids, which people copy, stay in the digits they were written in.
func isFigure(s string) bool {
	return (strings.Contains(s, ".") || len(s) == 1) && strings.Trim(s, "0123456789.") == ""
}

// Printers of figures: dollars in thousands in English, taka in lakh everywhere, and Bangla digits in Bangla.
var (
	english = message.NewPrinter(language.English)
	taka    = message.NewPrinter(language.MustParse("en-IN"))
	bangla  = message.NewPrinter(language.Bengali)
)

// figure writes a figure as the UI does: grouped, and whole taka without decimals.
func figure(lang, name, value string) string {
	n, err := strconv.ParseFloat(value, 64) // to the cent exact up to 90 trillion
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
