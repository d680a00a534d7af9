package mailer

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

// Email is the content of an email; all emails share one template. Only To, Language and Subject
// are required.
type Email struct {
	To         string
	ReplyTo    string
	Language   string // en or bn
	Subject    string // also the heading
	Hold       *Hold
	Paragraphs []string // line breaks are preserved
	LinkText   string
	Link       string // "": no button
	Assurance  string // what our emails never ask for
	Footer     string // why the recipient gets this email

	Unsubscribe *Unsubscribe // nil for emails that cannot be unsubscribed
}

// Unsubscribe is how the recipient unsubscribes from such emails.
type Unsubscribe struct {
	Text string
	Page string // for the recipient
	Post string // for the mail client, see Message.Unsubscribe
}

// Hold shows a deal's money as the site does: it is in one of three columns.
type Hold struct {
	Buyer, Amanat, Seller Column
}

// Column is one of the three columns.
type Column struct {
	Role, Name, Amount, Note string
	State                    State
	Rule                     Rule // left of the column
}

// Rule is a line between columns.
type Rule string

// Rules: none, already crossed by the money, not crossed yet.
const (
	NoRule   Rule = ""
	Solid    Rule = "solid"
	Stitched Rule = "dashed"
)

// State is when the money is in a column and who owns it then. Each owner has a colour.
type State string

// States of a column.
const (
	Past     State = "past" // struck out
	Next     State = "next"
	InTrust  State = "in_trust"
	Refunded State = "refunded" // returned to the buyer
	Paid     State = "paid"     // paid to the seller
)

// Holds reports whether the money is in the column now.
func (c Column) Holds() bool { return c.State != Past && c.State != Next }

func (c Column) line() string { return fmt.Sprintf("%s %s: %s (%s)", c.Role, c.Name, c.Amount, c.Note) }

//go:embed email.html
var emailHTML string

var emailTemplate = template.Must(template.New("email").Funcs(template.FuncMap{
	"lines": func(s string) []string { return strings.Split(s, "\n") },
}).Parse(emailHTML))

// Compose renders the email as text and HTML.
func Compose(e Email) (Message, error) {
	var html strings.Builder
	if err := emailTemplate.Execute(&html, e); err != nil {
		return Message{}, fmt.Errorf("mailer: %w", err)
	}
	m := Message{To: e.To, ReplyTo: e.ReplyTo, Subject: e.Subject, Text: e.text(), HTML: html.String()}
	if e.Unsubscribe != nil {
		m.Unsubscribe = e.Unsubscribe.Post
	}
	return m, nil
}

func (e Email) text() string {
	parts := []string{e.Subject}
	if e.Hold != nil {
		parts = append(parts, strings.Join([]string{e.Hold.Buyer.line(), e.Hold.Amanat.line(), e.Hold.Seller.line()}, "\n"))
	}
	parts = append(parts, e.Paragraphs...)
	if e.Link != "" {
		parts = append(parts, e.LinkText+": "+e.Link)
	}
	for _, part := range []string{e.Assurance, e.Footer} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if e.Unsubscribe != nil {
		parts = append(parts, e.Unsubscribe.Text+": "+e.Unsubscribe.Page)
	}
	return strings.Join(parts, "\n\n") + "\n"
}
