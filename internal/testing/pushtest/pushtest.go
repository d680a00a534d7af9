// Package pushtest is a push service for tests. It checks what push services check, and decrypts
// what browsers would.
package pushtest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/webpush"
)

// origin is that of the service. The certificate of httptest is for this name.
const origin = "https://example.com"

// Service is a push service with its browsers.
type Service struct {
	t      testing.TB
	server *httptest.Server

	mu       sync.Mutex
	browsers map[string]*browser
	received []Received
	before   func(name string)
}

// browser has the keys of a subscription.
type browser struct {
	private *ecdh.PrivateKey
	auth    []byte
	status  int // of the answers; 0: created
	after   string
}

// Received is a message that a browser got.
type Received struct {
	Browser string
	Payload []byte
	Header  http.Header
}

// Into decodes the payload.
func (r Received) Into(t testing.TB, value any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(r.Payload, value))
}

// New starts a service that ends with the test.
func New(t testing.TB) *Service {
	t.Helper()
	s := &Service{t: t, browsers: map[string]*browser{}}
	s.server = httptest.NewTLSServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.server.Close)
	return s
}

// Client returns a client that reaches the service instead of the internet.
func (s *Service) Client() *http.Client {
	client := s.server.Client()
	transport, is := client.Transport.(*http.Transport)
	require.True(s.t, is)
	transport = transport.Clone()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, s.server.Listener.Addr().String())
	}
	return &http.Client{Transport: transport}
}

// Settings returns the environment of a worker that is built with failpoints, for which the service
// stands for all push services.
func (s *Service) Settings() []string {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "push-service.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.server.Certificate().Raw})
	require.NoError(s.t, os.WriteFile(file, certificate, 0o600))
	return []string{"AMANAT_PUSH_SERVICE=" + s.server.Listener.Addr().String(), "AMANAT_PUSH_CERTIFICATE=" + file}
}

// Sender returns a sender with new keys to the service.
func (s *Service) Sender() *webpush.Sender {
	s.t.Helper()
	keys, err := webpush.NewKeys()
	require.NoError(s.t, err)
	return webpush.NewSender(keys, "support@example.com", s.Client())
}

// Subscribe returns a subscription of a new browser.
func (s *Service) Subscribe(name string) webpush.Subscription {
	s.t.Helper()
	private, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(s.t, err)
	auth := make([]byte, 16)
	_, err = rand.Read(auth)
	require.NoError(s.t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[name] = &browser{private: private, auth: auth}
	return webpush.Subscription{Endpoint: origin + "/send/" + name, P256dh: private.PublicKey().Bytes(), Auth: auth}
}

// Answer has messages to a browser answered with a status, and with Retry-After unless it is "".
func (s *Service) Answer(name string, status int, retryAfter string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.browsers[name].status, s.browsers[name].after = status, retryAfter
}

// Before has a function called before each message is accepted.
func (s *Service) Before(call func(name string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = call
}

// Received returns the messages that were accepted, in their order.
func (s *Service) Received() []Received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	s.mu.Lock()
	to, before := s.browsers[name], s.before
	s.mu.Unlock()
	if to == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if before != nil {
		before(name)
	}
	payload, err := to.read(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if to.status != 0 {
		if to.after != "" {
			w.Header().Set("Retry-After", to.after)
		}
		w.WriteHeader(to.status)
		return
	}
	s.received = append(s.received, Received{Browser: name, Payload: payload, Header: r.Header})
	w.WriteHeader(http.StatusCreated)
}

// read checks a message as push services do, and decrypts it.
func (b *browser) read(r *http.Request) ([]byte, error) {
	if r.Method != http.MethodPost || r.Header.Get("TTL") == "" || r.Header.Get("Content-Encoding") != "aes128gcm" {
		return nil, errors.New("not a push message")
	}
	if len(r.Header.Get("Topic")) > 32 {
		return nil, errors.New("the topic is too long")
	}
	if err := checkVAPID(r.Header.Get("Authorization")); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if len(body) > 4096 {
		return nil, errors.New("the message is too large")
	}
	return b.decrypt(body)
}

// decrypt implements RFC 8291 for one record.
func (b *browser) decrypt(body []byte) ([]byte, error) {
	const header = 16 + 4 + 1 + 65
	if len(body) < header || body[20] != 65 {
		return nil, errors.New("the header is malformed")
	}
	salt, key, text := body[:16], body[21:header], body[header:]
	sender, err := ecdh.P256().NewPublicKey(key)
	if err != nil {
		return nil, err
	}
	shared, err := b.private.ECDH(sender)
	if err != nil {
		return nil, err
	}
	info := "WebPush: info\x00" + string(b.private.PublicKey().Bytes()) + string(key)
	secret, err := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	if err != nil {
		return nil, err
	}
	contentKey, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(contentKey)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, nonce, text, nil)
	if err != nil {
		return nil, err
	}
	content, last := strings.CutSuffix(strings.TrimRight(string(padded), "\x00"), "\x02")
	if !last {
		return nil, errors.New("the record has no end")
	}
	return []byte(content), nil
}

// checkVAPID checks the signature of a message, and whom it is for.
func checkVAPID(header string) error {
	parameters, found := strings.CutPrefix(header, "vapid t=")
	token, public, both := strings.Cut(parameters, ", k=")
	parts := strings.Split(token, ".")
	if !found || !both || len(parts) != 3 {
		return errors.New("the authorization is malformed")
	}
	key, err := base64.RawURLEncoding.DecodeString(public)
	if err != nil {
		return err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return errors.New("the signature is malformed")
	}
	signer, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), key)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(signer, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("the signature is wrong")
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return err
	}
	var claimed struct{ Aud, Sub string }
	if err := json.Unmarshal(claims, &claimed); err != nil {
		return err
	}
	if claimed.Aud != origin || !strings.HasPrefix(claimed.Sub, "mailto:") {
		return fmt.Errorf("the claims are for %s, by %s", claimed.Aud, claimed.Sub)
	}
	return nil
}
