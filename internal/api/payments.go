package api

import (
	"bytes"
	"context"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/domain/wallet"
	"amanat/internal/money"
)

func (s *Server) registerPayments() {
	register(s, endpoint{
		id: "phone-delivery", method: http.MethodPost, path: "/phones/{phone}", tag: "Wallet", access: anyone,
		summary:    "What a phone of the operator forwards: SMS of bKash and Nagad",
		rateLimits: []rateLimit{perAddress("phones", s.limits.PhoneLimit)},
	}, s.phoneDelivery)
	register(s, endpoint{
		id: "admin-receivers", method: http.MethodGet, path: "/admin/receivers", tag: adminTag, access: admin,
		summary: "The accounts that payments go to, and whether their SMS add up",
	}, s.adminReceivers)
	register(s, endpoint{
		id: "admin-receiver-anchor", method: http.MethodPost, path: "/admin/receivers/{id}/balance", tag: adminTag, access: reauthenticated,
		summary: "Have the next SMS continue the balance that the provider's app shows", visible: known(s.wallet.GetReceiver),
	}, s.adminReceiverAnchor)
	register(s, endpoint{
		id: "admin-drift", method: http.MethodGet, path: "/admin/drift", tag: adminTag, access: admin,
		summary: "The money in the accounts, beside the books",
	}, s.adminDrift)
	register(s, endpoint{
		id: "admin-payments", method: http.MethodGet, path: "/admin/payments", tag: adminTag, access: admin,
		summary: "What the SMS of bKash and Nagad state, newest first",
	}, s.adminPayments)
}

// PhoneDeliveryInput names the phone of a call. The body is stored as it comes.
type PhoneDeliveryInput struct {
	Phone     string `path:"phone" example:"shop"`
	Stamp     string `header:"X-Timestamp" doc:"Unix seconds." example:"1764480000"`
	Signature string `header:"X-Signature" doc:"Hexadecimal HMAC-SHA256 of the body and X-Timestamp, with the key of the phone." example:"5d41402a"`
}

// phoneDelivery accepts any call, so that a phone does not repeat one that nobody can read. Only a
// worker can tell whether a phone has signed it.
func (s *Server) phoneDelivery(ctx context.Context, in *PhoneDeliveryInput) (*output[Message], error) {
	body := callOf(ctx).body
	if len(body) == 0 || !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 {
		return respond(Message{wallet.OutcomeDelivered}), nil
	}
	err := s.wallet.StoreDelivery(ctx, wallet.Delivery{Phone: in.Phone, Body: string(body), Stamp: in.Stamp, Signature: in.Signature})
	return respond(Message{wallet.OutcomeDelivered}), err
}

// AdminReceiver is an account that payments go to.
type AdminReceiver struct {
	ID            uuid.UUID     `json:"_id"`
	Phone         string        `json:"phone" doc:"Which of the operator's phones forwards its SMS." example:"shop"`
	SIM           int16         `json:"sim" doc:"0: the phone does not say." example:"1"`
	PaymentMethod string        `json:"paymentMethod" enum:"Bkash,Nagad"`
	Balance       *money.Poisha `json:"balance" nullable:"true" doc:"BDT after the last SMS; null: none has been entered." example:"60500"`
	Works         bool          `json:"works" doc:"Payments are credited without an admin." example:"true"`
	HeardAt       time.Time     `json:"heardAt" doc:"When the phone was last heard of."`
	BrokenAt      *time.Time    `json:"brokenAt" doc:"Since when the SMS do not continue the balance; null: they do."`
}

func (s *Server) receiverOf(r wallet.Receiver) AdminReceiver {
	return AdminReceiver{
		ID: r.ID, Phone: r.Phone, SIM: r.SIM, PaymentMethod: r.Method, Balance: r.Balance, Works: r.Works(s.clock.Now()),
		HeardAt: r.HeardAt, BrokenAt: r.BrokenAt,
	}
}

func (s *Server) adminReceivers(ctx context.Context, _ *struct{}) (*output[[]AdminReceiver], error) {
	list, err := s.wallet.Receivers(ctx)
	return respond(mapped(list, s.receiverOf)), err
}

// AdminDrift is the money in the accounts of a payment method, beside the books.
type AdminDrift struct {
	PaymentMethod string        `json:"paymentMethod" enum:"Bkash,Nagad"`
	Unknown       int           `json:"unknown" doc:"Accounts without a balance, which are left out." example:"0"`
	Balance       money.Poisha  `json:"balance" doc:"BDT in the accounts, as their SMS state: booked and the sum of the reasons." example:"60500"`
	Booked        money.Poisha  `json:"booked" doc:"BDT credited less sent." example:"60000"`
	Reasons       []DriftReason `json:"reasons"`
}

