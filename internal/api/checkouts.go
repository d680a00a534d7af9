package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/pauses"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

func (s *Server) registerCheckouts() {
	const tag = walletTag
	registerIdempotent(s, endpoint{
		id: "checkout-start", method: http.MethodPost, path: "/checkouts", tag: tag, status: http.StatusCreated, area: pauses.Deposits,
		summary:    "Ask for a page of bKash on which the user pays a deposit; it is there within seconds",
		rateLimits: []rateLimit{s.perPerson("deposit", s.limits.DepositLimit)},
		codes:      []fault.Code{fault.NotFound, fault.Forbidden, fault.RateChanged},
	}, false, s.startCheckout)
	register(s, endpoint{
		id: "checkout-get", method: http.MethodGet, path: "/checkouts/{id}", tag: tag,
		summary: "One of the user's own payments on a page of bKash; once it is paid, there is a deposit with its id",
		codes:   []fault.Code{fault.NotFound},
	}, s.ownCheckout)
	register(s, endpoint{
		id: "checkout-return", method: http.MethodPost, path: "/checkouts/{id}/return", tag: tag,
		summary: "Say that bKash has sent the user back; it is asked what has become of the payment",
		visible: allowed(s.wallet.CheckCheckout),
	}, s.returnFromCheckout)
	register(s, endpoint{
		id: "bkash-ipn", method: http.MethodPost, path: "/ipn/bkash", tag: tag, access: anyone,
		summary:    "Notifications of bKash through Amazon SNS; nothing in them is believed, bKash is asked",
		rateLimits: []rateLimit{perAddress("ipn", s.limits.PhoneLimit)},
	}, s.bkashNotification)
}

// CheckoutBody is the body of a call that asks for a page of bKash.
type CheckoutBody struct {
	Amount          Amount `json:"amount" example:"500"`
	ConvertedAmount Shown  `json:"convertedAmount" required:"false" doc:"BDT as the user was shown them. Refused with rate_changed when the server counts otherwise; not checked when absent, null or no number." example:"60500"`
	DealID          string `json:"dealId,omitempty" format:"uuid" doc:"The deal that the money is for. The user is its buyer. Left out if it is gone."`
	Terms           int    `json:"terms,omitempty" minimum:"0" doc:"As in a report of a deposit." example:"1"`
}

// Checkout is a payment on a page of bKash.
type Checkout struct {
	ID      uuid.UUID        `json:"_id"`
	State   string           `json:"state" enum:"starting,open,executing,paid,failed" doc:"starting: there is no page yet; executing: bKash takes the payment."`
	Failure *CheckoutFailure `json:"failure" doc:"Why nothing was paid; null unless failed."`
	URL     *string          `json:"url" doc:"The page of bKash, while it can be paid." example:"https://payment.bkash.com/?paymentId=TR0011"`
	Amount  money.Cents      `json:"amount" example:"500"`
	Taka    money.Poisha     `json:"convertedAmount" example:"60500"`
	DealID  *uuid.UUID       `json:"dealId" format:"uuid" nullable:"true"`
}

// CheckoutFailure is why nothing was paid.
type CheckoutFailure string

// Schema documents CheckoutFailure, which may be null.
func (CheckoutFailure) Schema(huma.Registry) *huma.Schema {
	return enumOrNull(wallet.CheckoutUnavailable, wallet.CheckoutCancelled, wallet.CheckoutDeclined, wallet.CheckoutExpired)
}

func checkoutOf(c wallet.Checkout) Checkout {
	wire := Checkout{ID: c.ID, State: string(c.State), Amount: c.Amount, Taka: c.ConvertedAmount, DealID: c.DealID}
	if c.Failure != "" {
		wire.Failure = new(CheckoutFailure(c.Failure))
	}
	if c.State == wallet.CheckoutOpen {
		wire.URL = c.URL
	}
	return wire
}

func (s *Server) startCheckout(ctx context.Context, in *struct{ Payload Payload[CheckoutBody] }) (*Settled[Checkout], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	amount, err := body.Amount.read("amount")
	if err != nil {
		return nil, err
	}
	dealID, terms, err := s.dealToPay(ctx, body.DealID, body.Terms)
	if err != nil {
		return nil, err
	}
	report := wallet.Report{Amount: amount, Taka: body.ConvertedAmount.taka, DealID: dealID, Terms: terms}
	started, err := s.wallet.StartCheckout(ctx, actor(ctx).ID, report, callOf(ctx).key)
	if err != nil {
		return nil, err
	}
	return settledWith(checkoutOf(started)), nil
}

func (s *Server) ownCheckout(ctx context.Context, _ *IDPath) (*output[Checkout], error) {
	found, err := s.wallet.OwnCheckout(ctx, actor(ctx).ID, pathID(ctx))
	return respond(checkoutOf(found)), err
}

// ReturnBody is the body of a call of a user who comes back from bKash.
type ReturnBody struct {
	Status string `json:"status" enum:"success,failure,cancel" doc:"As in the address that bKash has sent the user to."`
}

func (s *Server) returnFromCheckout(ctx context.Context, in *struct {
	IDPath
	Payload Payload[ReturnBody]
},
) (*output[Checkout], error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	returned, err := oneOf("status", body.Status, wallet.ReturnedSuccess, wallet.ReturnedFailure, wallet.ReturnedCancelled)
	if err != nil {
		return nil, err
	}
	found, err := s.wallet.ReturnFromCheckout(ctx, actor(ctx).ID, pathID(ctx), returned)
	return respond(checkoutOf(found)), err
}

// snsHost is where a subscription to a topic of Amazon SNS is confirmed.
var snsHost = regexp.MustCompile(`^sns\.[a-z0-9-]+\.amazonaws\.com$`)

// notification is a call of Amazon SNS, and the message of bKash in it.
type notification struct {
	Type, Message, TopicARN, SubscribeURL string // Amazon's names, in any letter case

	Invoice string `json:"merchantInvoiceNumber"`
}

// bkashNotification accepts any call. A payment that it names is looked up with bKash, so its
// signature need not be checked. An operator confirms a subscription by opening the logged address.
func (s *Server) bkashNotification(ctx context.Context, _ *struct{}) (*output[Message], error) {
	received := respond(Message{wallet.OutcomeDelivered})
	var n notification
	if json.Unmarshal(callOf(ctx).body, &n) != nil {
		return received, nil //nolint:nilerr // anybody may call
	}
	if n.Type == "SubscriptionConfirmation" {
		if u, err := url.Parse(n.SubscribeURL); err == nil && u.Scheme == "https" && snsHost.MatchString(u.Host) {
			s.logger.WarnContext(ctx, "Amazon SNS asks to confirm a subscription", "topic", n.TopicARN, "url", n.SubscribeURL)
		}
		return received, nil
	}
	if n.Message != "" && json.Unmarshal([]byte(n.Message), &n) != nil {
		return received, nil //nolint:nilerr // as above
	}
	return received, s.wallet.HintCheckout(ctx, n.Invoice)
}
