package api

import (
	"bytes"
	"strconv"
	"time"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/pdf"
	"amanat/internal/lib/typeset"
)

// Measures of a sheet, in points.
const (
	sheetLeft    = 48.0
	sheetRight   = pdf.Width - 48
	sheetTop     = pdf.Height - 64
	sheetBottom  = 64.0
	black        = pdf.Gray(0.08)
	faint        = pdf.Gray(0.4)
	hairline     = pdf.Gray(0.8)
	smallText    = 8.5
	plainText    = 10.0
	labelsColumn = 180.0
)

// paper lays out statements and receipts on sheets of A4, from the top of each to its bottom.
type paper struct {
	types *typeset.Typesetter
	lang  string
	made  time.Time
	out   bytes.Buffer
	doc   *pdf.Document
	page  *pdf.Page
	pages int
	y     float64 // of the last baseline
}

func (s *Server) newPaper(lang string, title catalog.Kind) *paper {
	p := &paper{types: s.types, lang: lang, made: s.clock.Now()}
	p.doc = pdf.New(&p.out, p.text(title, nil)+" | "+p.text(catalog.ShareBrand, nil), lang)
	p.sheet()
	p.y = sheetTop
	p.line(p.text(catalog.ShareBrand, nil), typeset.Style{Typeface: typeset.Serif, Size: 16}, sheetLeft, black)
	p.y -= 40
	p.line(p.text(title, nil), typeset.Style{Typeface: typeset.Serif, Size: 24}, sheetLeft, black)
	return p
}

func (p *paper) text(kind catalog.Kind, params catalog.Params) string {
	return catalog.Render(p.lang, kind, params)
}

func (p *paper) moment(at time.Time) string {
	return p.text(catalog.StatementMoment, catalog.Params{"at": at.UTC().Format(time.RFC3339)})
}

func (p *paper) dollars(amount string) string { return catalog.Dollars(p.lang, amount) }

// sheet begins a sheet.
func (p *paper) sheet() {
	p.page = p.doc.Page()
	p.pages++
	p.y = sheetTop
}

// endSheet writes the foot of a sheet.
func (p *paper) endSheet() {
	p.y = sheetBottom - 24
	style := typeset.Style{Typeface: typeset.Sans, Size: smallText}
	p.line(p.text(catalog.StatementMade, catalog.Params{"at": p.made.UTC().Format(time.RFC3339)}), style, sheetLeft, faint)
	p.lineRight(p.text(catalog.StatementPage, catalog.Params{"page": strconv.Itoa(p.pages)}), style, sheetRight, faint)
	p.page.End()
}

func (p *paper) close() ([]byte, error) {
	p.endSheet()
	err := p.doc.Close()
	return p.out.Bytes(), err
}

// cut sets a text on one line of at most width points.
func (p *paper) cut(text string, style typeset.Style, width float64) []typeset.Line {
	return p.types.Lines(text, style, int(width), 1)
}

func (p *paper) line(text string, style typeset.Style, x float64, ink pdf.Gray) {
	for _, line := range p.cut(text, style, sheetRight-x) {
		p.page.Text(line, x, p.y, ink)
	}
}

// lineRight sets a text that ends at x.
func (p *paper) lineRight(text string, style typeset.Style, x float64, ink pdf.Gray) {
	for _, line := range p.cut(text, style, x-sheetLeft) {
		p.page.Text(line, x-line.Width(), p.y, ink)
	}
}

func (p *paper) rule() { p.page.Rule(sheetLeft, p.y, sheetRight-sheetLeft, 0.6, hairline) }

// fact sets a label and its value, which may take several lines.
func (p *paper) fact(label catalog.Kind, value string) {
	if value == "" {
		return
	}
	p.y -= 20
	p.line(p.text(label, nil), typeset.Style{Typeface: typeset.Sans, Size: plainText}, sheetLeft, faint)
	x := sheetLeft + labelsColumn
	const most = 6
	for i, line := range p.types.Lines(value, typeset.Style{Typeface: typeset.SansBold, Size: plainText}, int(sheetRight-x), most) {
		if i > 0 {
			p.y -= 14
		}
		p.page.Text(line, x, p.y, black)
	}
	p.y -= 8
	p.rule()
}
