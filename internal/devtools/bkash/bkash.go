// Package bkash imitates the tokenized checkout of bKash, with the page on which payers agree. make
// run and tests use it.
package bkash

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Credentials that the calls must have.
const (
	Username  = "demo"
	Password  = "demo-password"
	AppKey    = "demo-app-key"
	AppSecret = "demo-app-secret"
)

// Payer is the number that every payment is made from.
const Payer = "01912345678"

// Fault is something that goes wrong.
type Fault string

// Faults. Those of an execution hit only one.
const (
	None         Fault = ""
	HangsBefore  Fault = "hangs_before"  // the execution gets no answer, and nothing is paid
	HangsAfter   Fault = "hangs_after"   // the execution gets no answer, and it is paid
	Already      Fault = "2062"          // the execution is said to be completed already
	InProgress   Fault = "2117"          // the execution is said to be in progress already
	Insufficient Fault = "2023"          // the payer has too little
	OtherAmount  Fault = "other_amount"  // another amount is paid
	Maintenance  Fault = "maintenance"   // every call is answered with 503 in HTML
	TokenRefused Fault = "token_refused" // the tokens so far are not accepted any more
)

// faults are the choices on the page.
var faults = []Fault{None, HangsAfter, HangsBefore, Already, InProgress, Insufficient, OtherAmount}

const (
	hang       = 35 * time.Second // longer than callers wait
	tokenTime  = time.Hour
	tokenCalls = 2 // in an hour; more block the account
)

// Payment is one that was created.
type Payment struct {
	ID, Invoice, Amount, TrxID string
	Agreed, Paid               bool
	Executions                 int // calls
	Queries                    int // calls after an execution was answered with success

	callback string
	fault    Fault
	told     bool // of the success, by an answer to the execution
}

// Server is bKash. Its methods may be called by any goroutine.
type Server struct {
	base string // of its address, for the page
	now  func() time.Time

	mu       sync.Mutex
	fault    Fault
	tokens   map[string]time.Time // with their ends
	asked    []time.Time          // calls for a token
	blocked  time.Time            // until when they are refused
	payments map[string]*Payment
}

// New returns a server whose address begins with base, as http://localhost:8080/dev/bkash.
func New(base string, now func() time.Time) *Server {
	return &Server{base: base, now: now, tokens: map[string]time.Time{}, payments: map[string]*Payment{}}
}

// Listen serves one of its own on this machine until stop is called.
func Listen(ctx context.Context, now func() time.Time) (s *Server, stop func() error, err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "localhost:0")
	if err != nil {
		return nil, nil, err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return nil, nil, err
	}
	s = New("http://localhost:"+port, now)
	server := &http.Server{Handler: s, ReadHeaderTimeout: hang}
	go func() { _ = server.Serve(listener) }() // ends with stop
	return s, server.Close, nil
}

// Setting returns the value of BKASH_CHECKOUT for the server.
func (s *Server) Setting() string {
	scheme, rest, _ := strings.Cut(s.base, "://")
	return fmt.Sprintf("%s://%s:%s@%s?app_key=%s&app_secret=%s", scheme, Username, Password, rest, AppKey, AppSecret)
}

// Break has a fault hit all calls from now on, or the next execution.
func (s *Server) Break(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
	if f == TokenRefused {
		clear(s.tokens)
	}
}

// Payment returns the payment for an invoice, the zero value if there is none.
func (s *Server) Payment(invoice string) Payment {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.payments {
		if p.Invoice == invoice {
			return *p
		}
	}
	return Payment{}
}

// TokenCalls returns how often a token was asked for.
func (s *Server) TokenCalls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// Agree has the payer of an invoice agree, as on the page.
func (s *Server) Agree(invoice string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.payments {
		if p.Invoice == invoice {
			p.Agreed = true
		}
	}
}

