package checkout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// BkashAccount is a merchant's account with bKash. The zero value is none.
type BkashAccount struct {
	Base               string // of the addresses of the calls
	Username, Password string
	AppKey, AppSecret  string
}

// Used reports whether there is an account.
func (a BkashAccount) Used() bool { return a.Base != "" }

var errAccount = errors.New("must be a URL with all credentials, as in https://USER:PASSWORD@host/path?app_key=KEY&app_secret=SECRET")

// UnmarshalText parses https://USER:PASSWORD@host/path?app_key=KEY&app_secret=SECRET. The error
// shows no part of it.
func (a *BkashAccount) UnmarshalText(text []byte) error {
	*a = BkashAccount{}
	if len(text) == 0 {
		return nil
	}
	u, err := url.Parse(string(text))
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "localhost") {
		return errAccount
	}
	password, _ := u.User.Password()
	read := BkashAccount{
		Base: u.Scheme + "://" + u.Host + strings.TrimSuffix(u.Path, "/"), Username: u.User.Username(), Password: password,
		AppKey: u.Query().Get("app_key"), AppSecret: u.Query().Get("app_secret"),
	}
	if slices.Contains([]string{read.Username, read.Password, read.AppKey, read.AppSecret}, "") {
		return errAccount
	}
	*a = read
	return nil
}

const (
	bkashTimeout = 30 * time.Second // after which bKash itself gives up
	maxAnswer    = 64 << 10
)

// Bkash calls the tokenized checkout of bKash, without agreements. Its errors contain neither
// credentials nor tokens.
type Bkash struct {
	account BkashAccount
	client  *http.Client
}

// NewBkash returns the checkout of an account.
func NewBkash(account BkashAccount) *Bkash {
	// A redirect would take the credentials elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Bkash{account: account, client: &http.Client{Timeout: bkashTimeout, CheckRedirect: stay}}
}

// bkashAnswer has the fields that are read of all answers.
//
//nolint:tagliatelle // bKash's names
type bkashAnswer struct {
	StatusCode   string      `json:"statusCode"`
	ErrorCode    string      `json:"errorCode"` // instead, in some refusals
	Token        string      `json:"id_token"`
	ExpiresIn    json.Number `json:"expires_in"` // seconds
	PaymentID    string      `json:"paymentID"`
	URL          string      `json:"bkashURL"`
	Status       string      `json:"transactionStatus"`
	Verification string      `json:"userVerificationStatus"` // whether the payer has agreed
	TrxID        string      `json:"trxID"`
	Amount       json.Number `json:"amount"`
	Currency     string      `json:"currency"`
	Payer        string      `json:"customerMsisdn"`
	PayerAccount string      `json:"payerAccount"` // instead, in newer answers
}

const (
	bkashDone     = "0000"
	bkashCurrency = "BDT"
)

// Token returns what authorizes the other calls, and for how long. More than two such calls in an
// hour block the account for an hour.
func (b *Bkash) Token(ctx context.Context) (token string, valid time.Duration, err error) {
	a, err := b.call(ctx, "/token/grant", map[string]string{"username": b.account.Username, "password": b.account.Password},
		map[string]string{"app_key": b.account.AppKey, "app_secret": b.account.AppSecret})
	if err != nil {
		return "", 0, err
	}
	seconds, err := a.ExpiresIn.Int64()
	if err != nil || seconds <= 0 || a.Token == "" {
		return "", 0, unclear("/token/grant", a)
	}
	return a.Token, time.Duration(seconds) * time.Second, nil
}

// Create makes the page on which an order is paid.
func (b *Bkash) Create(ctx context.Context, token string, o Order) (Page, error) {
	a, err := b.call(ctx, "/create", b.authorized(token), map[string]string{
		"mode": "0011", "payerReference": o.Payer, "callbackURL": o.Return, "amount": taka(o.Poisha), "currency": bkashCurrency,
		"intent": "sale", "merchantInvoiceNumber": o.Invoice,
	})
	if err != nil {
		return Page{}, err
	}
	if refusal.MatchString(a.code()) {
		return Page{}, fmt.Errorf("%w: bkash: code %s", ErrOrder, a.code())
	}
	u, err := url.Parse(a.URL)
	if err != nil || a.StatusCode != bkashDone || a.PaymentID == "" || u.Scheme != "https" && !strings.HasPrefix(a.URL, b.account.Base+"/") {
		return Page{}, unclear("/create", a)
	}
	return Page{Ref: a.PaymentID, URL: a.URL}, nil
}

