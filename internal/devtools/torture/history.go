package torture

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Kind is what a call asks for.
type Kind string

// Kinds of calls. Those up to Adjust move money or make what moves it; the others only read.
const (
	Create        Kind = "deal_create"
	Remove        Kind = "deal_remove"
	Pay           Kind = "deal_pay"
	Deliver       Kind = "deal_deliver"
	Complete      Kind = "deal_complete"
	SellerCancel  Kind = "deal_cancel"
	AskCancel     Kind = "deal_ask_cancel"
	AcceptCancel  Kind = "deal_accept_cancel"
	ForceComplete Kind = "deal_force_complete"
	ForceCancel   Kind = "deal_force_cancel"
	Dispute       Kind = "dispute_open"
	Offer         Kind = "dispute_offer"
	Settle        Kind = "dispute_settle"
	Deposit       Kind = "deposit"
	Approve       Kind = "deposit_approve"
	Withdraw      Kind = "withdraw"
	Send          Kind = "withdrawal_send"
	Reject        Kind = "withdrawal_reject"
	Cancel        Kind = "withdrawal_cancel"
	Propose       Kind = "adjustment_propose"
	Adjust        Kind = "adjustment_confirm"
	ReadDeal      Kind = "read_deal"
	ReadWallet    Kind = "read_wallet"
)

func (k Kind) reads() bool { return k == ReadDeal || k == ReadWallet }

// Outcome is what a client knows about a call.
type Outcome string

// Outcomes.
const (
	OK      Outcome = "ok"
	Refused Outcome = "refused" // it has had no effect
	Unknown Outcome = "unknown" // it may have had its effect, or may have it later
)

// Call is a call with all its attempts, which have the same idempotency key.
type Call struct {
	Kind    Kind      `json:"kind"`
	Subject uuid.UUID `json:"subject"` // the deal, deposit, withdrawal, correction or owner of the wallet
	Actor   uuid.UUID `json:"actor"`

	// Of calls about deals. Other calls have the owner of the wallet as Buyer.
	Buyer  uuid.UUID `json:"buyer"`
	Seller uuid.UUID `json:"seller"`
	Cents  int64     `json:"cents,omitempty"` // price or amount
	Part   int64     `json:"part,omitempty"`  // what a settled dispute gives back to the buyer

	Invoked    time.Duration `json:"invoked"`           // since the start of the run
	Pending    time.Duration `json:"pending,omitempty"` // it had had no effect yet by then
	Returned   time.Duration `json:"returned"`
	Attempts   int           `json:"attempts"`
	Unanswered int           `json:"unanswered,omitempty"` // attempts without a final answer

	Outcome   Outcome `json:"outcome"`
	Status    int     `json:"status,omitempty"`
	Code      string  `json:"code,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	Shortfall int64   `json:"shortfall,omitempty"` // cents

	Saw *Sight `json:"saw,omitempty"` // what a read has returned
}

// from returns when the effect of the call, or its refusal, was at the earliest.
func (c Call) from() time.Duration { return max(c.Invoked, c.Pending) }

// Sight is the answer to a read.
type Sight struct {
	Status    string `json:"status,omitempty"` // of a deal; removed if there is none
	Requested bool   `json:"requested,omitempty"`
	Wallet    Wallet `json:"wallet"`
}

// Wallet is what a user has, in cents.
type Wallet struct {
	Free   int64 `json:"free"`
	Escrow int64 `json:"escrow"` // price of the open deals that they pay for
	Held   int64 `json:"held"`   // for withdrawals
}

func (w Wallet) plus(other Wallet) Wallet {
	return Wallet{w.Free + other.Free, w.Escrow + other.Escrow, w.Held + other.Held}
}

// History is all calls of a run. It is safe for concurrent use.
type History struct {
	mu    sync.Mutex
	calls []Call
}

func (h *History) add(c Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, c)
}

// Calls returns the calls in the order in which they began.
func (h *History) Calls() []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	calls := slices.Clone(h.calls)
	slices.SortFunc(calls, func(a, b Call) int { return int(a.Invoked - b.Invoked) })
	return calls
}

// Write writes the calls as JSON, one a line.
func (h *History) Write(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	for _, call := range h.Calls() {
		if err := encoder.Encode(call); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// ReadHistory reads what Write has written.
func ReadHistory(r io.Reader) (*History, error) {
	h := &History{}
	for decoder := json.NewDecoder(r); ; {
		var call Call
		err := decoder.Decode(&call)
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err != nil {
			return nil, err
		}
		h.add(call)
	}
}
