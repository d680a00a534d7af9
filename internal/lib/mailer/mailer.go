// Package mailer composes emails and sends them over SMTP.
package mailer

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/wneessen/go-mail"
	"golang.org/x/sync/semaphore"
)

// Message is an email ready to send, as text and HTML.
type Message struct {
	To      string
	ReplyTo string // "": the sender
	Subject string
	Text    string
	HTML    string
	// Unsubscribe is the URL to which a mail client posts to unsubscribe its user (RFC 8058); ""
	// for emails that cannot be unsubscribed.
	Unsubscribe string
}

// Sender sends one email. *SMTP implements it.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// ErrUndeliverable is wrapped by the error of an email that no retry can deliver, because the
// recipient's address is invalid or refused.
var ErrUndeliverable = errors.New("mailer: undeliverable")

// ErrUnavailable is wrapped by the error of an email that failed because the server cannot be
// reached, does not answer or accepts no email from us. Any other email would fail now as well.
var ErrUnavailable = errors.New("mailer: server unavailable")

// SMTP sends emails over one server. Connections are kept open for a while for the next emails.
type SMTP struct {
	slots    *semaphore.Weighted // one for each connection
	host     string
	from     *netmail.Address
	dial     mail.DialContextFunc
	options  []mail.Option
	sessions pool
	attempts *prometheus.CounterVec
}

// sendTimeout bounds the sending of one email, including a new connection if it needs one. Workers'
// job timeout is a few seconds longer.
const sendTimeout = 15 * time.Second

// NewSMTP returns a sender for smtp://user:password@host:port (STARTTLS where the server offers it;
// required unless the host is loopback or ?tls=opportunistic says otherwise) or smtps:// (TLS from
// the start). It has at most the given number of connections, and at least one.
func NewSMTP(rawURL, from string, connections int) (*SMTP, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("mailer: %w", err)
	}
	implicit := u.Scheme == "smtps"
	if (u.Scheme != "smtp" && !implicit) || u.Hostname() == "" {
		return nil, errors.New("mailer: SMTP URL must be smtp://host:port or smtps://host:port")
	}
	port := mail.DefaultPortTLS
	if implicit {
		port = mail.DefaultPortSSL
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, fmt.Errorf("mailer: %w", err)
		}
	}
	sender, err := netmail.ParseAddress(from)
	if err != nil {
		return nil, fmt.Errorf("mailer: sender: %w", err)
	}
	s := &SMTP{
		slots: semaphore.NewWeighted(int64(max(connections, 1))), host: u.Hostname(), from: sender,
		dial: new(net.Dialer).DialContext, sessions: pool{keep: idleTime}, attempts: newAttempts(),
	}
	secure := &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	policy := mail.TLSMandatory
	if isLoopback(s.host) || u.Query().Get("tls") == "opportunistic" {
		policy = mail.TLSOpportunistic
	}
	// A connection is used again only if its last email was accepted: nothing is to be reset, and
	// if the server has closed it meanwhile, the first command of the next email says so.
	s.options = []mail.Option{
		mail.WithPort(port), mail.WithTimeout(sendTimeout), mail.WithHELO("localhost"), mail.WithTLSConfig(secure), mail.WithTLSPolicy(policy),
		mail.WithoutNoop(), mail.WithoutRset(),
	}
	if implicit {
		s.dial = (&tls.Dialer{Config: secure}).DialContext
		s.options = append(s.options, mail.WithSSL())
	}
	if name := u.User.Username(); name != "" {
		password, _ := u.User.Password()
		s.options = append(s.options, mail.WithUsername(name), mail.WithPassword(password), mail.WithOpportunisticSMTPAuth(
			mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1, mail.SMTPAuthCramMD5, mail.SMTPAuthPlain, mail.SMTPAuthLogin))
	}
	if _, err := mail.NewClient(s.host, s.options...); err != nil {
		return nil, fmt.Errorf("mailer: %w", err)
	}
	return s, nil
}

func isLoopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Send sends the email within 15 s or until ctx ends, which includes waiting for a connection:
// while all are in use, emails are sent in the order of the calls. After an error it may or may not
// have been delivered; the caller should retry unless the error is ErrUndeliverable. Errors never
// contain the recipient's address.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	err := s.send(ctx, m)
	s.attempts.WithLabelValues(outcomeOf(err)).Inc()
	return err
}

func (s *SMTP) send(ctx context.Context, m Message) error {
	msg, err := s.newMsg(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("%w: %w: all connections are in use", ErrUnavailable, err)
	}
	defer s.slots.Release(1)
	err = s.deliver(ctx, msg)
	if err == nil || msg.IsDelivered() {
		return nil
	}
	return explain(ctx, err, m.To, msg.GetTo()[0].Address)
}

func (s *SMTP) newMsg(m Message) (*mail.Msg, error) {
	to, err := netmail.ParseAddress(m.To)
	if err != nil {
		return nil, fmt.Errorf("%w: not an address", ErrUndeliverable)
	}
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	msg.FromMailAddress(s.from)
	msg.ToMailAddress(to)
	msg.SetMessageIDWithValue(rand.Text() + s.from.Address[strings.LastIndexByte(s.from.Address, '@'):])
	setSubject(msg, m.Subject)
	if replyTo, err := netmail.ParseAddress(m.ReplyTo); err == nil { // otherwise left out
		msg.ReplyToMailAddress(replyTo)
	}
	// Absence notices and ticket systems do not answer it (RFC 3834).
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		msg.SetListUnsubscribe(m.Unsubscribe)
		msg.SetListUnsubscribePost()
	}
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return msg, nil
}

// explain distinguishes permanent failures from those worth a retry, and removes the recipient's
// address from the text.
func explain(ctx context.Context, err error, addresses ...string) error {
	if sent := new(mail.SendError); errors.As(err, &sent) && rejectsRecipient(sent) {
		return fmt.Errorf("%w: the server refuses the reader: %d %s", ErrUndeliverable, sent.ErrorCode(), sent.EnhancedStatusCode())
	}
	text := err.Error()
	for _, address := range addresses {
		text = strings.ReplaceAll(text, address, "(reader)")
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w: %s", ErrUnavailable, ctx.Err(), text)
	}
	if isUnavailable(err) {
		return fmt.Errorf("%w: %s", ErrUnavailable, text)
	}
	return errors.New("mailer: " + text)
}

// rejectsRecipient reports whether the server has permanently refused the recipient. A refusal for
// reasons of policy (X.7.X in RFC 3463), such as a relay that is not allowed, concerns the sender:
// an operator may fix that.
func rejectsRecipient(err *mail.SendError) bool {
	return err.Reason == mail.ErrSMTPRcptTo && err.ErrorCode() >= 500 && !strings.HasPrefix(err.EnhancedStatusCode(), "5.7.")
}
