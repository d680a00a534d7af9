// Package mailer composes letters and sends them over SMTP.
package mailer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strconv"
	"time"

	"github.com/go-mail/mail/v2"
)

// Message is a letter ready to send, with a part for each kind of reader.
type Message struct {
	To      string
	ReplyTo string // "": to the sender
	Subject string
	Text    string
	HTML    string
	// Unsubscribe is where a mail program posts when its reader wants no more of such mails (RFC 8058); "" for letters that always come.
	Unsubscribe string
}

// Sender sends one letter. *SMTP is one.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// SMTP sends over one server, a connection a letter.
type SMTP struct {
	dialer *mail.Dialer
	from   string
}

const dialTimeout = 10 * time.Second

// NewSMTP returns a sender for smtp://user:password@host:port (STARTTLS where the server offers it; required unless the host is
// loopback or ?tls=opportunistic says otherwise) or smtps:// (TLS from the start).
func NewSMTP(rawURL, from string) (*SMTP, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("mailer: %w", err)
	}
	implicit := u.Scheme == "smtps"
	if (u.Scheme != "smtp" && !implicit) || u.Hostname() == "" {
		return nil, errors.New("mailer: SMTP URL must be smtp://host:port or smtps://host:port")
	}
	port := 587
	if implicit {
		port = 465
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, fmt.Errorf("mailer: %w", err)
		}
	}
	password, _ := u.User.Password()
	d := mail.NewDialer(u.Hostname(), port, u.User.Username(), password)
	d.Timeout = dialTimeout
	d.SSL = implicit
	d.TLSConfig = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
	d.StartTLSPolicy = mail.MandatoryStartTLS
	if isLoopback(u.Hostname()) || u.Query().Get("tls") == "opportunistic" {
		d.StartTLSPolicy = mail.OpportunisticStartTLS
	}
	return &SMTP{dialer: d, from: from}, nil
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Send delivers the letter to the server. An error means that it may or may not have arrived; sending again is right.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	letter := mail.NewMessage()
	letter.SetHeader("From", s.from)
	letter.SetHeader("To", m.To)
	letter.SetHeader("Subject", m.Subject)
	if replyTo, err := netmail.ParseAddress(m.ReplyTo); err == nil { // people may have entered what mail programs do not take
		letter.SetHeader("Reply-To", letter.FormatAddress(replyTo.Address, replyTo.Name))
	}
	if m.Unsubscribe != "" {
		letter.SetHeader("List-Unsubscribe", "<"+m.Unsubscribe+">")
		letter.SetHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	letter.SetBody("text/plain", m.Text)
	letter.AddAlternative("text/html", m.HTML)
	if err := s.dialer.DialAndSend(letter); err != nil {
		return fmt.Errorf("mailer: %w", err)
	}
	return nil
}
