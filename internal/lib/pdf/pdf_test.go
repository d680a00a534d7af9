package pdf_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/pdf"
	"amanat/internal/lib/typeset"
)

var style = typeset.Style{Typeface: typeset.Sans, Size: 12}

func newTypesetter(t *testing.T) *typeset.Typesetter {
	t.Helper()
	types, err := typeset.New()
	require.NoError(t, err)
	return types
}

// document returns a document with the texts on pages of their own.
func document(t *testing.T, texts ...string) []byte {
	t.Helper()
	types := newTypesetter(t)
	var out bytes.Buffer
	d := pdf.New(&out, "Statement (বিবরণী)", "bn")
	for _, text := range texts {
		page := d.Page()
		for i, line := range types.Lines(text, style, 500, 40) {
			page.Text(line, 40, pdf.Height-60-float64(i)*16, 0)
		}
		page.Rule(40, 40, 500, 0.5, 0.8)
		page.End()
	}
	require.NoError(t, d.Close())
	return out.Bytes()
}

// The index at the end must point at every object.
func TestDocument_index(t *testing.T) {
	t.Parallel()
	data := document(t, "First page", "দ্বিতীয় পৃষ্ঠা")
	start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(data)
	require.NotNil(t, start)
	at, err := strconv.Atoi(string(start[1]))
	require.NoError(t, err)
	lines := strings.Split(string(data[at:]), "\n")
	require.Equal(t, "xref", lines[0])
	var first, count int
	_, err = fmt.Sscanf(lines[1], "%d %d", &first, &count)
	require.NoError(t, err)
	require.Greater(t, count, 20)
	for number := 1; number < count; number++ {
		require.Len(t, lines[2+number], 19, "an entry has 20 bytes with the end of its line")
		offset, err := strconv.Atoi(lines[2+number][:10])
		require.NoError(t, err)
		require.True(t, bytes.HasPrefix(data[offset:], fmt.Appendf(nil, "%d 0 obj\n", number)), number)
	}
	require.Equal(t, 2, bytes.Count(data, []byte("/Type /Page ")))
}

// More glyphs than a font has codes for.
func TestDocument_many_glyphs(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for first := 'ক'; first <= 'হ'; first++ {
		for _, second := range "কতনমযরলব" {
			fmt.Fprintf(&text, "%c্%cি ", first, second)
		}
	}
	data := document(t, text.String())
	require.Greater(t, bytes.Count(data, []byte("/Subtype /Type3")), 1)
}

// contents returns the decompressed streams of a document.
func contents(t *testing.T, data []byte) string {
	t.Helper()
	var all strings.Builder
	for _, part := range regexp.MustCompile(`(?s)/Filter /FlateDecode >>\nstream\n(.*?)\nendstream`).FindAllSubmatch(data, -1) {
		r, err := zlib.NewReader(bytes.NewReader(part[1]))
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

// Whoever searches or copies finds the text as it is read, and each glyph has an outline.
func TestText(t *testing.T) {
	t.Parallel()
	text := contents(t, document(t, "ক্রেতা ১০০.০০", "Deal −100"))
	for _, want := range []string{"ক্রেতা ১০০.০০", "Deal −100"} {
		var hex strings.Builder
		for _, unit := range utf16.Encode([]rune(want)) {
			fmt.Fprintf(&hex, "%04x", unit)
		}
		require.Contains(t, text, "/ActualText <feff"+hex.String()+">")
	}
	require.Contains(t, text, " c\n", "curves")
	require.Equal(t, strings.Count(text, "beginbfchar"), strings.Count(text, "endbfchar"))
}

type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestClose_failed_writer(t *testing.T) {
	t.Parallel()
	d := pdf.New(&full{room: 100}, "Statement", "en")
	page := d.Page()
	page.Rule(0, 0, 10, 1, 0)
	page.End()
	require.ErrorContains(t, d.Close(), "disk full")
}
