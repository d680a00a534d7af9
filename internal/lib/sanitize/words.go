// Package sanitize cleans texts that users write for other users.
package sanitize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// maxMarks is how many combining marks a letter keeps. No language needs so many; more of them are
// drawn over the lines around the text.
const maxMarks = 8

// flags are the emoji that consist of a black flag and invisible tag characters: England, Scotland
// and Wales.
var flags = []string{tagged("gbeng"), tagged("gbsct"), tagged("gbwls")}

func tagged(region string) string {
	const blackFlag, firstTag, cancelTag = "\U0001F3F4", 0xE0000, "\U000E007F"
	return blackFlag + strings.Map(func(r rune) rune { return firstTag + r }, region) + cancelTag
}

// Text removes invisible format characters, such as those that change the writing direction, and
// combining marks beyond maxMarks, and trims white space. It returns "" if no visible character
// remains.
func Text(s string) string {
	var kept strings.Builder
	marks := 0
	for rest := s; rest != ""; {
		if i := slices.IndexFunc(flags, func(flag string) bool { return strings.HasPrefix(rest, flag) }); i >= 0 {
			kept.WriteString(flags[i])
			rest, marks = rest[len(flags[i]):], 0
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
		switch {
		case silent(r):
			continue
		case unicode.Is(unicode.M, r):
			marks++
		case r != zeroWidthJoiner && r != zeroWidthNonJoiner:
			marks = 0
		}
		if marks <= maxMarks || !unicode.Is(unicode.M, r) {
			kept.WriteRune(r)
		}
	}
	s = strings.TrimSpace(kept.String())
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
