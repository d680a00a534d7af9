package checkout_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/checkout"
)

var account = checkout.BkashAccount{Username: "shop", Password: "secret-word", AppKey: "key", AppSecret: "app-secret"}

func TestBkashAccount(t *testing.T) {
	t.Parallel()
	var a checkout.BkashAccount
	require.NoError(t, a.UnmarshalText([]byte("https://shop:p%2Fw@tokenized.pay.bka.sh/v1.2.0-beta/?app_key=k&app_secret=s%26t")))
	require.Equal(t, checkout.BkashAccount{
		Base: "https://tokenized.pay.bka.sh/v1.2.0-beta", Username: "shop", Password: "p/w", AppKey: "k", AppSecret: "s&t",
	}, a)
	require.True(t, a.Used())
	require.NoError(t, a.UnmarshalText(nil))
	require.False(t, a.Used())
	for _, wrong := range []string{
		"secret", "http://u:secret@bka.sh/v1?app_key=k&app_secret=s", "https://u@bka.sh?app_key=k&app_secret=secret",
		"https://u:secret@bka.sh?app_key=k", "https://u:secret@?app_key=k&app_secret=s", "https://u:se%cret@bka.sh",
	} {
		err := a.UnmarshalText([]byte(wrong))
		require.Error(t, err, wrong)
		require.NotContains(t, err.Error(), "secret@", wrong)
		require.False(t, a.Used(), wrong)
	}
}

// answering returns the checkout of a server that gives the same answer to every call.
func answering(t *testing.T, status int, body string) *checkout.Bkash {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "https://elsewhere.example")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	a := account
	a.Base = server.URL
	return checkout.NewBkash(a)
}

// Only an answer that says so is clear; after all others, the payment may have been made.
func TestBkash_Execute(t *testing.T) {
	t.Parallel()
	const paid = `"transactionStatus": "Completed", "trxID": "6h7801qfym", "currency": "BDT"`
	for name, tc := range map[string]struct {
		status int
		body   string
		want   *checkout.Outcome // nil: unclear
	}{
		"paid": {
			200, `{"statusCode": "0000", "amount": "15", "customerMsisdn": "01712345678", ` + paid + `}`,
			&checkout.Outcome{State: checkout.Paid, TransactionID: "6H7801QFYM", Payer: "01712345678", Poisha: 15_00},
		},
		"a number with poisha": {
			200, `{"statusCode": "0000", "amount": 15.5, "payerAccount": "01712345678", ` + paid + `}`,
			&checkout.Outcome{State: checkout.Paid, TransactionID: "6H7801QFYM", Payer: "01712345678", Poisha: 15_50},
		},
		"too little":       {200, `{"statusCode": "2023"}`, &checkout.Outcome{State: checkout.Refused, Code: "2023"}},
		"the older form":   {200, `{"errorCode": "2056"}`, &checkout.Outcome{State: checkout.Refused, Code: "2056"}},
		"already":          {200, `{"statusCode": "2062"}`, nil},
		"in progress":      {200, `{"statusCode": "2117"}`, nil},
		"its own error":    {200, `{"statusCode": "9999"}`, nil},
		"only initiated":   {200, `{"statusCode": "0000", "transactionStatus": "Initiated"}`, nil},
		"no amount":        {200, `{"statusCode": "0000", ` + paid + `}`, nil},
		"another amount":   {200, `{"statusCode": "0000", "amount": "1e3", ` + paid + `}`, nil},
		"another currency": {200, `{"statusCode": "0000", "amount": "15", ` + strings.Replace(paid, "BDT", "USD", 1) + `}`, nil},
		"nothing":          {200, ``, nil},
		"a list":           {200, `[]`, nil},
		"maintenance":      {503, `<html><body>Maintenance</body></html>`, nil},
		"HTML with 200":    {200, `<html></html>`, nil},
		"elsewhere":        {302, `{"statusCode": "0000", "amount": "15", ` + paid + `}`, nil},
		"endless":          {200, `{"statusCode": "0000", "amount": "15", ` + paid + `, "x": "` + strings.Repeat("x", 1<<17) + `"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := answering(t, tc.status, tc.body).Execute(t.Context(), "the token", "TR0011")
			if tc.want == nil {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, *tc.want, got)
		})
	}
}

func TestBkash_Lookup(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]checkout.State{
		`{"statusCode": "0000", "transactionStatus": "Initiated", "userVerificationStatus": "Incomplete"}`: checkout.Pending,
		`{"statusCode": "0000", "transactionStatus": "Initiated", "userVerificationStatus": "Complete"}`:   checkout.Agreed,
		`{"statusCode": "0000", "transactionStatus": "Anything else"}`:                                     checkout.Pending,
	} {
		got, err := answering(t, 200, body).Lookup(t.Context(), "the token", "TR0011")
		require.NoError(t, err)
		require.Equal(t, want, got.State, body)
	}
	_, err := answering(t, 401, `{"message": "The incoming token has expired"}`).Lookup(t.Context(), "the token", "TR0011")
	require.ErrorIs(t, err, checkout.ErrToken)
}

func TestBkash_Create(t *testing.T) {
	t.Parallel()
	for url, good := range map[string]bool{
		"https://payment.bkash.com/?paymentId=TR0011": true, "http://payment.bkash.com/": false, "javascript:alert(1)": false, "": false,
	} {
		b := answering(t, 200, `{"statusCode": "0000", "paymentID": "TR0011", "bkashURL": "`+url+`"}`)
		page, err := b.Create(t.Context(), "", checkout.Order{})
		require.Equal(t, good, err == nil, url)
		if good {
			require.Equal(t, checkout.Page{Ref: "TR0011", URL: url}, page)
		}
	}
}

// Errors end up in logs.
func TestBkash_errors_hold_no_secret(t *testing.T) {
	t.Parallel()
	gone := account
	gone.Base = "http://127.0.0.1:1"
	for _, b := range []*checkout.Bkash{checkout.NewBkash(gone), answering(t, 200, `{}`), answering(t, 500, ``), answering(t, 200, `x`)} {
		_, _, err := b.Token(t.Context())
		require.Error(t, err)
		_, queryErr := b.Lookup(t.Context(), "the token", "TR0011")
		require.Error(t, queryErr)
		for _, secret := range []string{account.Password, account.AppSecret, "the token"} {
			require.NotContains(t, err.Error()+queryErr.Error(), secret)
		}
	}
}
