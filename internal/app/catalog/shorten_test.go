package catalog_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"maximum length", "0123456789", "0123456789"},
		{"one character more", "0123456789a", "012345678…"},
		{"counts characters, not bytes", ka(10), ka(10)},
		{"keeps a vowel sign with its consonant", ka(9) + "ি" + ka(2), ka(8) + "…"},
		{"keeps joined consonants together", ka(8) + "্ষ" + ka(2), ka(7) + "…"},
		{"keeps an emoji sequence together", "1234567👨\u200d👩\u200d👧", "1234567…"},
		{"keeps a flag together", "1234567🇧🇩🇧🇩", "1234567🇧🇩…"},
		{"keeps a flag of letters together", "1234567\U0001F3F4\U000E0067\U000E0062\U000E007F", "1234567…"},
		{"no space before the ellipsis", "12345678 9abc", "12345678…"},
		{"overlong grapheme cluster", "a" + strings.Repeat("\u0301", 40), "a…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, catalog.Shorten(c.text, 10))
		})
	}
	require.Equal(t, 300, utf8.RuneCountInString(catalog.Shorten(ka(301), catalog.InList)))
}

func ka(n int) string { return strings.Repeat("ক", n) }
