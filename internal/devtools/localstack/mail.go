package localstack

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-smtp"
)

const (
	mailKept         = 500 // older ones are dropped
	mailMaxBytes     = 10 << 20
	mailTimeout      = 30 * time.Second
	mailMaxDepth     = 5
	mailMaxReceivers = 50
)

// Mail is a received email.
type Mail struct {
	// The From header: name and address.
	From string `json:"from"`
	// The recipients, separated by ", ".
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	At      time.Time `json:"at"`

	Header mail.Header `json:"headers"`
}

// MailCatcher is an SMTP server that delivers nothing and shows what it received.
type MailCatcher struct {
	server   *smtp.Server
	listener net.Listener
	now      func() time.Time
	done     chan struct{} // closed when the server has ended

	mu    sync.Mutex
	mails []Mail // oldest first
}

// StartMail starts a catcher on a free port of 127.0.0.1; now returns the business time. The caller
// must stop it.
func StartMail(ctx context.Context, now func() time.Time) (*MailCatcher, error) {
	return StartMailAt(ctx, "127.0.0.1:0", now)
}

// StartMailAt is StartMail with a given address, such as that of a stopped catcher.
func StartMailAt(ctx context.Context, address string, now func() time.Time) (*MailCatcher, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", address)
	if err != nil {
		return nil, err
	}
	c := &MailCatcher{listener: listener, now: now, done: make(chan struct{})}
	c.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &mailSession{catcher: c}, nil
	}))
	c.server.Domain = "localhost"
	c.server.MaxMessageBytes = mailMaxBytes
	c.server.MaxRecipients = mailMaxReceivers
	c.server.ReadTimeout, c.server.WriteTimeout = mailTimeout, mailTimeout
	c.server.EnableSMTPUTF8 = true
	go func() {
		defer close(c.done)
		_ = c.server.Serve(listener) // ends with Stop
	}()
	return c, nil
}

// URL returns the server's address.
func (c *MailCatcher) URL() string { return "smtp://" + c.listener.Addr().String() }

// Mails returns the received emails, newest first.
func (c *MailCatcher) Mails() []Mail {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.mails)
	slices.Reverse(list)
	return append([]Mail{}, list...)
}

// Stop ends the server and its connections.
func (c *MailCatcher) Stop() error {
	err := c.server.Close()
	// The server knows the listener only once Serve runs.
	_ = c.listener.Close()
	<-c.done
	return err
}

func (c *MailCatcher) add(m Mail) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mails = append(c.mails, m)
	if len(c.mails) > mailKept {
		c.mails = slices.Delete(c.mails, 0, len(c.mails)-mailKept)
	}
}

type mailSession struct {
	catcher *MailCatcher
	to      []string
}

func (s *mailSession) Reset() { s.to = nil }

func (s *mailSession) Logout() error { return nil }

func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := parseMail(raw)
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: err.Error()}
	}
	m.To, m.At = strings.Join(s.to, ", "), s.catcher.now()
	s.catcher.add(m)
	return nil
}

func parseMail(raw []byte) (Mail, error) {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Mail{}, err
	}
	m := Mail{Header: message.Header}
	m.From = decodeHeader(message.Header.Get("From"))
	m.Subject = decodeHeader(message.Header.Get("Subject"))
	return m, m.readPart(textproto.MIMEHeader(message.Header), message.Body, 0)
}

// readPart stores the first plain text and the first HTML part of an email, however its parts are
// nested.
func (m *Mail) readPart(header textproto.MIMEHeader, body io.Reader, depth int) error {
	if depth > mailMaxDepth {
		return errors.New("parts are nested too deep")
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain" // the default of an email without the header
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := m.readPart(part.Header, part, depth+1); err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	switch {
	case kind == "text/plain" && m.Text == "":
		m.Text = string(text)
	case kind == "text/html" && m.HTML == "":
		m.HTML = string(text)
	}
	return nil
}

func decodeHeader(value string) string {
	decoded, err := new(mime.WordDecoder).DecodeHeader(value)
	if err != nil {
		return value
	}
	return decoded
}
