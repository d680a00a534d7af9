package mailer

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

// Letter is what a mail says; every letter has the same form.
type Letter struct {
	To       string
	Language string // en or bn
	Text     string // one paragraph, also the subject
	LinkText string
	Link     string
	Footer   string
}

//go:embed letter.html
var letterHTML string

var letterTemplate = template.Must(template.New("letter").Parse(letterHTML))

// Compose lays the letter out as text and HTML.
func Compose(l Letter) (Message, error) {
	var html strings.Builder
	if err := letterTemplate.Execute(&html, l); err != nil {
		return Message{}, fmt.Errorf("mailer: %w", err)
	}
	text := fmt.Sprintf("%s\n\n%s: %s\n\n%s\n", l.Text, l.LinkText, l.Link, l.Footer)
	return Message{To: l.To, Subject: l.Text, Text: text, HTML: html.String()}, nil
}
