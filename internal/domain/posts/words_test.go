package posts

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// finds tells whether a document answers a query, as store_explore.go asks the database.
func finds(document, query string) bool {
	for _, word := range wanted(query) {
		if !strings.Contains(document, word) {
			return false
		}
	}
	return true
}

func TestWordsAreSpelledAlike(t *testing.T) {
	t.Parallel()
	sign := spellSign
	for text, words := range map[string][]string{
		"":                         nil,
		" \t\n\u00a0\u200b":        {sign('\u200b')},
		"Logo  DESIGN\nnow":        {"logo", "design", "now"},
		"e-mail: a_b@c.com":        {"e", sign('-'), "mail", sign(':'), "a", sign('_'), "b", sign('@'), "c", sign('.'), "com"},
		"100%":                     {"100", sign('%')},
		"ﬁne Ｌｏｇｏ":                 {"fine", "logo"},
		"\u09af\u09bc":             {"\u09af\u09bc"},
		"\u09df":                   {"\u09af\u09bc"}, // one letter, written in two ways
		"ক্লাস":                    {"ক্লাস"},
		"🎮game":                    {sign('🎮'), "game"},
		"\ufffd" + string(rune(0)): {sign('\ufffd')},
	} {
		require.Equal(t, words, spell(text), "%q", text)
	}
	require.NotEqual(t, sign('%'), sign('_'))
}

func TestShortWordsMustBeginAWord(t *testing.T) {
	t.Parallel()
	d := document(Draft{Title: "Logo", Category: OnlineAsset, Subcategory: "Ebook", Tags: []string{"vector"}, Description: "Big (new) one"}, "Karim_7")
	for _, query := range []string{"l", "lo", "ogo", "ne", "new", "( n", "karim_7", "book", "VEC big", "7"} {
		require.True(t, finds(d, query), query)
	}
	for _, query := range []string{"go", "og", "logo x", "xlogo", "%", "ew"} {
		require.False(t, finds(d, query), query)
	}
}

// Whatever somebody writes, who searches for the same finds it; and no query is too odd to ask.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"", "logo", "100%", `c:\x_y`, "' or 1=1 --", "ইউটিউব", "য়", "\u0301a", "İ", "ß", "ǅ", "\xff", "\xf0ǅ", "a\x00b", "🎮", "½ ﷺ", "ΑΣ"} {
		f.Add(seed, "before", "after")
		f.Add(seed, "\u0301", "\u09bc")
	}
	f.Fuzz(func(t *testing.T, query, before, after string) {
		d := document(Draft{Description: before + " " + query + " " + after}, "karim")
		require.True(t, finds(d, query), "%q in %q", wanted(query), d)
		for _, word := range wanted(query) {
			require.NotEmpty(t, strings.TrimSpace(word))
			require.False(t, strings.ContainsAny(word, `%_\`), "no word is a pattern")
		}
	})
}
