// Package webpush sends messages to browsers through the push services of their makers (RFC 8030),
// encrypted for the browser (RFC 8291) and signed with the keys of the server (VAPID, RFC 8292).
package webpush

import (
	"bytes"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/SherClockHolmes/webpush-go"
)

// MaxPayload bounds the payload of a message: what push services accept, less the encryption.
const MaxPayload = 3000

// sendTimeout bounds one attempt, from the name of the service to the end of its answer.
const sendTimeout = 10 * time.Second

// Subscription is where to send messages for one browser, as its Push API gives it.
type Subscription struct {
	Endpoint string // a secret: whoever knows it can send to the browser
	P256dh   []byte
	Auth     []byte
}

// Message is what a browser is sent.
type Message struct {
	Payload []byte
	TTL     time.Duration // how long the service keeps it for a browser that is offline
	Urgent  bool          // wakes a device that saves its battery
	Topic   string        // replaces a waiting message with the same topic; at most 32 of A-Z a-z 0-9 - _
}

// Results of Send that say that no retry helps.
var (
	// ErrGone says that the subscription has ended.
	ErrGone = errors.New("webpush: the subscription has ended")
	// ErrUndeliverable says that the service does not accept the message, or must not be called.
	ErrUndeliverable = errors.New("webpush: undeliverable")
)

// RetryError says that the service cannot take the message now.
type RetryError struct {
	Status int
	After  time.Duration // the pause that the service asks for; 0: none
}

// Error returns the status.
func (e *RetryError) Error() string { return fmt.Sprintf("webpush: status %d", e.Status) }

// Sender sends messages.
type Sender struct {
	keys    Keys
	contact string
	client  *http.Client
}

// NewSender returns a Sender. contact is the email address that push services may write to about
// its messages. A nil client stands for Client().
func NewSender(keys Keys, contact string, client *http.Client) *Sender {
	if client == nil {
		client = Client()
	}
	return &Sender{keys: keys, contact: contact, client: client}
}

// Send sends a message to a browser. It fails with ErrGone, ErrUndeliverable, *RetryError or an
// error of the connection. No error contains the endpoint.
func (s *Sender) Send(ctx context.Context, to Subscription, m Message) error {
	if err := CheckEndpoint(to.Endpoint); err != nil {
		return fmt.Errorf("%w: %w", ErrUndeliverable, err)
	}
	if len(m.Payload) > MaxPayload {
		return fmt.Errorf("%w: the payload has %d bytes", ErrUndeliverable, len(m.Payload))
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	urgency := webpush.UrgencyNormal
	if m.Urgent {
		urgency = webpush.UrgencyHigh
	}
	answer, err := webpush.SendNotificationWithContext(ctx, m.Payload, &webpush.Subscription{
		Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: encode(to.P256dh), Auth: encode(to.Auth)},
	}, &webpush.Options{
		HTTPClient: s.client, Subscriber: s.contact, TTL: int(m.TTL.Seconds()), Topic: m.Topic, Urgency: urgency,
		VAPIDPublicKey: s.keys.Public, VAPIDPrivateKey: s.keys.Private,
	})
	if err != nil {
		return withoutURL(err)
	}
	defer func() { _ = answer.Body.Close() }() // the body is not read
	return resultOf(answer)
}

// withoutURL removes the endpoint from an error of the client.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	if errors.Is(err, errPrivate) {
		return fmt.Errorf("%w: %w", ErrUndeliverable, err)
	}
	return fmt.Errorf("webpush: %w", err)
}

func resultOf(answer *http.Response) error {
	switch status := answer.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		return ErrGone
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		seconds, err := strconv.Atoi(answer.Header.Get("Retry-After"))
		if err != nil || seconds < 0 {
			seconds = 0
		}
		return &RetryError{Status: status, After: min(time.Duration(seconds)*time.Second, 24*time.Hour)}
	default:
		return fmt.Errorf("%w: status %d", ErrUndeliverable, status)
	}
}

// Keys identify the server to push services. Browsers bind their subscriptions to the public key,
// so that new keys end all of them.
type Keys struct {
	Public, Private string // in base64, for URLs and without padding
}

// NewKeys returns a new pair.
func NewKeys() (Keys, error) {
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return Keys{}, fmt.Errorf("VAPID keys: %w", err)
	}
	return Keys{Public: encode(private.PublicKey().Bytes()), Private: encode(private.Bytes())}, nil
}

