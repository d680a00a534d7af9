// Package texts is the catalogue of what the server says to people about things that happened: notifications, the timeline of a deal,
// e-mails. Rows keep a kind and its parameters; the words are chosen when they are read, in the reader's language.
package texts

import "strings"

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
func Render(language string, kind Kind, params Params) string {
	found, isNotice := notices[kind]
	if !isNotice {
		found = mails[kind]
	}
	text := found.in(language)
	if language == Bangla {
		return replace(text, params, banglaDigits)
	}
	return replace(text, params, func(s string) string { return s })
}

type text struct{ en, bn string }

func (t text) in(language string) string {
	if language == Bangla {
		return t.bn
	}
	return t.en
}

func replace(text string, params Params, figures func(string) string) string {
	pairs := make([]string, 0, 2*len(params))
	for name, value := range params {
		if isFigure(value) {
			value = figures(value)
		}
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// isFigure recognises amounts and single digits. Phone numbers and ids, which people copy, stay in the digits they were written in.
func isFigure(s string) bool {
	return (strings.Contains(s, ".") || len(s) == 1) && strings.Trim(s, "0123456789.") == ""
}

func banglaDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '০' + r - '0'
		}
		return r
	}, s)
}
