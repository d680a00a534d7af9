package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

const (
	phoneName  = "demo"
	pingEvery  = time.Minute
	firstTaka  = 50_000_00 // of each account, in poisha
	phoneWait  = 10 * time.Second
	demoPayer  = "01912345678"
	maxPayment = 500_000_00
	sendFee    = 5_00 // of bKash and Nagad, for what the operator sends
)

// simulated is the phone of the demo. It pays into its own accounts what a visitor of /dev/phone
// asks for, and forwards the SMS to the api as a real one does.
type simulated struct {
	phone *phone.Phone
	base  string // of the api
	clock *businessClock

	mu   sync.Mutex
	late []phone.SMS // SMS that are still to come
}

// startPhone connects the demo's phone until ctx ends. Its accounts go on with the balance that the
// last SMS stated. In a new database, the operator enters the first one.
func startPhone(ctx context.Context, key, base string, clock *businessClock, owner *pgxpool.Pool) (*simulated, error) {
	s := &simulated{phone: phone.New(phoneName, key, firstTaka), base: base, clock: clock}
	for _, method := range wallet.Methods() {
		if err := s.resume(ctx, method, owner); err != nil {
			return nil, fmt.Errorf("phone: %w", err)
		}
	}
	go s.run(ctx)
	return s, nil
}

// resume sets the balance of an account, or creates the account.
func (s *simulated) resume(ctx context.Context, method string, owner *pgxpool.Pool) error {
	balance, err := lastBalance(ctx, owner, method)
	if err != nil {
		return err
	}
	if balance != nil {
		s.phone.SetBalance(method, *balance)
		return nil
	}
	return createReceiver(ctx, owner, method, s.clock.Now())
}

// run says every minute that the phone is alive, until ctx ends.
func (s *simulated) run(ctx context.Context) {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	for {
		if err := s.send(ctx, s.phone.Ping(s.clock.Now())); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the simulated phone cannot reach the api", "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *simulated) send(ctx context.Context, d wallet.Delivery) error {
	ctx, cancel := context.WithTimeout(ctx, phoneWait)
	defer cancel()
	return phone.Send(ctx, http.DefaultClient, s.base, d)
}

// order is what a visitor asks the phone for.
type order struct {
	Method, Payer, Reference string
	Taka                     money.Poisha
	Fault                    string
	Out                      bool // the operator sends, and the payer is paid
}

// Faults of the phone and the network.
var faults = []struct{ Name, Label string }{
	{"", "none"},
	{"twice", "the SMS is forwarded twice"},
	{"late", "the SMS comes after the next one"},
	{"lost", "the SMS is lost"},
	{"forged", "the SMS is forged: no money has come"},
}

var payerNumber = regexp.MustCompile(`^(\+?88)?01[0-9]{9}$`)

func readOrder(r *http.Request) (order, error) {
	o := order{
		Method: r.FormValue("method"), Payer: r.FormValue("payer"), Reference: strings.TrimSpace(r.FormValue("reference")),
		Fault: r.FormValue("fault"), Out: r.FormValue("way") == "out",
	}
	units, err := money.Parse(strings.ReplaceAll(r.FormValue("taka"), ",", ""))
	o.Taka = money.Poisha(units)
	switch {
	case err != nil || o.Taka <= 0 || o.Taka > maxPayment:
		return o, fmt.Errorf("enter an amount of at most %s taka", money.Poisha(maxPayment))
	case o.Method != wallet.Bkash && o.Method != wallet.Nagad:
		return o, fmt.Errorf("choose %s or %s", wallet.Bkash, wallet.Nagad)
	case o.Out && o.Fault == "forged":
		return o, errors.New("only payments to the operator are forged here")
	case !payerNumber.MatchString(o.Payer):
		return o, fmt.Errorf("enter a number such as %s", demoPayer)
	}
	return o, nil
}

// pay makes the payment, in either direction, or pretends to, and forwards its SMS.
func (s *simulated) pay(ctx context.Context, o order) (phone.SMS, error) {
	now := s.clock.Now()
	if o.Fault == "forged" {
		sms := s.phone.Forge(o.Method, o.Payer, o.Taka, now)
		return sms, s.send(ctx, s.phone.Forward(sms, now))
	}
	s.mu.Lock() // SMS arrive in the order of the payments
	defer s.mu.Unlock()
	var sms phone.SMS
	switch {
	case !o.Out:
		sms = s.phone.Receive(o.Method, o.Payer, o.Taka, o.Reference, now)
	case s.phone.Balance(o.Method) < o.Taka+sendFee:
		return sms, errors.New("the account has too little")
	default:
		sms = s.phone.Send(o.Method, o.Payer, o.Taka, sendFee, now)
	}
	forwarded := []phone.SMS{sms}
	switch o.Fault {
	case "lost":
		forwarded = nil
	case "late":
		s.late, forwarded = append(s.late, sms), nil
	case "twice":
		forwarded = append(forwarded, sms)
	}
	if len(forwarded) > 0 {
		forwarded, s.late = append(forwarded, s.late...), nil
	}
	for _, one := range forwarded {
		if err := s.send(ctx, s.phone.Forward(one, now)); err != nil {
			return sms, err
		}
	}
	return sms, nil
}

// ServeHTTP shows the phone, and pays what a form asks for.
func (s *simulated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxDevBody)
	page := phonePage{
		Order: order{Method: r.FormValue("method"), Payer: demoPayer}, Taka: r.FormValue("taka"), Methods: wallet.Methods(), Faults: faults,
	}
	status := http.StatusOK
	if r.Method == http.MethodPost {
		o, err := readOrder(r)
		if page.Order = o; err == nil {
			page.SMS, err = s.pay(r.Context(), o)
		}
		if err != nil {
			page.Problem, status = err.Error(), http.StatusBadRequest
		}
	}
	for _, method := range page.Methods {
		page.Balances = append(page.Balances, method+" ৳"+s.phone.Balance(method).String())
	}
	var out bytes.Buffer
	if err := phoneTemplate.Execute(&out, page); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}

