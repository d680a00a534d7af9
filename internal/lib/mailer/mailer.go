// Package mailer composes emails and sends them over SMTP.
package mailer

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net"
	netmail "net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
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

// Email is the content of an email; all emails share one template. Only To, Language and Subject
// are required.
type Email struct {
	To         string
	ReplyTo    string
	Language   string // en or bn
	Subject    string // also the heading
	Hold       *Hold
	Paragraphs []string // line breaks are preserved
	Items      []Item
	LinkText   string
	Link       string // "": no button
	Assurance  string // what our emails never ask for
	Footer     string // why the recipient gets this email

	Otherwise   *Otherwise   // nil: none
	Unsubscribe *Unsubscribe // nil for emails that cannot be unsubscribed
}

// Item is one of what the email lists.
type Item struct {
	Title, Note, Link string
}

// Otherwise is what the recipient does instead of following the link of the email.
type Otherwise struct {
	Paragraph, LinkText, Link string
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
	for _, item := range e.Items {
		parts = append(parts, item.Title+"\n"+item.Note+"\n"+item.Link)
	}
	if e.Link != "" {
		parts = append(parts, e.LinkText+": "+e.Link)
	}
	if e.Otherwise != nil {
		parts = append(parts, e.Otherwise.Paragraph, e.Otherwise.LinkText+": "+e.Otherwise.Link)
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

const maxAddress = 254 // RFC 5321

// addressPattern is an address whose name is in ASCII: mail servers that take others are rare
// (RFC 6531).
var addressPattern = regexp.MustCompile(`^[!-?A-~]+@[^\s\pZ\pC@]+$`)

// domainPattern is a domain below a top-level domain, which is never only digits, as IP addresses
// are.
var domainPattern = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$`)

// privateDomains are top-level domains that no mail server of the public net has.
var privateDomains = []string{"arpa", "corp", "home", "internal", "invalid", "lan", "local", "localdomain", "localhost", "onion"}

// NormalAddress returns the spelling of an address under which it is stored: without blanks around
// it, with its domain in ASCII and lower case. What is no address is returned as it is.
func NormalAddress(s string) string {
	s = strings.TrimSpace(s)
	name, domain, found := cutAddress(s)
	if !found {
		return s
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return s
	}
	return name + "@" + ascii
}

func cutAddress(s string) (name, domain string, found bool) {
	at := strings.LastIndex(s, "@")
	if at < 0 {
		return "", "", false
	}
	return s[:at], s[at+1:], true
}

// ValidAddress reports whether a user's input looks like an email address and can be sent to: its
// domain is a name of the public net.
func ValidAddress(s string) bool {
	s = NormalAddress(s)
	if len(s) > maxAddress || !addressPattern.MatchString(s) {
		return false
	}
	_, domain, _ := cutAddress(s)
	if !domainPattern.MatchString(domain) || slices.Contains(privateDomains, domain[strings.LastIndex(domain, ".")+1:]) {
		return false
	}
	address, err := netmail.ParseAddress(s)
	return err == nil && address.Address == s
}

// Outcomes of attempts to send an email, as labels of amanat_mail_attempts_total.
const (
	outcomeSent          = "sent"
	outcomeUndeliverable = "undeliverable" // ErrUndeliverable: not tried again
	outcomeUnavailable   = "unavailable"   // ErrUnavailable
	outcomeFailed        = "failed"        // the server refused this email, which is tried again
)

func newAttempts() *prometheus.CounterVec {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "amanat_mail_attempts_total",
		Help: "Attempts of this process to hand an email to the mail server, by outcome.",
	}, []string{"outcome"})
	for _, outcome := range []string{outcomeSent, outcomeUndeliverable, outcomeUnavailable, outcomeFailed} {
		attempts.WithLabelValues(outcome)
	}
	return attempts
}

// Metrics counts attempts to send an email by outcome.
func (s *SMTP) Metrics() prometheus.Collector { return s.attempts }

func outcomeOf(err error) string {
	switch {
	case err == nil:
		return outcomeSent
	case errors.Is(err, ErrUndeliverable):
		return outcomeUndeliverable
	case errors.Is(err, ErrUnavailable):
		return outcomeUnavailable
	default:
		return outcomeFailed
	}
}

// subjectChunk is the number of bytes of a subject in one encoded word, which RFC 2047 limits to 75
// characters.
const subjectChunk = 42

// setSubject sets a subject that is displayed as given. go-mail encodes non-ASCII text only, so
// that ASCII text which looks like an encoded word (in a name, for example) would be decoded by the
// reader. Such a subject is encoded here.
func setSubject(msg *mail.Msg, subject string) {
	if !strings.Contains(subject, "=?") || !isASCII(subject) {
		msg.Subject(subject)
		return
	}
	var words []string
	for chunk := range slices.Chunk([]byte(subject), subjectChunk) {
		words = append(words, "=?UTF-8?B?"+base64.StdEncoding.EncodeToString(chunk)+"?=")
	}
	msg.SetGenHeaderPreformatted(mail.HeaderSubject, strings.Join(words, mail.SingleNewLine+" "))
}

// isASCII reports whether a text has printable ASCII characters only.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}
