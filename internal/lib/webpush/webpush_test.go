package webpush_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/webpush"
	"amanat/internal/testing/pushtest"
)

func TestSend(t *testing.T) {
	t.Parallel()
	service := pushtest.New(t)
	sender, browser := service.Sender(), service.Subscribe("chrome")
	require.NoError(t, sender.Send(t.Context(), browser, webpush.Message{
		Payload: []byte(`{"title": "আমানত"}`), TTL: time.Hour, Urgent: true, Topic: "deal",
	}))
	require.NoError(t, sender.Send(t.Context(), browser, webpush.Message{Payload: []byte("{}")}))
	got := service.Received()
	require.Len(t, got, 2)
	require.JSONEq(t, `{"title": "আমানত"}`, string(got[0].Payload))
	require.Equal(t, []string{"3600", "high", "deal"},
		[]string{got[0].Header.Get("TTL"), got[0].Header.Get("Urgency"), got[0].Header.Get("Topic")})
	require.Equal(t, "normal", got[1].Header.Get("Urgency"))
}

func TestSend_refused(t *testing.T) {
	t.Parallel()
	service := pushtest.New(t)
	sender, browser := service.Sender(), service.Subscribe("chrome")
	send := func() error { return sender.Send(t.Context(), browser, webpush.Message{Payload: []byte("{}")}) }
	for status, want := range map[int]error{
		404: webpush.ErrGone, 410: webpush.ErrGone, 403: webpush.ErrUndeliverable, 413: webpush.ErrUndeliverable,
	} {
		service.Answer("chrome", status, "")
		require.ErrorIs(t, send(), want, status)
	}
	for status, after := range map[int]string{429: "120", 503: "", 500: "soon"} {
		service.Answer("chrome", status, after)
		var retry *webpush.RetryError
		require.ErrorAs(t, send(), &retry, status)
		require.Equal(t, status, retry.Status)
		require.Equal(t, status == 429, retry.After == 2*time.Minute)
	}
	service.Answer("chrome", http.StatusFound, "")
	require.ErrorIs(t, send(), webpush.ErrUndeliverable, "redirects are not followed")

	long := webpush.Message{Payload: []byte(strings.Repeat("x", webpush.MaxPayload+1))}
	require.ErrorIs(t, sender.Send(t.Context(), browser, long), webpush.ErrUndeliverable)
	require.Empty(t, service.Received())
}

// The largest payload fits into what push services accept.
func TestSend_largest(t *testing.T) {
	t.Parallel()
	service := pushtest.New(t)
	message := webpush.Message{Payload: []byte(strings.Repeat("x", webpush.MaxPayload))}
	require.NoError(t, service.Sender().Send(t.Context(), service.Subscribe("chrome"), message))
	require.Len(t, service.Received()[0].Payload, webpush.MaxPayload)
}

// The client of production connects to no address of this machine, even by a public name, and what
// is logged does not tell the endpoint.
func TestClient_private_address(t *testing.T) {
	t.Parallel()
	service := pushtest.New(t)
	keys, err := webpush.NewKeys()
	require.NoError(t, err)
	sender := webpush.NewSender(keys, "support@example.com", nil)
	to := service.Subscribe("chrome")
	for _, endpoint := range []string{"https://127.0.0.1/secret", "https://localhost/secret", "http://example.com/secret"} {
		to.Endpoint = endpoint
		err := sender.Send(t.Context(), to, webpush.Message{})
		require.ErrorIs(t, err, webpush.ErrUndeliverable)
		require.NotContains(t, err.Error(), "secret")
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:1/", http.NoBody)
	require.NoError(t, err)
	_, err = webpush.Client().Do(request)
	require.ErrorContains(t, err, "not public")
}

func TestCheckEndpoint(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"https://fcm.googleapis.com/fcm/send/abc:def", "https://updates.push.services.mozilla.com/wpush/v2/gAAA", "https://example.com:443/x?y=z",
		"https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD", "https://web.push.apple.com/QGuQ",
	} {
		require.NoError(t, webpush.CheckEndpoint(good), good)
	}
	for _, bad := range []string{
		"", "x", "http://example.com/x", "https://example.com:8443/x", "https://localhost/x", "https://a.localhost/x", "https://redis/x",
		"https://10.0.0.1/x", "https://8.8.8.8/x", "https://[::1]/x", "https://2130706433/x", "https://0x7f.1/x", "https://127.1/x",
		"https://user@example.com/x", "https://db.internal/x", "https://db.internal./x", "https://printer.local/x", "https://example.com/#x",
		"https:example.com", "//example.com/x", "ftp://example.com/x", "https://example.com/" + strings.Repeat("x", webpush.MaxEndpoint),
	} {
		require.Error(t, webpush.CheckEndpoint(bad), bad)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	one, err := webpush.NewKeys()
	require.NoError(t, err)
	other, err := webpush.NewKeys()
	require.NoError(t, err)
	require.NoError(t, one.Check())
	require.NoError(t, webpush.CheckPublic(one.Public))
	for name, keys := range map[string]webpush.Keys{
		"of two pairs": {Public: one.Public, Private: other.Private}, "one": {Public: one.Public}, "none": {},
		"exchanged": {Public: one.Private, Private: one.Public}, "padded": {Public: one.Public + "=", Private: one.Private},
	} {
		require.Error(t, keys.Check(), name)
	}
	require.Error(t, webpush.CheckPublic(one.Private))
}

func TestParseKeys(t *testing.T) {
	t.Parallel()
	encode := base64.RawURLEncoding.EncodeToString
	good := pushtest.New(t).Subscribe("chrome")
	public, auth, err := webpush.ParseKeys(encode(good.P256dh), encode(good.Auth))
	require.NoError(t, err)
	require.Equal(t, good.P256dh, public)
	require.Equal(t, good.Auth, auth)
	outside := append([]byte{4}, make([]byte, 64)...)
	for name, keys := range map[string][2]string{
		"no point":    {encode(outside), encode(good.Auth)},
		"no key":      {"", encode(good.Auth)},
		"no auth":     {encode(good.P256dh), ""},
		"short auth":  {encode(good.P256dh), encode(good.Auth[:15])},
		"not encoded": {"!", encode(good.Auth)},
	} {
		_, _, err := webpush.ParseKeys(keys[0], keys[1])
		require.Error(t, err, name)
	}
}