// repeated are the codes of Execute that do not tell whether the payment has been made.
var repeated = []string{"2003", "2062", "2116", "2117"}

var refusal = regexp.MustCompile(`^2\d{3}$`)

// Execute takes a payment that the payer has agreed to. It must be called once: after an error,
// only Lookup tells what has happened.
func (b *Bkash) Execute(ctx context.Context, token, ref string) (Outcome, error) {
	a, err := b.call(ctx, "/execute", b.authorized(token), map[string]string{"paymentID": ref})
	if err != nil {
		return Outcome{}, err
	}
	if code := a.code(); refusal.MatchString(code) && !slices.Contains(repeated, code) {
		return Outcome{State: Refused, Code: code}, nil
	}
	o, err := a.outcome("/execute")
	if err == nil && o.State != Paid {
		err = unclear("/execute", a)
	}
	return o, err
}

// Lookup returns what has become of a payment. bKash wants no such call after a clear success.
func (b *Bkash) Lookup(ctx context.Context, token, ref string) (Outcome, error) {
	a, err := b.call(ctx, "/payment/status", b.authorized(token), map[string]string{"paymentID": ref})
	if err != nil {
		return Outcome{}, err
	}
	return a.outcome("/payment/status")
}

func (a bkashAnswer) code() string {
	if a.StatusCode == "" {
		return a.ErrorCode
	}
	return a.StatusCode
}

func (a bkashAnswer) outcome(path string) (Outcome, error) {
	switch {
	case a.StatusCode != bkashDone:
		return Outcome{}, unclear(path, a)
	case a.Status == "Completed":
		poisha, ok := readTaka(a.Amount.String())
		if !ok || a.TrxID == "" || a.Currency != bkashCurrency {
			return Outcome{}, unclear(path, a)
		}
		payer := a.Payer
		if payer == "" {
			payer = a.PayerAccount
		}
		return Outcome{State: Paid, TransactionID: strings.ToUpper(a.TrxID), Payer: payer, Poisha: poisha}, nil
	case a.Verification == "Complete":
		return Outcome{State: Agreed}, nil
	}
	return Outcome{State: Pending}, nil
}

func unclear(path string, a bkashAnswer) error {
	return fmt.Errorf("bkash: %s: code %.8q, status %.20q", path, a.code(), a.Status)
}

func (b *Bkash) authorized(token string) map[string]string {
	return map[string]string{"Authorization": token, "X-App-Key": b.account.AppKey}
}

func (b *Bkash) call(ctx context.Context, path string, headers, body map[string]string) (bkashAnswer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return bkashAnswer{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.account.Base+"/tokenized/checkout"+path, bytes.NewReader(raw))
	if err != nil {
		return bkashAnswer{}, errors.New("bkash: the address of the account is no URL")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := b.client.Do(r)
	if err != nil {
		return bkashAnswer{}, fmt.Errorf("bkash: %s: %w", path, err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return bkashAnswer{}, fmt.Errorf("bkash: %s: %w", path, err)
	}
	var a bkashAnswer
	if answer.StatusCode == http.StatusUnauthorized {
		return bkashAnswer{}, fmt.Errorf("bkash: %s: %w", path, ErrToken)
	}
	if answer.StatusCode != http.StatusOK || json.Unmarshal(text, &a) != nil {
		return bkashAnswer{}, fmt.Errorf("bkash: %s: no answer in JSON, HTTP status %d", path, answer.StatusCode)
	}
	return a, nil
}

func taka(poisha int64) string { return fmt.Sprintf("%d.%02d", poisha/100, poisha%100) }

var amount = regexp.MustCompile(`^(\d{1,12})(?:\.(\d{1,2}))?$`)

func readTaka(text string) (poisha int64, ok bool) {
	parts := amount.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	poisha, err := strconv.ParseInt(parts[1]+(parts[2] + "00")[:2], 10, 64)
	return poisha, err == nil
}
