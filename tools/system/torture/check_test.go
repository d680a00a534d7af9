package main

import (
	"bytes"
	"flag"
	"io"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// story is a history that a test tells, one call after the other.
type story struct {
	now           time.Duration
	calls         []Call
	deal          uuid.UUID
	buyer, seller uuid.UUID
}

const (
	price  = 100_00
	payout = 98_00
)

func newStory() *story {
	return &story{deal: uuid.New(), buyer: uuid.New(), seller: uuid.New()}
}

// tell adds a call that begins when the last one has ended.
func (s *story) tell(kind Kind, change ...func(c *Call)) *story {
	c := Call{
		Kind: kind, Subject: s.deal, Buyer: s.buyer, Seller: s.seller, Cents: price, Attempts: 1, Outcome: OK,
		Invoked: s.now + 1, Returned: s.now + 2,
	}
	for _, edit := range change {
		edit(&c)
	}
	s.now += 2
	s.calls = append(s.calls, c)
	return s
}

func refused(reason string) func(c *Call) {
	return func(c *Call) { c.Outcome, c.Reason = Refused, reason }
}

func unknown(c *Call) { c.Outcome = Unknown }

// since makes a call begin earlier, so that it overlaps with those before it.
func since(at time.Duration) func(c *Call) { return func(c *Call) { c.Invoked = at } }

func (s *story) deposit(cents int64) *story {
	return s.tell(Approve, func(c *Call) { c.Subject, c.Cents = uuid.New(), cents })
}

func (s *story) saw(who uuid.UUID, has Wallet) *story {
	return s.tell(ReadWallet, func(c *Call) { c.Subject, c.Buyer, c.Saw = who, who, &Sight{Wallet: has} })
}

func (s *story) sawDeal(status string) *story {
	return s.tell(ReadDeal, func(c *Call) { c.Saw = &Sight{Status: status} })
}

func (s *story) violations() []string {
	var r Report
	r.check(s.calls)
	return r.Violations
}

func TestCheck_in_order(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*story{
		"a deal from its proposal to its completion": newStory().deposit(price).tell(Create).tell(Pay).sawDeal(dealActive).
			tell(Deliver).sawDeal(dealGiven).tell(Complete).sawDeal(dealDone),
		"a payment that is repeated": newStory().deposit(price).tell(Create).tell(Pay).tell(Pay),
		"one of two ends": newStory().deposit(price).tell(Create).tell(Pay).tell(SellerCancel).
			tell(Complete, since(7), refused("deal_status")).sawDeal(dealStopped),
		"another operation is under way": newStory().deposit(price).tell(Create).tell(Pay, refused("busy")).tell(Pay),
		"a removed deal": newStory().tell(Create).tell(Remove).tell(Pay, refused("deal_not_found")).
			sawDeal(dealRemoved),
		"a delivery without an answer that has had its effect": newStory().deposit(price).tell(Create).tell(Pay).tell(Deliver, unknown).
			sawDeal(dealGiven),
		"a delivery without an answer that has had none": newStory().deposit(price).tell(Create).tell(Pay).tell(Deliver, unknown).
			sawDeal(dealActive),
		"too small a balance": newStory().deposit(price-1).tell(Create).
			tell(Pay, refused("balance_too_low"), func(c *Call) { c.Shortfall = 1 }),
		"an accepted cancellation": newStory().deposit(price).tell(Create).tell(Pay).tell(AskCancel).tell(AcceptCancel).
			sawDeal(dealBack),
		"a settled dispute": newStory().deposit(price).tell(Create).tell(Pay).tell(Dispute).tell(Offer).tell(Settle),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, s.violations())
		})
	}
}

func TestCheck_wallets_in_order(t *testing.T) {
	t.Parallel()
	s := newStory().deposit(price).saw(uuid.UUID{}, Wallet{})
	s.saw(s.buyer, Wallet{Free: price}).tell(Create).tell(Pay).saw(s.buyer, Wallet{Escrow: price}).tell(Complete)
	s.saw(s.buyer, Wallet{}).saw(s.seller, Wallet{Free: payout})
	require.Empty(t, s.violations())

	s = newStory().deposit(price).tell(Create).tell(Pay).tell(Complete)
	s.tell(ReadWallet, since(4), func(c *Call) { c.Buyer, c.Saw = s.buyer, &Sight{Wallet: Wallet{Escrow: price}} })
	require.Empty(t, s.violations(), "a read while the deal is completed")
}

