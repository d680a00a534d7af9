// Package sanitize cleans texts that users write for other users.
package sanitize

import (
	"strings"
	"unicode"
)

// Zero-width joiners: Bangla spelling uses both, emoji sequences use the second.
const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// blanks are characters that Unicode counts as letters or symbols but that are drawn as nothing.
var blanks = map[rune]bool{
	'\u115f': true, '\u1160': true, '\u3164': true, '\uffa0': true, // Hangul fillers
	'\u2800': true, // Braille pattern without dots
}

// Text removes invisible format characters, such as those that change the writing direction, and
// trims white space. It returns "" if no visible character remains.
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

// Line is Text for a single line: runs of white space and control characters become single spaces.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(Text(s), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// silent reports whether a character is a format character that Text removes. Joiners and visible
// format characters, such as Arabic number signs, are kept.
func silent(r rune) bool {
	return unicode.Is(unicode.Cf, r) && r != zeroWidthNonJoiner && r != zeroWidthJoiner &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

func visible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S, unicode.Prepended_Concatenation_Mark) && !blanks[r]
}
