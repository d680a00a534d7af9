// Package pdf writes documents of text and rules as PDF 1.7, page by page, so that a long document
// needs little memory.
//
// Libraries for PDF in Go embed fonts by character and do not shape text, or shape it and depend on
// a typesetting system; Bangla needs shaping (docs/decisions/0024-statements-as-pdf.md). Text is
// therefore shaped by typeset and written in Type 3 fonts, whose glyphs are outlines. It can be
// searched and copied.
package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"amanat/internal/lib/typeset"
)

// Size of a page of A4, in points of 1/72 inch.
const (
	Width  = 595.28
	Height = 841.89
)

// Gray is a shade from 0, black, to 1, white.
type Gray float64

// Document is a document that is being written. It must be used from one goroutine. The first error
// of the writer is kept and returned by Close; until then all calls are accepted.
type Document struct {
	out     io.Writer
	err     error
	written int64
	offsets []int64 // of the objects, by number; the first is unused
	pages   []int   // their objects
	fonts   fonts
	title   string
	lang    string
}

// Objects whose numbers are known before they are written.
const (
	catalogObject = iota + 1
	pagesObject
	fontsObject
	infoObject
	firstFree
)

// New begins a document. lang is its language, such as "bn".
func New(out io.Writer, title, lang string) *Document {
	d := &Document{out: out, offsets: make([]int64, firstFree), title: title, lang: lang}
	// The comment's bytes tell programs that transfer the file that it is not text.
	d.write("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	return d
}

func (d *Document) write(text string) {
	if d.err != nil {
		return
	}
	n, err := io.WriteString(d.out, text)
	d.written += int64(n)
	d.err = err
}

// reserve returns the number of an object that is written later.
func (d *Document) reserve() int {
	d.offsets = append(d.offsets, 0)
	return len(d.offsets) - 1
}

func (d *Document) object(number int, body string) {
	d.offsets[number] = d.written
	d.write(fmt.Sprintf("%d 0 obj\n%s\nendobj\n", number, body))
}

func (d *Document) stream(number int, content []byte) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	// Writing to a buffer does not fail.
	_, _ = w.Write(content)
	_ = w.Close()
	d.object(number, fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.Bytes()))
}

// Page is a page that is being written.
type Page struct {
	document *Document
	content  bytes.Buffer
}

// Page begins a page. End it before the next one.
func (d *Document) Page() *Page { return &Page{document: d} }

// Text sets a line with its baseline's left end at a point, whose y axis points up from the bottom
// of the page.
func (p *Page) Text(line typeset.Line, x, y float64, ink Gray) {
	var text, glyphs strings.Builder
	for glyph := range line.Glyphs() {
		font, code := p.document.fonts.use(glyph)
		fmt.Fprintf(&glyphs, "/F%d %s Tf 1 0 0 1 %s %s Tm <%02x> Tj\n",
			font, number(glyph.Size), number(x+glyph.X), number(y+glyph.Y), code)
		text.WriteString(glyph.Text)
	}
	// Bangla letters are drawn in another order than they are read in.
	fmt.Fprintf(&p.content, "/Span << /ActualText %s >> BDC\nBT %s g\n%sET\nEMC\n",
		hexText(text.String()), number(float64(ink)), glyphs.String())
}

// Rule draws a horizontal line.
func (p *Page) Rule(x, y, length, thickness float64, ink Gray) {
	fmt.Fprintf(&p.content, "%s g %s %s %s %s re f\n",
		number(float64(ink)), number(x), number(y), number(length), number(thickness))
}

// End writes the page.
func (p *Page) End() {
	d := p.document
	content, page := d.reserve(), d.reserve()
	d.stream(content, p.content.Bytes())
	d.object(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Contents %d 0 R /Resources << /Font %d 0 R >> >>",
		pagesObject, number(Width), number(Height), content, fontsObject))
	d.pages = append(d.pages, page)
}

// Close writes the fonts and the index. It returns the first error of the writer.
func (d *Document) Close() error {
	d.writeFonts()
	d.object(infoObject, "<< /Title "+hexText(d.title)+" /Producer (Amanat) >>")
	var kids strings.Builder
	for _, page := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", page)
	}
	d.object(pagesObject, fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(d.pages), kids.String()))
	d.object(catalogObject, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Lang (%s) /ViewerPreferences << /DisplayDocTitle true >> >>",
		pagesObject, d.lang))
	index := d.written
	d.write(fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)))
	for _, offset := range d.offsets[1:] {
		d.write(fmt.Sprintf("%010d 00000 n \n", offset))
	}
	d.write(fmt.Sprintf("trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		len(d.offsets), catalogObject, infoObject, index))
	return d.err
}

// number formats a number to hundredths.
func number(v float64) string {
	text := strings.TrimRight(fmt.Sprintf("%.2f", v), "0")
	return strings.TrimSuffix(text, ".")
}

// hexText is a text string in UTF-16.
func hexText(text string) string { return "<feff" + hexUTF16(text) + ">" }

func hexUTF16(text string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04x", unit)
	}
	return b.String()
}
