// Package mailer composes letters and sends them over SMTP.
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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
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

// ErrUndeliverable is wrapped by the error of a letter that no attempt will deliver: mail servers do not take its reader's address.
var ErrUndeliverable = errors.New("mailer: undeliverable")

// SMTP sends over one server, a connection a letter.
type SMTP struct {
	host    string
	from    *netmail.Address
	dial    mail.DialContextFunc
	options []mail.Option
}

// sendTimeout bounds all that is said with a server for one letter. Workers have a few seconds more.
const sendTimeout = 15 * time.Second

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
	s := &SMTP{host: u.Hostname(), from: sender, dial: new(net.Dialer).DialContext}
	secure := &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
	policy := mail.TLSMandatory
	if isLoopback(s.host) || u.Query().Get("tls") == "opportunistic" {
		policy = mail.TLSOpportunistic
	}
	// A connection carries one letter: nothing is gained from asking first whether it is alive, or from making it ready for another.
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

// Send delivers the letter to the server, within 15 s and no longer than ctx lives. An error means that it may or may not have arrived;
// sending again is right, unless the error is ErrUndeliverable. No error holds the reader's address.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	letter, err := s.letter(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	client, err := mail.NewClient(s.host, append(slices.Clone(s.options), mail.WithDialContextFunc(s.within(ctx)))...)
	if err != nil {
		return fmt.Errorf("mailer: %w", err)
	}
	err = client.DialAndSendWithContext(ctx, letter)
	if err == nil || letter.IsDelivered() { // what failed after that was the goodbye
		return nil
	}
	return explain(ctx, err, m.To, letter.GetTo()[0].Address)
}

// within returns a dialer whose connections end with ctx, whatever is being said on them: the client looks at ctx only while it dials.
func (s *SMTP) within(ctx context.Context) mail.DialContextFunc {
	return func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := s.dial(dialing, network, address)
		if err == nil {
			context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}
}

func (s *SMTP) letter(m Message) (*mail.Msg, error) {
	to, err := netmail.ParseAddress(m.To)
	if err != nil {
		return nil, fmt.Errorf("%w: not an address", ErrUndeliverable)
	}
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	letter.FromMailAddress(s.from)
	letter.ToMailAddress(to)
	letter.SetMessageIDWithValue(rand.Text() + s.from.Address[strings.LastIndexByte(s.from.Address, '@'):])
	letter.Subject(m.Subject)
	if replyTo, err := netmail.ParseAddress(m.ReplyTo); err == nil { // people may have entered what mail programs do not take
		letter.ReplyToMailAddress(replyTo)
	}
	if m.Unsubscribe != "" {
		letter.SetListUnsubscribe(m.Unsubscribe)
		letter.SetListUnsubscribePost()
	}
	letter.SetBodyString(mail.TypeTextPlain, m.Text)
	letter.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return letter, nil
}

// explain tells failures that each attempt will have from those that another may not have, and takes the reader's address out, however it
// is written.
func explain(ctx context.Context, err error, addresses ...string) error {
	if sent := new(mail.SendError); errors.As(err, &sent) && refusesReader(sent) {
		return fmt.Errorf("%w: the server refuses the reader: %d %s", ErrUndeliverable, sent.ErrorCode(), sent.EnhancedStatusCode())
	}
	text := err.Error()
	for _, address := range addresses {
		text = strings.ReplaceAll(text, address, "(reader)")
	}
	if ctx.Err() != nil {
		return fmt.Errorf("mailer: %w: %s", ctx.Err(), text)
	}
	return errors.New("mailer: " + text)
}

// refusesReader tells whether the server has refused the reader for good. A refusal for reasons of policy (X.7.X in RFC 3463), such as
// that it does not relay for us, is rather about us: an operator may put that right.
func refusesReader(err *mail.SendError) bool {
	return err.Reason == mail.ErrSMTPRcptTo && err.ErrorCode() >= 500 && !strings.HasPrefix(err.EnhancedStatusCode(), "5.7.")
}
