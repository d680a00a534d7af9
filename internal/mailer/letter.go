package mailer

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

// Letter is what a mail says; every letter has the same form. Only To, Language and Subject are required.
type Letter struct {
	To         string
	ReplyTo    string
	Language   string // en or bn
	Subject    string // also the heading
	Hold       *Hold
	Paragraphs []string // their line breaks stay
	LinkText   string
	Link       string // "": no button
	Assurance  string // what mails of ours never ask for
	Footer     string // why the reader gets this

	Unsubscribe *Unsubscribe // nil for letters that always come
}

// Unsubscribe is how the reader ends such mails.
type Unsubscribe struct {
	Text string
	Page string // for the reader
	Post string // for his mail program, see Message
}

// Hold shows a deal's money as the site does: it is in one of three columns.
type Hold struct {
	Buyer, Amanat, Seller Column
}

// Column is one of the three.
type Column struct {
	Role, Name, Amount, Note string
	State                    State
	Rule                     Rule // at its left
}

// Rule is a line between columns.
type Rule string

// Rules: none, one that the money has crossed, one that it has yet to cross.
const (
	NoRule   Rule = ""
	Solid    Rule = "solid"
	Stitched Rule = "dashed"
)

// State says when the money is in a column, and whose it is then: each holder has a colour.
type State string

// States of a column.
const (
	Past     State = "past" // struck out
	Next     State = "next"
	InTrust  State = "in_trust"
	Refunded State = "refunded" // the buyer has it again
	Paid     State = "paid"     // the seller has it
)

// Holds tells whether the money is in the column now.
func (c Column) Holds() bool { return c.State != Past && c.State != Next }

func (c Column) line() string { return fmt.Sprintf("%s %s: %s (%s)", c.Role, c.Name, c.Amount, c.Note) }

//go:embed letter.html
var letterHTML string

var letterTemplate = template.Must(template.New("letter").Funcs(template.FuncMap{
	"lines": func(s string) []string { return strings.Split(s, "\n") },
}).Parse(letterHTML))

// Compose lays the letter out as text and HTML.
func Compose(l Letter) (Message, error) {
	var html strings.Builder
	if err := letterTemplate.Execute(&html, l); err != nil {
		return Message{}, fmt.Errorf("mailer: %w", err)
	}
	m := Message{To: l.To, ReplyTo: l.ReplyTo, Subject: l.Subject, Text: l.text(), HTML: html.String()}
	if l.Unsubscribe != nil {
		m.Unsubscribe = l.Unsubscribe.Post
	}
	return m, nil
}

func (l Letter) text() string {
	parts := []string{l.Subject}
	if l.Hold != nil {
		parts = append(parts, strings.Join([]string{l.Hold.Buyer.line(), l.Hold.Amanat.line(), l.Hold.Seller.line()}, "\n"))
	}
	parts = append(parts, l.Paragraphs...)
	if l.Link != "" {
		parts = append(parts, l.LinkText+": "+l.Link)
	}
	for _, part := range []string{l.Assurance, l.Footer} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if l.Unsubscribe != nil {
		parts = append(parts, l.Unsubscribe.Text+": "+l.Unsubscribe.Page)
	}
	return strings.Join(parts, "\n\n") + "\n"
}