// Each of these is a promise that is broken.
func TestCheck_violations(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		story *story
		want  string
	}{
		"a payment that was acknowledged is lost": {newStory().deposit(price).tell(Create).tell(Pay).sawDeal(dealPending), "deal "},
		"a deal that was acknowledged is lost":    {newStory().tell(Create).sawDeal(dealRemoved), "deal "},
		"a deal that nobody has made":             {newStory().sawDeal(dealPending), "deal "},
		"a refused payment has had its effect": {
			newStory().deposit(price).tell(Create).tell(Pay, refused("deal_status")).sawDeal(dealActive), "deal ",
		},
		"a deal goes back to an earlier status": {
			newStory().deposit(price).tell(Create).tell(Pay).tell(Complete).sawDeal(dealDone).sawDeal(dealActive), "deal ",
		},
		"both ends of a deal": {
			newStory().deposit(price).tell(Create).tell(Pay).tell(Complete).tell(SellerCancel, since(7)), "happened in two ways",
		},
		"paid after it was removed": {newStory().deposit(price).tell(Create).tell(Remove).tell(Pay), "deal "},
		"an unknown refusal":        {newStory().deposit(price).tell(Create).tell(Pay, refused("internal")), "deal "},
		"an outcome that never becomes known": {
			newStory().deposit(price).tell(Create).tell(Pay, unknown), "never settled",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, join(tc.story.violations()), tc.want)
		})
	}
}

func TestCheck_wallet_violations(t *testing.T) {
	t.Parallel()
	for name, has := range map[string]Wallet{
		"a payment is doubled":        {Free: -price, Escrow: 2 * price},
		"a payment is lost":           {Free: price},
		"a payment takes too much":    {Free: -1, Escrow: price},
		"the escrow forgets the deal": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory().deposit(price).tell(Create).tell(Pay)
			require.Contains(t, join(s.saw(s.buyer, has).violations()), "wallet "+s.buyer.String())
		})
	}
	t.Run("a refusal for too small a balance that was large enough", func(t *testing.T) {
		t.Parallel()
		s := newStory().deposit(price).tell(Create).tell(Pay, refused("balance_too_low"), func(c *Call) { c.Shortfall = 1 })
		require.Contains(t, join(s.violations()), "wallet "+s.buyer.String())
	})
	t.Run("a balance that nobody can have seen yet", func(t *testing.T) {
		t.Parallel()
		s := newStory().deposit(price)
		s.saw(s.buyer, Wallet{Escrow: price}).tell(Create).tell(Pay)
		require.Contains(t, join(s.violations()), "wallet "+s.buyer.String())
	})
	t.Run("a credit that a failure has repeated", func(t *testing.T) {
		t.Parallel()
		s := newStory().deposit(price)
		require.NotEmpty(t, s.saw(s.buyer, Wallet{Free: 2 * price}).violations())
	})
}

func join(violations []string) string {
	var text bytes.Buffer
	for _, violation := range violations {
		text.WriteString(violation)
	}
	return text.String()
}

// The history of a wallet is divided where nothing is under way.
func TestWindows(t *testing.T) {
	t.Parallel()
	s := newStory().deposit(price).deposit(price).tell(Create).tell(Pay, since(3))
	happened, violations := effects(s.calls)
	require.Empty(t, violations)
	require.Len(t, happened, 3)
	s.saw(s.buyer, Wallet{Free: price, Escrow: price})
	checked, violations := checkWallets(s.calls)
	require.Empty(t, violations)
	require.Equal(t, 1, checked)
}

func TestHistory_file(t *testing.T) {
	t.Parallel()
	var h History
	s := newStory().deposit(price).tell(Create).tell(Pay).sawDeal(dealActive)
	for _, call := range s.calls {
		h.add(call)
	}
	var file bytes.Buffer
	require.NoError(t, h.Write(&file))
	again, err := ReadHistory(&file)
	require.NoError(t, err)
	require.Equal(t, h.Calls(), again.Calls())
}

func TestRun_flags(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, command(t.Context(), []string{"-help"}, io.Discard), flag.ErrHelp, "the names of the flags are unique")
}
