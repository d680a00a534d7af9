package mailer_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	netmail "net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"sync/atomic"
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
		Otherwise: &mailer.Otherwise{Paragraph: "else", LinkText: "Not me", Link: "https://amanat.test/not-me"},
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
		"আমানত খুলুন: https://amanat.test/balance", "else", "Not me: https://amanat.test/not-me",
		"assurance", "footer", "Stop: https://amanat.test/unsubscribe?token=1",
	} {
		require.Contains(t, strings.Split(strings.ReplaceAll(mails[0].Text, "\r\n", "\n"), "\n"), line)
	}
	html := mails[0].HTML
	require.Contains(t, html, `lang="bn"`)
	require.Contains(t, html, `href="https://amanat.test/balance"`)
	require.Contains(t, html, `href="https://amanat.test/not-me"`)
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

// A subject may contain names chosen by users: mail clients must display it exactly as written.
func TestSend_subject(t *testing.T) {
	t.Parallel()
	catcher, err := localstack.StartMail(context.WithoutCancel(t.Context()), time.Now)
	require.NoError(t, err)
	t.Cleanup(func() { _ = catcher.Stop() })
	sender, err := mailer.NewSMTP(catcher.URL(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	for _, subject := range []string{
		"Message from =?utf-8?q?=0d=0aBcc:_victim=40example.com?=",
		"Message from =?utf-8?q?boss?= " + strings.Repeat("and a long name ", 10),
		"=?utf-8?b?4KaG4Kau4Ka+4Kao4Kak?= আমানত",
		"Is 1+1=2?",
	} {
		require.NoError(t, sender.Send(t.Context(), mailer.Message{To: "support@amanat.test", Subject: subject, Text: "t", HTML: "h"}))
		require.Equal(t, subject, catcher.Mails()[0].Subject)
		require.Empty(t, catcher.Mails()[0].Header.Get("Bcc"))
	}
}

// server is an SMTP server with the given answers by command. Other commands succeed. The answer ""
// closes the connection. "content" is the answer to the text of the email.
type server struct {
	listener    net.Listener
	answers     map[string]string
	mails       int    // emails over one connection, after which it is closed without a word; 0: any number
	onContent   func() // called before the text of an email is answered, if not nil
	connections atomic.Int32
	commands    chan string // received; need not be read
	closed      chan struct{}
}

// silence is an answer that is never sent.
const silence = "silence"

func serve(t *testing.T, answers map[string]string, options ...func(*server)) *server {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s := &server{listener: listener, answers: answers, commands: make(chan string, 100), closed: make(chan struct{}, 100)}
	for _, option := range options {
		option(s)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			go s.talk(textproto.NewConn(conn))
		}
	}()
	return s
}

func (s *server) talk(conn *textproto.Conn) {
	defer func() {
		_ = conn.Close()
		s.closed <- struct{}{}
	}()
	command, mails := "greeting", 0
	for {
		answer, known := s.answers[command]
		switch {
		case !known && command == "greeting":
			answer = "220 mail"
		case !known && command == "DATA":
			answer = "354 go on"
		case !known && command == "QUIT":
			answer = "221 goodbye"
		case !known:
			answer = "250 fine"
		}
		if answer == "" {
			return
		}
		if command == "content" && s.onContent != nil {
			s.onContent()
		}
		if answer != silence && conn.PrintfLine("%s", answer) != nil {
			return
		}
		if command == "content" {
			if mails++; mails == s.mails {
				return
			}
		}
		if command == "DATA" && strings.HasPrefix(answer, "354") {
			if _, err := conn.ReadDotBytes(); err != nil {
				return
			}
			command = "content"
			continue
		}
		line, err := conn.ReadLine()
		if err != nil {
			return
		}
		command, _, _ = strings.Cut(line, " ")
		command, _, _ = strings.Cut(command, ":")
		s.commands <- line
	}
}

// send sends an email to the recipient, with a short timeout in case it hangs.
func (s *server) send(ctx context.Context, t *testing.T, user, recipient string) error {
	t.Helper()
	sender, err := mailer.NewSMTP("smtp://"+user+s.listener.Addr().String(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- sender.Send(ctx, mailer.Message{To: recipient, Subject: "s", Text: "t", HTML: "h"}) }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		require.Fail(t, "sending hangs")
		return nil
	}
}

func TestSend_silent_server(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"greeting", "EHLO", "MAIL", "RCPT", "DATA", "content"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]string{at: silence})
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			err := s.send(ctx, t, "", "nusrat@example.com")
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotContains(t, err.Error(), "nusrat")
			<-s.closed // the connection is not leaked
			require.EqualValues(t, 1, s.connections.Load())
		})
	}
}

