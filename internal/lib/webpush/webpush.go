// Package webpush sends messages to browsers through the push services of their makers (RFC 8030),
// encrypted for the browser (RFC 8291) and signed with the keys of the server (VAPID, RFC 8292).
package webpush

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
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
