package posts

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A search finds the posts whose document holds every word of the query: anywhere inside a word, or, for words of one or two letters, at
// the beginning of one. Documents and queries are spelled alike, so that case, ways of writing one letter (which Bangla has many of) and
// blanks make no difference. Everything in a query is data: signs are looked for like letters.

// document is what a search looks at: all words of a post and its seller's name, each after a blank.
func document(d Draft, username string) string {
	parts := append([]string{d.Title, string(d.Category), d.Subcategory, username}, d.Tags...)
	return " " + strings.Join(spell(strings.Join(append(parts, d.Description), " ")), " ")
}

// spell returns the words of a text in their one spelling. A sign is a word of its own, and so is what is no UTF-8: norm would leave the
// letter after a broken one as it was.
func spell(text string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(text, "\ufffd"))) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			word.WriteRune(r)
		case unicode.IsSpace(r), unicode.IsControl(r):
			end()
		default:
			end()
			words = append(words, spellSign(r))
		}
	}
	end()
	return words
}

// spellSign writes a sign as two ideographs that hardly any text uses: the index of trigrams knows letters only, and LIKE's wildcards are
// signs.
func spellSign(r rune) string {
	const first, count = 0x20000, 1 << 12
	return string([]rune{first + r/count, first + r%count})
}

// trigram is the least number of letters that an index of trigrams finds inside a word.
const trigram = 3

// wanted returns what a document must hold to be found by a query, the most telling first.
func wanted(query string) []string {
	words := spell(query)
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(utf8.RuneCountInString(b)-utf8.RuneCountInString(a), strings.Compare(a, b))
	})
	words = slices.Compact(words)
	for i, word := range words {
		if utf8.RuneCountInString(word) < trigram {
			words[i] = " " + word
		}
	}
	return words
}