func TestSend_cancelled(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"RCPT": silence})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for line := range s.commands {
			if strings.HasPrefix(line, "RCPT") {
				cancel()
				return
			}
		}
	}()
	require.ErrorIs(t, s.send(ctx, t, "", "nusrat@example.com"), context.Canceled)
}

func TestSend_server_hangs_up(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"greeting", "EHLO", "MAIL", "RCPT", "DATA", "content"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]string{at: "", "HELO": ""})
			err := s.send(t.Context(), t, "", "nusrat@example.com")
			require.Error(t, err)
			require.NotErrorIs(t, err, mailer.ErrUndeliverable)
			require.EqualValues(t, 1, s.connections.Load())
		})
	}
}

func TestSend_undeliverable(t *testing.T) {
	t.Parallel()
	const (
		ehlo       = "250-mail\r\n250 ENHANCEDSTATUSCODES"
		noRelaying = "554 5.7.1 <nusrat@example.com> no relaying"
	)
	for name, c := range map[string]struct {
		answers   map[string]string
		recipient string
		final     bool
	}{
		"two addresses":         {nil, "a,b@example.com", true},
		"a comment":             {nil, "(nusrat@example.com", true},
		"two dots":              {nil, "a..b@example.com", true},
		"unknown user":          {map[string]string{"RCPT": "550 nusrat@example.com: nobody"}, "nusrat@example.com", true},
		"unknown user, by code": {map[string]string{"EHLO": ehlo, "RCPT": "550 5.1.1 nobody"}, "nusrat@example.com", true},
		"greylisted":            {map[string]string{"RCPT": "450 <nusrat@example.com> later"}, "nusrat@example.com", false},
		"relay denied":          {map[string]string{"EHLO": ehlo, "RCPT": noRelaying}, "nusrat@example.com", false},
		"sender refused":        {map[string]string{"MAIL": "550 who are you?"}, "nusrat@example.com", false},
		"full":                  {map[string]string{"content": "452 nusrat@example.com is full"}, "nusrat@example.com", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := serve(t, c.answers).send(t.Context(), t, "", c.recipient)
			require.Error(t, err)
			require.Equal(t, c.final, errors.Is(err, mailer.ErrUndeliverable), "%v", err)
			require.NotContains(t, err.Error(), "example.com", "logs must not contain addresses")
		})
	}
	err := serve(t, map[string]string{"MAIL": "530 sign in first"}).send(t.Context(), t, "", "nusrat@example.com")
	require.ErrorContains(t, err, "sign in first", "the log contains the server's answer")
}

func TestSend_auth(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"EHLO": "250-mail\r\n250 AUTH LOGIN PLAIN", "AUTH": "235 welcome"})
	require.NoError(t, s.send(t.Context(), t, "amanat:secret@", "nusrat@example.com"))
	require.Equal(t, "EHLO localhost", <-s.commands)
	require.Equal(t, "AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00amanat\x00secret")), <-s.commands)
	require.Equal(t, "MAIL FROM:<no-reply@amanat.test>", <-s.commands)
	require.Equal(t, "RCPT TO:<nusrat@example.com>", <-s.commands)
}
