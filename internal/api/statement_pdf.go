package api

import (
	"amanat/internal/app/catalog"
	"amanat/internal/domain/reports"
	"amanat/internal/lib/typeset"
)

// Columns of a statement, in points.
const (
	statementWhat    = sheetLeft + 108
	statementAmount  = sheetRight - 92
	statementBalance = sheetRight
	statementRow     = 30.0
)

// pdfStatement writes a statement as a document.
type pdfStatement struct {
	*paper

	head statementHead
	sums reports.Statement
}

func newPDFStatement(s *Server, head statementHead) (statementWriter, error) {
	return &pdfStatement{paper: s.newPaper(head.lang, catalog.StatementTitle), head: head}, nil
}

func (w *pdfStatement) begin(sums reports.Statement) {
	w.sums = sums
	w.y -= 18
	w.fact(catalog.ReceiptUser, w.head.username)
	w.fact(catalog.StatementSpan, w.span())
	w.fact(catalog.StatementOpening, w.dollars(sums.Opening.String()))
	w.fact(catalog.StatementIn, w.dollars(sums.In.String()))
	w.fact(catalog.StatementOut, w.dollars(sums.Out.String()))
	w.fact(catalog.StatementClosing, w.dollars(sums.Closing.String()))
	w.y -= 34
	w.columns()
}

// span names the days of the statement. An open end is the day on which it is made.
func (w *pdfStatement) span() string {
	to := w.moment(w.head.made)
	if end := w.head.period.To; end != nil {
		to = w.moment(end.Add(-1))
	}
	if w.head.period.From == nil {
		return w.text(catalog.StatementUntil, catalog.Params{"to": to})
	}
	return w.text(catalog.StatementPeriod, catalog.Params{"from": w.moment(*w.head.period.From), "to": to})
}

// columns sets the heads of the columns.
func (w *pdfStatement) columns() {
	style := typeset.Style{Typeface: typeset.SansBold, Size: smallText}
	w.line(w.text(catalog.StatementDate, nil), style, sheetLeft, faint)
	w.line(w.text(catalog.StatementTransaction, nil), style, statementWhat, faint)
	w.lineRight(w.text(catalog.StatementAmount, nil), style, statementAmount, faint)
	w.lineRight(w.text(catalog.StatementBalance, nil), style, statementBalance, faint)
	w.y -= 8
	w.rule()
}

func (w *pdfStatement) add(lines []reports.StatementLine) {
	for _, l := range lines {
		if w.y-statementRow < sheetBottom {
			w.endSheet()
			w.sheet()
			w.columns()
		}
		w.row(l)
	}
}

func (w *pdfStatement) row(l reports.StatementLine) {
	plain, small := typeset.Style{Typeface: typeset.Sans, Size: plainText}, typeset.Style{Typeface: typeset.Sans, Size: smallText}
	w.y -= 15
	w.line(w.moment(l.At), small, sheetLeft, faint)
	for _, line := range w.cut(catalog.MovementName(w.lang, l.Kind), plain, statementAmount-72-statementWhat) {
		w.page.Text(line, statementWhat, w.y, black)
	}
	w.lineRight(w.dollars(l.Amount.String()), plain, statementAmount, black)
	w.lineRight(w.dollars(l.BalanceAfter.String()), plain, statementBalance, faint)
	w.y -= 11
	for _, line := range w.cut(w.about(l), small, sheetRight-statementWhat) {
		w.page.Text(line, statementWhat, w.y, faint)
	}
	w.y -= 4
	w.rule()
}

// about says what a transaction was for.
func (w *pdfStatement) about(l reports.StatementLine) string {
	switch {
	case l.With != nil && l.Title != nil:
		return w.text(catalog.StatementAbout, catalog.Params{"name": *l.Title, "username": *l.With})
	case l.With != nil:
		return *l.With
	case l.Method != nil && l.Reference != nil:
		return catalog.MethodName(w.lang, *l.Method) + " " + *l.Reference
	case l.Reason != nil:
		return *l.Reason
	}
	return ""
}

func (w *pdfStatement) end() ([]byte, error) { return w.close() }

func (w *pdfStatement) name() (ending, mediaType string) { return "pdf", pdfType }