type phonePage struct {
	Order    order
	Taka     string
	Methods  []string
	Faults   []struct{ Name, Label string }
	Balances []string
	SMS      phone.SMS
	Problem  string
}

var phoneTemplate = template.Must(template.New("phone").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated phone</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:2rem auto;padding:0 1rem}label,button{display:block;margin-top:.75rem}
input,select,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box}
pre{white-space:pre-wrap;background:#eee;color:#111;padding:.75rem}</style>
</head><body><h1>Simulated phone</h1>
<p>Send taka to the operator's accounts, as a payer does with bKash or Nagad, or from them, as an admin does. The phone
forwards the SMS.</p>
<p>{{range .Balances}}{{.}}<br>{{end}}</p>
{{with .Problem}}<p role="alert">{{.}}</p>{{end}}
{{with .SMS.TransactionID}}<p>Transaction ID: <output>{{.}}</output></p>
<pre>{{$.SMS.Text}}</pre>{{end}}
<form method="post">
<label>Who pays <select name="way"><option value="in">the payer</option>
<option value="out"{{if .Order.Out}} selected{{end}}>the operator</option></select></label>
<label>Method <select name="method">
{{range .Methods}}<option{{if eq . $.Order.Method}} selected{{end}}>{{.}}</option>{{end}}</select></label>
<label>Taka <input name="taka" inputmode="decimal" required value="{{.Taka}}"></label>
<label>The other side's number <input name="payer" inputmode="numeric" required value="{{.Order.Payer}}"></label>
<label>Reference <input name="reference" maxlength="40" value="{{.Order.Reference}}"></label>
<label>Fault <select name="fault">
{{range .Faults}}<option value="{{.Name}}"{{if eq .Name $.Order.Fault}} selected{{end}}>{{.Label}}</option>{{end}}</select></label>
<button>Send</button></form></body></html>
`))
