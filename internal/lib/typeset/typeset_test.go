package typeset_test

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/typeset"
)

var style = typeset.Style{Typeface: typeset.Serif, Size: 40}

func newTypesetter(t *testing.T) *typeset.Typesetter {
	t.Helper()
	types, err := typeset.New()
	require.NoError(t, err)
	return types
}

// width returns the width of a text on a line.
func width(t *testing.T, types *typeset.Typesetter, text string) float64 {
	t.Helper()
	lines := types.Lines(text, style, 10_000, 1)
	require.Len(t, lines, 1)
	return lines[0].Width()
}

func TestLines_wraps_and_truncates(t *testing.T) {
	t.Parallel()
	types := newTypesetter(t)
	text := strings.Repeat("escrow ", 40)
	lines := types.Lines(text, style, 500, 3)
	require.Len(t, lines, 3)
	for _, line := range lines {
		require.LessOrEqual(t, line.Width(), 500.0)
	}
	require.Greater(t, len(types.Lines(text, style, 500, 100)), 3)
	require.Len(t, types.Lines("one\n\ttwo", style, 500, 3), 1, "white space is one space")
	word := types.Lines(strings.Repeat("m", 200), style, 500, 2)
	require.Len(t, word, 2, "a word that does not fit is broken")
	require.LessOrEqual(t, word[0].Width(), 500.0)
}

// Bengali letters form conjuncts: three characters become one glyph.
func TestLines_shapes_Bengali(t *testing.T) {
	t.Parallel()
	types := newTypesetter(t)
	require.Less(t, width(t, types, "ক্ষ"), width(t, types, "ক")+width(t, types, "ষ"))
	// A vowel sign that is written before its consonant: drawn at the left, typed at the right.
	require.NotEqual(t, pixels(types, "কি"), pixels(types, "িক"))
	require.Positive(t, width(t, types, "৳58,560"))
}

func TestLines_leaves_out_unknown_characters(t *testing.T) {
	t.Parallel()
	types := newTypesetter(t)
	require.InDelta(t, width(t, types, "Shoes new"), width(t, types, "Shoes 😀\u0007 new"), 0.01)
	for _, text := range []string{"", " \n", "😀", "漢字"} {
		require.Empty(t, types.Lines(text, style, 500, 3), text)
	}
}

func pixels(types *typeset.Typesetter, text string) []uint8 {
	picture := image.NewGray(image.Rect(0, 0, 200, 80))
	for _, line := range types.Lines(text, style, 200, 1) {
		line.Draw(picture, image.Pt(10, 50), color.White)
	}
	return picture.Pix
}

func TestDraw(t *testing.T) {
	t.Parallel()
	types := newTypesetter(t)
	inked := 0
	for _, pixel := range pixels(types, "Amanat") {
		if pixel > 0 {
			inked++
		}
	}
	require.Greater(t, inked, 500)
}
