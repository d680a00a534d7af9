package posts

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// matches reports whether a document matches a query, as the SQL of store_explore.go does.
func matches(document, query string) bool {
	for _, word := range searchTerms(query) {
		if !strings.Contains(document, word) {
			return false
		}
	}
	return true
}

func TestTokenize(t *testing.T) {
	t.Parallel()
	symbol := encodeSymbol
	for text, words := range map[string][]string{
		"":                          nil,
		" \t\n\u00a0\u200b":         nil,
		"১৩ 13":                     {"13", "13"},
		"T\u2011Shirt o\u2019clock": {"t", symbol('-'), "shirt", "o", symbol('\''), "clock"},
		"“x” «y» \u00b4":            {symbol('"'), "x", symbol('"'), symbol('"'), "y", symbol('"'), symbol('\'')},
		"ক্\u200dষ র\u200c্যাব":     {"ক্ষ", "র্যাব"},
		"❤\ufe0f":                   {symbol('❤')},
		"Logo  DESIGN\nnow":         {"logo", "design", "now"},
		"e-mail: a_b@c.com":         {"e", symbol('-'), "mail", symbol(':'), "a", symbol('_'), "b", symbol('@'), "c", symbol('.'), "com"},
		"100%":                      {"100", symbol('%')},
		"ﬁne Ｌｏｇｏ":                  {"fine", "logo"},
		"\u09af\u09bc":              {"\u09af\u09bc"},
		"\u09df":                    {"\u09af\u09bc"}, // one letter, encoded in two ways
		"ক্লাস":                     {"ক্লাস"},
		"🎮game":                     {symbol('🎮'), "game"},
		"\ufffd" + string(rune(0)):  {symbol('\ufffd')},
	} {
		t.Run(strconv.Quote(text), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, words, tokenize(text))
		})
	}
	require.NotEqual(t, symbol('%'), symbol('_'))
}

func TestSearchTerms_short_words(t *testing.T) {
	t.Parallel()
	d := document(Draft{
		Title: "Logo", Category: OnlineAsset, Subcategory: "Ebook", Tags: []string{"vector"}, Description: "Big (new) one",
	}, "Karim_7")
	for _, query := range []string{"অনলাইন", "সম্পদ", "ই-বুক", "৭", "l", "lo", "ogo", "ne", "new", "( n", "karim_7", "book", "VEC big", "7"} {
		require.True(t, matches(d, query), query)
	}
	for _, query := range []string{"go", "og", "logo x", "xlogo", "%", "ew"} {
		require.False(t, matches(d, query), query)
	}
}

// The names are those of the UI.
func TestBangla(t *testing.T) {
	t.Parallel()
	texts, err := os.ReadFile("../../../ui/src/i18n/bn/categories.ts")
	require.NoError(t, err)
	shown := map[string]string{}
	for _, line := range regexp.MustCompile(`'(?:category|sub)\.([^']+)': '([^']+)'`).FindAllStringSubmatch(string(texts), -1) {
		shown[line[1]] = line[2]
	}
	require.Equal(t, shown, bangla)
}

// A post is found by any part of its text that is delimited by spaces, and no query fails.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"", "logo", "100%", `c:\x_y`, "' or 1=1 --", "ইউটিউব", "য়",
		"\u0301a", "İ", "ß", "ǅ", "\xff", "\xf0ǅ", "a\x00b", "🎮", "½ ﷺ", "ΑΣ",
	} {
		f.Add(seed, "before", "after")
		f.Add(seed, "\u0301", "\u09bc")
	}
	f.Fuzz(func(t *testing.T, query, before, after string) {
		d := document(Draft{Description: before + " " + query + " " + after}, "karim")
		require.True(t, matches(d, query), "%q in %q", searchTerms(query), d)
		for _, word := range searchTerms(query) {
			require.NotEmpty(t, strings.TrimSpace(word))
			require.False(t, strings.ContainsAny(word, `%_\`), "no word is a pattern")
		}
	})
}