// ServeHTTP serves the calls and the page.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, isCall := strings.CutPrefix(r.URL.Path, "/tokenized/checkout")
	if !isCall {
		s.page(w, r)
		return
	}
	s.mu.Lock()
	broken := s.fault == Maintenance
	s.mu.Unlock()
	if broken {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("<html><body>System is undergoing maintenance</body></html>"))
		return
	}
	var body map[string]string
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&body); err != nil || r.Method != http.MethodPost {
		http.Error(w, "POST with JSON", http.StatusBadRequest)
		return
	}
	status, answer := s.call(r, path, body)
	if answer == nil { // no answer
		select {
		case <-r.Context().Done():
		case <-time.After(hang):
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // fails only if the caller is gone
}

type object = map[string]any

func refused(code string) (int, object) {
	return http.StatusOK, object{"statusCode": code, "statusMessage": "Refused"}
}

func (s *Server) call(r *http.Request, path string, body map[string]string) (int, object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if path == "/token/grant" {
		return s.grant(r, body)
	}
	if end, known := s.tokens[r.Header.Get("Authorization")]; !known || !s.now().Before(end) || r.Header.Get("X-App-Key") != AppKey {
		return http.StatusUnauthorized, object{"message": "The incoming token has expired"}
	}
	if path == "/create" {
		return s.create(body)
	}
	p := s.payments[body["paymentID"]]
	switch {
	case p == nil:
		return refused("2002")
	case path == "/execute":
		return s.execute(p)
	case path == "/payment/status":
		if p.told {
			p.Queries++
		}
		return http.StatusOK, p.answer()
	}
	return http.StatusNotFound, object{"message": "Not found"}
}

func (s *Server) grant(r *http.Request, body map[string]string) (int, object) {
	now := s.now()
	lately := 0
	for _, at := range s.asked {
		if now.Sub(at) < time.Hour {
			lately++
		}
	}
	s.asked = append(s.asked, now)
	if lately >= tokenCalls && s.blocked.Before(now) {
		s.blocked = now.Add(time.Hour)
	}
	known := r.Header.Get("username") == Username && r.Header.Get("password") == Password &&
		body["app_key"] == AppKey && body["app_secret"] == AppSecret
	if now.Before(s.blocked) || !known {
		return refused("2001")
	}
	token := rand.Text()
	s.tokens[token] = now.Add(tokenTime)
	return http.StatusOK, object{"statusCode": "0000", "id_token": token, "token_type": "Bearer", "expires_in": 3600}
}

func (s *Server) create(body map[string]string) (int, object) {
	if len(body["amount"]) > len("1000000.00") {
		return refused("2065")
	}
	for _, p := range s.payments {
		if p.Invoice == body["merchantInvoiceNumber"] {
			return refused("2029")
		}
	}
	p := &Payment{
		ID: "TR0011" + rand.Text()[:10], Invoice: body["merchantInvoiceNumber"], Amount: body["amount"], callback: body["callbackURL"],
	}
	s.payments[p.ID] = p
	answer := p.answer()
	answer["bkashURL"] = s.base + "/pay/" + p.ID
	return http.StatusOK, answer
}

func (p *Payment) answer() object {
	a := object{
		"statusCode": "0000", "paymentID": p.ID, "amount": p.Amount, "currency": "BDT", "merchantInvoiceNumber": p.Invoice,
		"transactionStatus": "Initiated", "userVerificationStatus": "Incomplete",
	}
	if p.Agreed {
		a["userVerificationStatus"] = "Complete"
	}
	if p.Paid {
		a["transactionStatus"], a["trxID"], a["customerMsisdn"] = "Completed", p.TrxID, Payer
	}
	return a
}

func (s *Server) execute(p *Payment) (int, object) {
	p.Executions++
	fault := p.fault
	if fault == None {
		fault, s.fault = s.fault, None
	}
	switch {
	case p.Paid:
		return refused("2062")
	case !p.Agreed:
		return refused("2056")
	case fault == Insufficient:
		return refused("2023")
	case fault == HangsBefore:
		return 0, nil
	case fault == OtherAmount:
		p.Amount = "1.00"
	}
	p.Paid, p.TrxID = true, rand.Text()[:10]
	if fault == HangsAfter {
		return 0, nil
	}
	if fault == Already || fault == InProgress {
		return refused(string(fault))
	}
	p.told = true
	return http.StatusOK, p.answer()
}

// page shows a payment, and sends the payer back with what they press.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, id, _ := strings.Cut(r.URL.Path, "/pay/")
	p := s.payments[id]
	if p == nil {
		http.Error(w, "There is no such payment.", http.StatusNotFound)
		return
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<12)
		status := r.FormValue("status")
		p.Agreed, p.fault = p.Agreed || status == "success" || status == "closed", Fault(r.FormValue("fault"))
		if status != "closed" {
			query := url.Values{"paymentID": {p.ID}, "status": {status}, "signature": {rand.Text()}}
			http.Redirect(w, r, p.callback+"?"+query.Encode(), http.StatusSeeOther)
			return
		}
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, object{"Payment": p, "Faults": faults}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(out.Bytes())
}

var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Simulated bKash</title>
<style>body{font:16px/1.5 system-ui;max-width:24rem;margin:2rem auto;padding:0 1rem}label,button{display:block;margin-top:.75rem}
select,button{font:inherit;padding:.5rem;width:100%;box-sizing:border-box;min-height:2.75rem}</style>
</head><body><h1>Simulated bKash</h1>
<p>Pay ৳{{.Payment.Amount}} to Amanat, invoice {{.Payment.Invoice}}.</p>
{{if .Payment.Agreed}}<p role="status">You have agreed to the payment.</p>{{end}}
<form method="post">
<label>Fault <select name="fault">{{range .Faults}}<option value="{{.}}">{{if .}}{{.}}{{else}}none{{end}}</option>{{end}}</select></label>
<button name="status" value="success">Pay</button><button name="status" value="failure">Fail</button>
<button name="status" value="cancel">Cancel</button><button name="status" value="closed">Pay and close the tab</button>
</form></body></html>
`))
