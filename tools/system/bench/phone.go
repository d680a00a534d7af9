package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"

	"amanat/internal/devtools/phone"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

const (
	phoneName  = "bench"
	phoneKey   = "key-of-the-bench"
	phoneRate  = 5 // SMS a second
	paidBySMS  = money.Cents(1_00)
	takaOfPaid = money.Poisha(123_00)
)

// pays has somebody pay to the phone, and returns the SMS.
func (e *environment) pays() phone.SMS {
	return e.phone.Receive(wallet.Bkash, "01712345678", takaOfPaid, "", time.Now())
}

// startPhone has an admin set an exchange rate, and enter the balance of the phone's account.
func (e *environment) startPhone(ctx context.Context) error {
	if err := e.byAdmin(ctx, http.MethodPut, "/api/admin/exchange-rate", `{"usdToBdt": 122.40}`); err != nil {
		return err
	}
	e.phone = phone.New(phoneName, phoneKey, 0)
	if err := phone.Send(ctx, http.DefaultClient, e.site, e.phone.Forward(e.pays(), time.Now())); err != nil { // the account appears
		return err
	}
	if err := e.drain(ctx); err != nil {
		return err
	}
	receiver, err := receiverID(ctx, e.owner)
	if err != nil {
		return err
	}
	balance := `{"balance": ` + takaOfPaid.String() + `}`
	if err := e.byAdmin(ctx, http.MethodPost, "/api/admin/receivers/"+receiver.String()+"/balance", balance); err != nil {
		return err
	}
	return e.drain(ctx)
}

func (e *environment) byAdmin(ctx context.Context, method, path, body string) error {
	status, answer, err := e.call(ctx, http.DefaultClient, request{method, path, e.listeners.sessions[0], []byte(body)})
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", path, status, answer)
	}
	return err
}

// creditBySMS measures deposits that an SMS proves, from when the phone forwards it to when the
// payer sees that the deposit is credited. They have been reported before.
func (e *environment) creditBySMS(ctx context.Context) (Sample, error) {
	client := e.newClient()
	defer client.CloseIdleConnections()
	list := make([]phone.SMS, max(1, int(phoneRate*e.options.Duration.Seconds())))
	deposits, sessions := make([]uuid.UUID, len(list)), make([]string, len(list))
	var err error
	for i := range list {
		list[i], sessions[i] = e.pays(), e.sessions[e.payers%len(e.sessions)]
		e.payers++
		if deposits[i], err = e.report(ctx, client, sessions[i], list[i]); err != nil {
			return Sample{}, err
		}
	}
	if err := e.drain(ctx); err != nil {
		return Sample{}, err
	}
	return openLoop(ctx, phoneRate, e.options.Duration, func(ctx context.Context, i int) error {
		if err := phone.Send(ctx, client, e.site, e.phone.Forward(list[i], time.Now())); err != nil {
			return err
		}
		return e.awaitCredited(ctx, client, sessions[i], deposits[i])
	})
}

// report has a user report the payment of an SMS.
func (e *environment) report(ctx context.Context, client *http.Client, session string, sms phone.SMS) (uuid.UUID, error) {
	body := fmt.Sprintf(`{"amount": %s, "transactionId": %q, "paymentMethod": %q}`, paidBySMS, sms.TransactionID, sms.Method)
	status, answer, err := e.call(ctx, client, request{
		method: http.MethodPost, path: "/api/auth/deposit", session: session, body: []byte(body),
	})
	if err == nil && status != http.StatusCreated {
		err = fmt.Errorf("deposit: %d %s", status, answer)
	}
	var made struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	if err == nil {
		err = json.Unmarshal(answer, &made)
	}
	return made.Deposit.ID, err
}

// awaitCredited polls the deposit until it is credited.
func (e *environment) awaitCredited(ctx context.Context, client *http.Client, session string, deposit uuid.UUID) error {
	for deadline := time.Now().Add(callTimeout); time.Now().Before(deadline); {
		status, answer, err := e.call(ctx, client, request{method: http.MethodGet, path: "/api/deposits/" + deposit.String(), session: session})
		if err != nil {
			return err
		}
		var seen struct {
			Deposit struct{ Status wallet.DepositStatus }
		}
		if err := json.Unmarshal(answer, &seen); err != nil || status != http.StatusOK {
			return fmt.Errorf("deposit: %d %s", status, answer)
		}
		if seen.Deposit.Status == wallet.DepositCompleted {
			return nil
		}
		if err := waitUntil(ctx, time.Now().Add(pollPause)); err != nil {
			return err
		}
	}
	return fmt.Errorf("deposit %s is not credited in %s", deposit, callTimeout)
}
