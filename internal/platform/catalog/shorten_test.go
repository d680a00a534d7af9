package catalog_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"amanat/internal/platform/catalog"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"as long as it may be", "0123456789", "0123456789"},
		{"one letter longer", "0123456789a", "012345678…"},
		{"counted in letters, not bytes", ka(10), ka(10)},
		{"no vowel without its consonant", ka(9) + "ি" + ka(2), ka(8) + "…"},
		{"no half of two joined consonants", ka(8) + "্ষ" + ka(2), ka(7) + "…"},
		{"no half of a family", "1234567👨\u200d👩\u200d👧", "1234567…"},
		{"no blank before the ellipsis", "12345678 9abc", "12345678…"},
		{"a sign without an end", "a" + strings.Repeat("\u0301", 40), "a…"},
	} {
		require.Equal(t, c.want, catalog.Shorten(c.text, 10), c.name)
	}
	require.Equal(t, 300, utf8.RuneCountInString(catalog.Shorten(ka(301), catalog.InList)))
}

func ka(n int) string { return strings.Repeat("ক", n) }
