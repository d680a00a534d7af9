package posts

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A search finds the posts whose document contains every word of the query: anywhere inside a word
// or, for words of one or two letters, at the start of a word. Documents and queries are normalized
// in the same way, so that case, different encodings of the same letter (common in Bangla) and
// whitespace make no difference. Everything in a query is literal: symbols are matched like
// letters.

// document returns the text that searches match: all words of a post and the name of its seller,
// each after a space.
func document(d Draft, username string) string {
	parts := append([]string{d.Title, string(d.Category), d.Subcategory, username}, d.Tags...)
	return " " + strings.Join(tokenize(strings.Join(append(parts, d.Description), " ")), " ")
}

// tokenize returns the normalized words of a text. Each symbol is a word of its own. Invalid UTF-8
// is replaced first: norm would leave the letter after an invalid byte unnormalized.
func tokenize(text string) []string {
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
			words = append(words, encodeSymbol(r))
		}
	}
	end()
	return words
}

// encodeSymbol encodes a symbol as two ideographs that hardly any text uses: the trigram index
// covers letters only, and LIKE's wildcards are symbols.
func encodeSymbol(r rune) string {
	const first, count = 0x20000, 1 << 12
	return string([]rune{first + r/count, first + r%count})
}

// trigram is the minimum number of letters that a trigram index finds inside a word.
const trigram = 3

// searchTerms returns the terms that a document must contain to match a query, most selective
// first.
func searchTerms(query string) []string {
	words := tokenize(query)
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
