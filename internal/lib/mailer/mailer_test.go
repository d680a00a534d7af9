package mailer_test

import (
	"context"
	netmail "net/mail"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/mailer"
)

func TestSend(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = catcher.Stop() })
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)

	message, err := mailer.Compose(mailer.Email{
		To: "nusrat@example.com", Language: "bn", Subject: "আপনার $১০০.০০ ডিপোজিট <b>ব্যালেন্সে</b> যোগ হয়েছে।",
		Paragraphs: []string{"one\ntwo <script>", "three"},
		LinkText:   "আমানত খুলুন", Link: "https://amanat.test/balance", Assurance: "assurance", Footer: "footer",
		Hold: &mailer.Hold{
			Buyer:  mailer.Column{Role: "Buyer", Name: "rahim", Amount: "$480.00", Note: "Paid", State: mailer.Past},
			Amanat: mailer.Column{Role: "Held by", Name: "Amanat", Amount: "$480.00", Note: "Held", State: mailer.InTrust, Rule: mailer.Solid},
			Seller: mailer.Column{Role: "Seller", Name: "<i>", Amount: "$470.40", Note: "Later", State: mailer.Next, Rule: mailer.Stitched},
		},
		Unsubscribe: &mailer.Unsubscribe{
			Text: "Stop", Page: "https://amanat.test/unsubscribe?token=1", Post: "https://amanat.test/api/u?token=1",
		},
	})
	require.NoError(t, err)
	require.NoError(t, sender.Send(t.Context(), message))

	mails := catcher.Mails()
	require.Len(t, mails, 1)
	require.Equal(t, "আপনার $১০০.০০ ডিপোজিট <b>ব্যালেন্সে</b> যোগ হয়েছে।", mails[0].Subject)
	require.Equal(t, "auto-generated", mails[0].Header.Get("Auto-Submitted"))
	require.Equal(t, "<https://amanat.test/api/u?token=1>", mails[0].Header.Get("List-Unsubscribe"))
	require.Equal(t, "List-Unsubscribe=One-Click", mails[0].Header.Get("List-Unsubscribe-Post"))
	for _, line := range []string{
		"Buyer rahim: $480.00 (Paid)", "Held by Amanat: $480.00 (Held)", "Seller <i>: $470.40 (Later)", "one", "two <script>", "three",
		"আমানত খুলুন: https://amanat.test/balance", "assurance", "footer", "Stop: https://amanat.test/unsubscribe?token=1",
	} {
		require.Contains(t, strings.Split(strings.ReplaceAll(mails[0].Text, "\r\n", "\n"), "\n"), line)
	}
	html := mails[0].HTML
	require.Contains(t, html, `lang="bn"`)
	require.Contains(t, html, `href="https://amanat.test/balance"`)
	require.Contains(t, html, `href="https://amanat.test/unsubscribe?token=1"`)
	require.Contains(t, html, "one<br>two &lt;script&gt;", "users' texts are escaped")
	require.Contains(t, html, "&lt;b&gt;")
	require.NotContains(t, html, "ZgotmplZ", "no value is rejected by html/template")
	require.Regexp(t, `(?s)width="30%"[^>]*color:#4b5270.*line-through.*`+
		`width="40%"[^>]*background:#a8101f;border-left:2px solid.*border-left:2px dashed.*\$470\.40`, html,
		"the column that holds the money is the widest, and red")
}

func TestCompose_without_unsubscribe(t *testing.T) {
	t.Parallel()
	message, err := mailer.Compose(mailer.Email{To: "a@example.com", Language: "en", Subject: "Hello", Footer: "footer"})
	require.NoError(t, err)
	require.Empty(t, message.Unsubscribe)
	require.Equal(t, "Hello\n\nfooter\n", message.Text)
	require.NotContains(t, message.HTML, "<a ", "no button without a link")
}

func TestSend_reply_to(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = catcher.Stop() })
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	for _, replyTo := range []string{"nusrat@example.com", "", "not, an address@example.com"} {
		message := mailer.Message{To: "support@amanat.test", ReplyTo: replyTo, Subject: "s", Text: "t", HTML: "h"}
		require.NoError(t, sender.Send(t.Context(), message))
	}
	mails := catcher.Mails()
	require.Len(t, mails, 3)
	require.Empty(t, mails[0].Header.Get("Reply-To"), "an invalid address is left out")
	require.Empty(t, mails[1].Header.Get("Reply-To"))
	replyTo, err := mails[2].Header.AddressList("Reply-To")
	require.NoError(t, err)
	require.Equal(t, []*netmail.Address{{Address: "nusrat@example.com"}}, replyTo)
	require.Empty(t, mails[2].Header.Get("List-Unsubscribe"))
}

func TestValidAddress(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"a@b.co", "nusrat.jahan+x@mail.example.com", "nusrat@উদাহরণ.বাংলা", "o'neil@a--b.example", "x@xn--54b7fta0cc.xn--54b7fta0cc",
	} {
		t.Run(good, func(t *testing.T) {
			t.Parallel()
			require.True(t, mailer.ValidAddress(good))
		})
	}
	for _, bad := range []string{
		"", "a", "a@b", "a b@c.de", "a@b@c.de", "a\n@c.de", strings.Repeat("a", 250) + "@c.de",
		"x@[127.0.0.1]", "x@127.0.0.1", "x@[IPv6:::1]", "x@localhost", "x@localhost.localdomain", "x@mail.internal", "x@a_b.de", "x@-a.de",
		"নুসরাত@example.com", "caf\u00e9@example.com", "a,b@c.de", "(x@c.de", "a..b@c.de", "<a@c.de>", `"a"@c.de`, "a@c.de.", "a\u00a0b@c.de",
	} {
		t.Run(strconv.Quote(bad), func(t *testing.T) {
			t.Parallel()
			require.False(t, mailer.ValidAddress(bad))
		})
	}
}

func TestNormalAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		" A@Example.COM ":    "A@example.com",
		"i@পরীক্ষা.বাংলা":    "i@xn--p5b5bs3a9aj6g.xn--54b7fta0cc",
		"i@\uff45xample.com": "i@example.com",
		"no address":         "no address",
		"i@a b":              "i@a b",
	} {
		t.Run(given, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, mailer.NormalAddress(given))
			require.Equal(t, want, mailer.NormalAddress(want))
		})
	}
}

func TestSend_server_down(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	require.NoError(t, catcher.Stop())
	require.Error(t, sender.Send(t.Context(), mailer.Message{To: "a@example.com", Subject: "s", Text: "t", HTML: "h"}))
}

func TestNewSMTP(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://mail", "smtp://", "smtp://host:port"} {
		t.Run(strconv.Quote(url), func(t *testing.T) {
			t.Parallel()
			_, err := mailer.NewSMTP(url, "a@example.com", 4)
			require.Error(t, err)
		})
	}
	for _, url := range []string{
		"smtp://localhost:1025", "smtps://user:secret@mail.example.com", "smtp://mail.example.com?tls=opportunistic",
	} {
		t.Run(strconv.Quote(url), func(t *testing.T) {
			t.Parallel()
			_, err := mailer.NewSMTP(url, "a@example.com", 4)
			require.NoError(t, err)
		})
	}
	_, err := mailer.NewSMTP("smtp://localhost:1025", "Amanat", 4)
	require.Error(t, err, "the sender is no address")
}
