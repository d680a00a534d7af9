package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"empty":                       {"", ""},
		"surrounding space":           {"  A channel\n", "A channel"},
		"line break":                  {"Two\nlines", "Two\nlines"},
		"right-to-left override":      {"Refund \u202e00.05$ ecirP", "Refund 00.05$ ecirP"},
		"directional isolates":        {"\u2066a\u2067b\u2068c\u2069", "abc"},
		"directional embeddings":      {"\u202aa\u202bb\u202cc\u202dd", "abcd"},
		"directional marks":           {"a\u200eb\u200fc\u061cd", "abcd"},
		"invisible format characters": {"pay\u00adpal \ufeffhere\u2060", "paypal here"},
		"joiners only":                {"\u200b \u200d\u200c\ufe0f", ""},
		"blank letters only":          {"\u2800\u3164\u115f\u1160\uffa0", ""},
		"combining mark only":         {"\u0301", ""},
		"line separators only":        {"\u2028\u0085", ""},
		"Bangla joiners":              {"ক্\u200dষ র\u200c্যাব", "ক্\u200dষ র\u200c্যাব"},
		"emoji sequence":              {"👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"},
		"flags of countries in the UK": {
			"go " + tagged("gbeng") + tagged("gbsct") + tagged("gbwls") + "!",
			"go " + tagged("gbeng") + tagged("gbsct") + tagged("gbwls") + "!",
		},
		"tags elsewhere": {"x\U000E0068\U000E0069" + tagged("usca"), "x\U0001F3F4"},
		"many marks":     {"b" + strings.Repeat("\u0301", 400) + "c\u0301", "b" + strings.Repeat("\u0301", 8) + "c\u0301"},
		"many marks between joiners": {
			"b" + strings.Repeat("\u0301\u200d", 20), "b" + strings.Repeat("\u0301\u200d", 8) + strings.Repeat("\u200d", 12),
		},
		"marks of a Bangla letter": {"ক্ষ্মীঁ", "ক্ষ্মীঁ"},
		"single letter":            {"হ", "হ"},
		"single punctuation mark":  {"!", "!"},
		"single emoji":             {"😀", "😀"},
		"Arabic number sign":       {"\u0600١٢", "\u0600١٢"},
		"blanks in a text":         {"\u202e\u200b\u2800 still \u2800here ", "\u2800 still \u2800here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Text(c.text))
		})
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Bcc: x y", Line("\r\nBcc: x\u202e\x00\t y\n"))
	require.Empty(t, Line("\u200b\n\u2800"))
}

var withoutFlags = strings.NewReplacer(flags[0], "", flags[1], "", flags[2], "")

// Text and Line are idempotent, never lengthen a text, and return visible text or "".
func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"", " a ", "\u202eabc", "\u200b", "ক্\u200dষ", "\xff", "a\x00",
		tagged("gbwls"), tagged("gb"), "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "\u2800", "👩\u200d👧",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, clean := range []func(string) string{Text, Line} {
			got := clean(text)
			require.Equal(t, got, clean(got))
			require.LessOrEqual(t, utf8.RuneCountInString(got), utf8.RuneCountInString(text))
			require.False(t, strings.ContainsFunc(withoutFlags.Replace(got), silent))
			require.Equal(t, got != "", strings.ContainsFunc(got, visible))
		}
	})
}
