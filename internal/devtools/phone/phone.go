// Package phone simulates a phone of the operator that receives the SMS of bKash and Nagad and
// forwards them as capcom6's SMS Gateway for Android does. make run and tests use it.
package phone

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/money"
)

// Phone is a phone with one account of each method.
type Phone struct {
	Name string
	Key  string // that its app signs with

	mu       sync.Mutex
	balances map[string]money.Poisha // by method
}

// New returns a phone whose accounts have the balance.
func New(name, key string, balance money.Poisha) *Phone {
	p := &Phone{Name: name, Key: key, balances: map[string]money.Poisha{}}
	for _, method := range wallet.Methods() {
		p.balances[method] = balance
	}
	return p
}

// Balance returns the balance of an account.
func (p *Phone) Balance(method string) money.Poisha {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.balances[method]
}

// SetBalance sets the balance of an account.
func (p *Phone) SetBalance(method string, balance money.Poisha) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.balances[method] = balance
}

// Forge returns an SMS about a payment that nobody has made. Its author guesses the balance.
func (p *Phone) Forge(method, payer string, amount money.Poisha, at time.Time) SMS {
	id := transactionID(method)
	return SMS{method, id, Text(method, id, payer, amount, 0, amount, "", at, false)}
}

// SMS is what a provider has sent to the phone.
type SMS struct {
	Method        string
	TransactionID string
	Text          string
}

// Receive has a payer send money to the account and returns the SMS about it.
func (p *Phone) Receive(method, payer string, amount money.Poisha, reference string, at time.Time) SMS {
	return p.move(method, payer, amount, 0, reference, at, false)
}

// Send has the operator send money from the account and returns the SMS about it.
func (p *Phone) Send(method, to string, amount, fee money.Poisha, at time.Time) SMS {
	return p.move(method, to, amount, fee, "", at, true)
}

func (p *Phone) move(method, party string, amount, fee money.Poisha, reference string, at time.Time, out bool) SMS {
	p.mu.Lock()
	if out {
		p.balances[method] -= amount + fee
	} else {
		p.balances[method] += amount
	}
	balance := p.balances[method]
	p.mu.Unlock()
	id := transactionID(method)
	return SMS{method, id, Text(method, id, party, amount, fee, balance, reference, at, out)}
}

// transactionID returns a random ID of the provider's form.
func transactionID(method string) string {
	const bkash, nagad = 10, 8
	if method == wallet.Nagad {
		return rand.Text()[:nagad]
	}
	return rand.Text()[:bkash]
}

// Text returns the SMS of a provider about a movement of money.
func Text(method, id, party string, amount, fee, balance money.Poisha, reference string, at time.Time, out bool) string {
	when := at.In(clock.Dhaka).Format("02/01/2006 15:04")
	if method == wallet.Nagad {
		head, side, charge := "Money Received.", "Sender", ""
		if out {
			head, side, charge = "Money Sent Successful.", "Receiver", "\nFee: Tk "+taka(fee)
		}
		if reference == "" {
			reference = "N/A"
		}
		return fmt.Sprintf("%s\nAmount: Tk %s\n%s: %s\nRef: %s\nTxnID: %s%s\nBalance: Tk %s\n%s",
			head, taka(amount), side, party, reference, id, charge, taka(balance), when)
	}
	head := fmt.Sprintf("You have received Tk %s from %s.", taka(amount), party)
	if out {
		head = fmt.Sprintf("Send Money Tk %s to %s successful.", taka(amount), party)
	}
	if reference != "" {
		head += " Ref " + reference + "."
	}
	return fmt.Sprintf("%s Fee Tk %s. Balance Tk %s. TrxID %s at %s", head, taka(fee), taka(balance), id, when)
}

// taka formats an amount with commas, as the providers do.
func taka(p money.Poisha) string {
	whole, cents := strconv.FormatInt(int64(p)/100, 10), int64(p)%100
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("%s.%02d", whole, cents)
}

// Forward returns the call with which the phone forwards an SMS.
func (p *Phone) Forward(sms SMS, at time.Time) wallet.Delivery {
	sender := "bKash"
	if sms.Method == wallet.Nagad {
		sender = "NAGAD"
	}
	return p.sign(map[string]any{
		"event": "sms:received", "deviceId": p.Name, "id": rand.Text(),
		"payload": map[string]any{"message": sms.Text, "sender": sender, "simNumber": 1, "receivedAt": at.Format(time.RFC3339)},
	}, at)
}

// Ping returns the call with which the phone says every minute that it is alive.
func (p *Phone) Ping(at time.Time) wallet.Delivery {
	return p.sign(map[string]any{"event": "system:ping", "deviceId": p.Name, "id": rand.Text(), "payload": map[string]any{}}, at)
}

func (p *Phone) sign(call map[string]any, at time.Time) wallet.Delivery {
	body, err := json.Marshal(call)
	if err != nil {
		panic(err) // maps of strings and numbers
	}
	stamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(p.Key))
	mac.Write(append(body, stamp...))
	return wallet.Delivery{Phone: p.Name, Body: string(body), Stamp: stamp, Signature: hex.EncodeToString(mac.Sum(nil))}
}

// Send makes the call at a site. The phone repeats it until there is no error.
func Send(ctx context.Context, client *http.Client, site string, d wallet.Delivery) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, site+"/api/phones/"+d.Phone, strings.NewReader(d.Body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Timestamp", d.Stamp)
	r.Header.Set("X-Signature", d.Signature)
	answer, err := client.Do(r)
	if err != nil {
		return err
	}
	_ = answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("the api answered %s", answer.Status)
	}
	return nil
}
