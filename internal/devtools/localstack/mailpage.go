package localstack

import (
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"time"
)

//go:embed mailpage.html
var pages embed.FS

var mailPage = template.Must(template.New("mailpage.html").Funcs(template.FuncMap{
	// Links in an email must not open inside its frame.
	"frame": func(html string) string { return `<base target="_blank">` + html },
	"time":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
}).ParseFS(pages, "mailpage.html"))

// ServeHTTP shows the received emails, newest first: as a page, or as a JSON list with
// ?format=json.
func (c *MailCatcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Query().Get("format") == "json" {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(c.Mails()) // fails only if the client is gone
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// The HTML of an email is shown in a frame without scripts, forms or cookies; its links open in
	// a new tab.
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'")
	_ = mailPage.Execute(w, c.Mails())
}
