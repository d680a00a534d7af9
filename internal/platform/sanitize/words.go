// Package sanitize cleans the texts that people write for others to read.
package sanitize

import (
	"strings"
	"unicode"
)

// Joiners of letters: Bangla spells with both, and emoji are put together with the second.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// blanks are drawn as nothing, although Unicode counts them as letters and signs.
var blanks = map[rune]bool{
	'\u115f': true, '\u1160': true, '\u3164': true, '\uffa0': true, // fillers of Hangul
	'\u2800': true, // a pattern of Braille without dots
}

// Text returns a text without what nobody sees: characters that turn the direction of writing or format in silence, and blanks at both
// ends. A text in which nothing can be seen is "".
func Text(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if silent(r) {
			return -1
		}
		return r
	}, s))
	if !strings.ContainsFunc(s, visible) {
		return ""
	}
	return s
}

// Line is Text for a text of one line: breaks and other blanks become single spaces.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(Text(s), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// silent tells whether a character has an effect but no form. The few of its category that are drawn, as before Arabic numbers, stay.
func silent(r rune) bool {
	return unicode.Is(unicode.Cf, r) && r != zeroWidthNonJoiner && r != zeroWidthJoiner &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

func visible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Prepended_Concatenation_Mark) && !blanks[r]
}
