package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		"  A channel\n":                        "A channel",
		"Two\nlines":                           "Two\nlines",
		"Refund \u202e00.05$ ecirP":            "Refund 00.05$ ecirP",
		"\u2066a\u2067b\u2068c\u2069":          "abc",
		"\u202aa\u202bb\u202cc\u202dd":         "abcd",
		"a\u200eb\u200fc\u061cd":               "abcd",
		"pay\u00adpal \ufeffhere\u2060":        "paypal here",
		"\u200b \u200d\u200c\ufe0f":            "",
		"\u2800\u3164\u115f\u1160\uffa0":       "",
		"\u0301":                               "",
		"\u2028\u0085":                         "",
		"ক্\u200dষ র\u200c্যাব":                "ক্\u200dষ র\u200c্যাব", // spellings that need them
		"👩\u200d👩\u200d👧 ❤\ufe0f":              "👩\u200d👩\u200d👧 ❤\ufe0f",
		"হ":                                    "হ",
		"!":                                    "!",
		"😀":                                    "😀",
		"\u0600١٢":                             "\u0600١٢",
		"\u202e\u200b\u2800 still \u2800here ": "\u2800 still \u2800here",
	} {
		require.Equal(t, want, Text(text), "%q", text)
	}
}

func TestCleanLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Bcc: x y", Line("\r\nBcc: x\u202e\x00\t y\n"))
	require.Empty(t, Line("\u200b\n\u2800"))
}

// Whatever is written, what is kept can be seen, is no longer than it was, and is clean already.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", " a ", "\u202eabc", "\u200b", "ক্\u200dষ", "\xff", "a\x00", "\u2800", "👩\u200d👧"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, clean := range []func(string) string{Text, Line} {
			got := clean(text)
			require.Equal(t, got, clean(got))
			require.LessOrEqual(t, utf8.RuneCountInString(got), utf8.RuneCountInString(text))
			require.False(t, strings.ContainsFunc(got, silent))
			require.Equal(t, got != "", strings.ContainsFunc(got, visible))
		}
	})
}
