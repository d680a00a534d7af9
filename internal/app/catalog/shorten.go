package catalog

import (
	"strings"
	"unicode"
)

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
