package localstack

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/mailer"
)

var mailTime = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func startMail(t *testing.T) *MailCatcher {
	t.Helper()
	c, err := StartMail(t.Context(), func() time.Time { return mailTime })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

func TestMails(t *testing.T) {
	t.Parallel()
	c := startMail(t)
	sender, err := mailer.NewSMTP(c.URL(), "Amanat <no-reply@amanat.example>", 4)
	require.NoError(t, err)
	long := strings.Repeat("টাকা আপনার ওয়ালেটে পৌঁছেছে। ", 40)
	for _, subject := range []string{"First", "আপনার ই-মেইল নিশ্চিত করুন"} {
		require.NoError(t, sender.Send(t.Context(), mailer.Message{
			To:      "buyer@example.com",
			Subject: subject,
			Text:    long + "\nhttps://amanat.example/verify-email?token=a=b",
			HTML:    "<p>আমানত &amp; co</p>",
		}))
	}
	mails := c.Mails()
	require.Len(t, mails, 2)
	require.Equal(t, "আপনার ই-মেইল নিশ্চিত করুন", mails[0].Subject, "newest first")
	require.Equal(t, "First", mails[1].Subject)
	require.Contains(t, mails[0].From, "no-reply@amanat.example")
	require.Equal(t, "buyer@example.com", mails[0].To)
	require.Contains(t, mails[0].Text, strings.TrimSpace(long))
	require.Contains(t, mails[0].Text, "https://amanat.example/verify-email?token=a=b")
	require.Contains(t, mails[0].HTML, "<p>আমানত &amp; co</p>")
	require.Equal(t, mailTime, mails[0].At)
}

func TestMails_other_formats(t *testing.T) {
	t.Parallel()
	c := startMail(t)
	send := func(raw string) error {
		return smtp.SendMail(strings.TrimPrefix(c.URL(), "smtp://"), nil, "bounces@example.com",
			[]string{"a@example.com", "b@example.com"}, []byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	}
	require.NoError(t, send("Subject: plain\n\nNo content type at all.\n"))
	require.NoError(t, send("Subject: base64\nContent-Type: text/plain; charset=utf-8\n"+
		"Content-Transfer-Encoding: base64\n\n4KaG4Kau4Ka+4Kao4KakCg==\n"))
	require.Error(t, send("this is no letter\n"))

	mails := c.Mails()
	require.Len(t, mails, 2)
	require.Equal(t, "আমানত\n", mails[0].Text)
	require.Equal(t, "No content type at all.", strings.TrimSpace(mails[1].Text))
	require.Equal(t, "a@example.com, b@example.com", mails[1].To)
}

func TestServeHTTP(t *testing.T) {
	t.Parallel()
	c := startMail(t)
	get := func(method, target string) *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		c.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), method, target, nil))
		return recorder
	}
	require.JSONEq(t, "[]", get(http.MethodGet, "/dev/mail?format=json").Body.String())
	require.Contains(t, get(http.MethodGet, "/dev/mail").Body.String(), "No mail yet")

	c.add(Mail{
		From: "a@example.com", To: "b@example.com", Subject: "<script>alert(1)</script>", Text: "t",
		HTML: `<a href="https://x.example/?a=1&amp;b=2">"go"</a>`, At: mailTime,
		Header: mail.Header{"Auto-Submitted": {"auto-generated"}},
	})
	var list []map[string]any
	require.NoError(t, json.Unmarshal(get(http.MethodGet, "/dev/mail?format=json").Body.Bytes(), &list))
	require.Len(t, list, 1)
	require.Equal(t, map[string]any{
		"from": "a@example.com", "to": "b@example.com", "subject": "<script>alert(1)</script>", "text": "t",
		"html": `<a href="https://x.example/?a=1&amp;b=2">"go"</a>`, "at": "2026-03-04T05:06:07Z",
		"headers": map[string]any{"Auto-Submitted": []any{"auto-generated"}},
	}, list[0])

	page := get(http.MethodGet, "/dev/mail").Body.String()
	require.NotContains(t, page, "<script>")
	require.Contains(t, page,
		`srcdoc="&lt;base target=&#34;_blank&#34;&gt;&lt;a href=&#34;https://x.example/?a=1&amp;amp;b=2&#34;&gt;&#34;go&#34;&lt;/a&gt;"`,
		"the letter's markup, escaped once")
	require.Equal(t, http.StatusMethodNotAllowed, get(http.MethodPost, "/dev/mail").Code)
}
