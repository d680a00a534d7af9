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
// in the same way, so that case, different encodings of the same letter (common in Bangla), the
// script of digits, the kind of quotes and hyphens, joiners and whitespace make no difference.
// Everything else in a query is literal: symbols are matched like letters.

// document returns the text that searches match: all words of a post and the name of its seller,
// each after a space.
func document(d Draft, username string) string {
	kind := []string{string(d.Category), bangla[string(d.Category)], d.Subcategory, bangla[d.Subcategory]}
	facts := d.Facts.of(d.Category, d.Subcategory).words()
	parts := slices.Concat([]string{d.Title}, kind, []string{username}, d.Tags, facts, []string{d.Description})
	return " " + strings.Join(tokenize(strings.Join(parts, " ")), " ")
}

// bangla are the names of categories and subcategories in the Bangla UI, which readers of such a
// page search for.
var bangla = map[string]string{
	"Freelance Service": "ফ্রিল্যান্স সেবা",
	"Physical Product":  "পণ্য",
	"Online Asset":      "অনলাইন সম্পদ",
	"Logo Design":       "লোগো ডিজাইন",
	"Web Development":   "ওয়েব ডেভেলপমেন্ট",
	"Writing":           "লেখালেখি",
	"Marketing":         "মার্কেটিং",
	"Mobile Phone":      "মোবাইল ফোন",
	"Laptop":            "ল্যাপটপ",
	"Hand Watch":        "হাতঘড়ি",
	"Election Gadget":   "ইলেকট্রনিক গ্যাজেট",
	"T-Shirts":          "টি-শার্ট",
	"Books":             "বই",
	"Electronic Part":   "ইলেকট্রনিক যন্ত্রাংশ",
	"Home Decor":        "ঘর সাজানোর জিনিস",
	"YouTube Channel":   "ইউটিউব চ্যানেল",
	"Instagram Page":    "ইনস্টাগ্রাম পেজ",
	"Website":           "ওয়েবসাইট",
	"Ebook":             "ই-বুক",
	"Facebook Page":     "ফেসবুক পেজ",
	"Domain Name":       "ডোমেইন নাম",
	"Game Id":           "গেম আইডি",
}

// plain maps what phones and word processors put in the place of plain quotes and hyphens.
var plain = map[rune]rune{
	'\u2018': '\'', '\u2019': '\'', '\u201a': '\'', '\u201b': '\'', '\u02bc': '\'', '\u2032': '\'', '`': '\'', '\u00b4': '\'',
	'\u201c': '"', '\u201d': '"', '\u201e': '"', '\u201f': '"', '\u2033': '"', '\u00ab': '"', '\u00bb': '"',
	'\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2015': '-', '\u2212': '-',
}

// fold returns the form of a character that searches compare, or -1 for one that nobody sees:
// joiners and other format characters, and selectors of emoji.
func fold(r rune) rune {
	const banglaZero, banglaNine = '০', '৯'
	if same, found := plain[r]; found {
		return same
	}
	switch {
	case banglaZero <= r && r <= banglaNine:
		return '0' + r - banglaZero
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector):
		return -1
	}
	return r
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
	// Compatible forms of spacing accents are a space and a mark, so quotes are folded first, too.
	text = strings.Map(fold, strings.ToValidUTF8(text, "\ufffd"))
	for _, r := range strings.Map(fold, strings.ToLower(norm.NFKC.String(text))) {
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

// Words of fewer letters have too few trigrams left after a typo.
const minTypo, maxTypo = 5, 20

// maxKnown is how long a word may be that is found by its beginning.
const maxKnown = 40

// isCorrectable reports whether a search allows a typo in a word. In a number, each digit counts.
func isCorrectable(word string) bool {
	n := utf8.RuneCountInString(word)
	return minTypo <= n && n <= maxTypo && !strings.ContainsFunc(word, unicode.IsDigit)
}

// knownWords returns the words of a document that a search with a typo finds, sorted so that
// concurrent inserts wait for each other in one order.
func knownWords(document string) []string {
	words := strings.Fields(document)
	words = slices.DeleteFunc(words, func(word string) bool {
		n := utf8.RuneCountInString(word)
		return n < minTypo-1 || n > maxKnown || strings.ContainsFunc(word, unicode.IsDigit)
	})
	slices.Sort(words)
	return slices.Compact(words)
}

// typos returns LIKE patterns of words that begin with the given one after one typo: a letter too
// many, missing, wrong, or swapped with the next.
func typos(word string) []string {
	letters := []rune(word)
	var patterns []string
	add := func(parts ...[]rune) { patterns = append(patterns, string(slices.Concat(parts...))+"%") }
	one := []rune{'_'}
	for i := range letters {
		before, after := letters[:i], letters[i+1:]
		add(before, after)
		add(before, one, after)
		add(before, one, letters[i:])
		if len(after) > 0 {
			add(before, after[:1], letters[i:i+1], after[1:])
		}
	}
	return patterns
}