// Check reports whether the two are a pair.
func (k Keys) Check() error {
	public, err := base64.RawURLEncoding.DecodeString(k.Public)
	if err != nil {
		return errors.New("the public key is not in base64 for URLs without padding")
	}
	secret, err := base64.RawURLEncoding.DecodeString(k.Private)
	if err != nil {
		return errors.New("the private key is not in base64 for URLs without padding")
	}
	private, err := ecdh.P256().NewPrivateKey(secret)
	if err != nil {
		return errors.New("the private key is not one of P-256")
	}
	if !bytes.Equal(private.PublicKey().Bytes(), public) {
		return errors.New("the two keys do not belong together")
	}
	return nil
}

// CheckPublic reports whether the text is a public key.
func CheckPublic(text string) error {
	key, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return errors.New("the public key is not in base64 for URLs without padding")
	}
	return checkPoint(key)
}

func checkPoint(key []byte) error {
	if _, err := ecdh.P256().NewPublicKey(key); err != nil {
		return errors.New("the public key is not one of P-256")
	}
	return nil
}

func encode(key []byte) string { return base64.RawURLEncoding.EncodeToString(key) }

const authBytes = 16

// ParseKeys decodes the keys of a subscription, as browsers send them.
func ParseKeys(p256dh, auth string) (public, secret []byte, err error) {
	if public, err = base64.RawURLEncoding.DecodeString(p256dh); err != nil {
		return nil, nil, errors.New("p256dh is not in base64 for URLs without padding")
	}
	if err := checkPoint(public); err != nil {
		return nil, nil, err
	}
	if secret, err = base64.RawURLEncoding.DecodeString(auth); err != nil || len(secret) != authBytes {
		return nil, nil, errors.New("auth is not 16 bytes in base64 for URLs without padding")
	}
	return public, secret, nil
}

// MaxEndpoint bounds the length of an endpoint. Those of the known services have up to 500 bytes.
const MaxEndpoint = 1000

var errEndpoint = errors.New("the endpoint must be an https address of a push service")

// CheckEndpoint reports whether an endpoint may be that of a push service: https on its own port,
// at a public name. Users send endpoints, so that the server must not call whatever they name; what
// the name resolves to is checked at each connection.
func CheckEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || len(endpoint) > MaxEndpoint || u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return errEndpoint
	}
	if port := u.Port(); port != "" && port != "443" {
		return errEndpoint
	}
	return checkHost(strings.ToLower(u.Hostname()))
}

// localDomains are names that never belong to a public server.
var localDomains = []string{".local", ".localhost", ".internal", ".lan", ".home.arpa", ".corp", ".home", ".intranet", ".onion"}

func checkHost(host string) error {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	// Without a dot it is a name of the local network. Old notations of IPv4 end with a number.
	if !strings.Contains(host, ".") || strings.ContainsAny(host, ":%[]") || last == "" || last[0] >= '0' && last[0] <= '9' {
		return errEndpoint
	}
	for _, local := range localDomains {
		if strings.HasSuffix(host, local) {
			return errEndpoint
		}
	}
	return nil
}

var errPrivate = errors.New("the address is not public")

// reserved are the networks of unicast addresses that lead to no public server, or to any address
// through a gateway.
var reserved = func() []netip.Prefix {
	var list []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "::/8", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
		"5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}()

// public reports whether an address is one of the internet.
func public(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.IsPrivate() {
		return false
	}
	for _, prefix := range reserved {
		if prefix.Contains(address) {
			return false
		}
	}
	return true
}

const (
	dialTimeout    = 5 * time.Second
	maxAnswerBytes = 16 << 10 // of the headers
	idlePerHost    = 8
	idleTimeout    = time.Minute
)

// Client returns an HTTP client that connects to public addresses only, whatever a name resolves to
// at that moment, and follows no redirects.
func Client() *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, ControlContext: refusePrivate}
	transport := &http.Transport{
		DialContext:            dialer.DialContext, // no proxy, which would resolve names itself
		ForceAttemptHTTP2:      true,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConnsPerHost:    idlePerHost,
		MaxResponseHeaderBytes: maxAnswerBytes,
		ResponseHeaderTimeout:  sendTimeout,
		TLSHandshakeTimeout:    dialTimeout,
	}
	toTestService(transport)
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// refusePrivate is called with each address before a connection is made.
func refusePrivate(_ context.Context, _, address string, _ syscall.RawConn) error {
	parsed, err := netip.ParseAddrPort(address)
	if err != nil || !public(parsed.Addr()) {
		return errPrivate
	}
	return nil
}