// DriftReason is a reason why the accounts have another sum than the books.
type DriftReason struct {
	Reason string       `json:"reason" enum:"opening,entered,unclaimed,sent,fees,other,held,unexplained" doc:"opening: was there before; entered: not explained when an admin entered a balance; sent: left without a withdrawal; other: bookings that differ from their SMS; held: booked, but the SMS is not believed."`
	Amount money.Poisha `json:"amount" doc:"BDT; below zero: less than in the books." example:"500"`
}

func (s *Server) adminDrift(ctx context.Context, _ *struct{}) (*output[[]AdminDrift], error) {
	list, err := s.wallet.Drift(ctx)
	return respond(mapped(list, driftOf)), err
}

func driftOf(d wallet.Drift) AdminDrift {
	wire := AdminDrift{PaymentMethod: d.Method, Unknown: d.Unknown, Balance: d.Balance, Booked: d.Booked, Reasons: []DriftReason{}}
	for _, r := range []DriftReason{
		{"opening", d.Opening},
		{"entered", d.Entered},
		{"unclaimed", d.Unclaimed},
		{"sent", d.Sent},
		{"fees", d.Fees},
		{"other", d.Other},
		{"held", d.Held},
		{"unexplained", d.Unexplained},
	} {
		if r.Amount != 0 {
			wire.Reasons = append(wire.Reasons, r)
		}
	}
	return wire
}

// BalanceBody is the body of a balance that an admin enters.
type BalanceBody struct {
	Balance Amount `json:"balance" doc:"BDT that the provider's app shows." example:"60500"`
}

func (s *Server) adminReceiverAnchor(ctx context.Context, in *struct {
	IDPath
	Payload Payload[BalanceBody]
},
) (*output[Message], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	balance, err := body.Balance.read("balance")
	if err != nil {
		return nil, err
	}
	return respond(Message{wallet.OutcomeReceiverAnchored}), s.wallet.Anchor(ctx, actor(ctx).ID, pathID(ctx), money.Poisha(balance))
}

// AdminPaymentsInput is the query of the payments.
type AdminPaymentsInput struct {
	Paged
	Show string `query:"show" enum:"unclaimed,left,unread" doc:"unclaimed: payments to us that nobody was credited for; left: from us, without a withdrawal; unread: SMS that are not understood. All when not given."`
}

// AdminPayment is what an SMS states of an account.
type AdminPayment struct {
	ID          uuid.UUID          `json:"_id"`
	Receiver    AdminReceiver      `json:"receiver"`
	State       string             `json:"state" enum:"credited,sent,unclaimed,left,own,held,ignored,unread" doc:"credited: to a user; sent: for a withdrawal; left: without one; own: between two of our accounts; held, ignored: as in evidence; unread: the SMS is not understood."`
	ForwardedAt time.Time          `json:"forwardedAt"`
	Text        *string            `json:"text" doc:"Of an SMS that is not understood; the rest is null then." example:"Done."`
	Outgoing    *bool              `json:"outgoing" doc:"We sent it." example:"false"`
	Amount      *money.Poisha      `json:"amount" nullable:"true" doc:"BDT." example:"60500"`
	Party       *string            `json:"party" doc:"The other side's number or name." example:"01712345678"`
	At          *time.Time         `json:"at"`
	User        Nullable[user.Ref] `json:"user" doc:"Whose deposit or withdrawal."`
}

// AdminPayments is a page of the payments.
type AdminPayments struct {
	Payments []AdminPayment `json:"payments"`
	Pages
}

func (s *Server) adminPayments(ctx context.Context, in *AdminPaymentsInput) (*output[AdminPayments], error) {
	show, err := oneOf("show", in.Show, wallet.UnclaimedPayments, wallet.LeftPayments, wallet.UnreadPayments)
	if err != nil {
		return nil, err
	}
	slice, number, err := in.slice()
	if err != nil {
		return nil, err
	}
	list, total, err := s.wallet.Payments(ctx, show, slice)
	return respond(AdminPayments{mapped(list, func(p wallet.ListedPayment) AdminPayment {
		return AdminPayment{
			ID: p.ID, Receiver: s.receiverOf(p.Receiver), State: p.State, ForwardedAt: p.ForwardedAt, Text: p.Text,
			Outgoing: p.Outgoing, Amount: p.Amount, Party: p.Party, At: p.At, User: Nullable[user.Ref]{p.User},
		}
	}), pagesOf(number, slice.Limit, total)}), err
}
