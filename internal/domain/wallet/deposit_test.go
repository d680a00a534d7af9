package wallet

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/user"
	"amanat/internal/app/worklist"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// The rules are checked in order, and the first that fails gives the message.
func TestReportValidate(t *testing.T) {
	t.Parallel()
	const (
		textFormat = "Invalid transaction ID format. It should be 8-12 alphanumeric characters."
		textEither = "Invalid amount or transaction ID"
	)
	good := Report{Amount: 50_00, TransactionID: "8N7A6D5E4F", Method: Bkash}
	for name, tc := range map[string]struct {
		change      func(r *Report)
		kept        string // transaction ID, if accepted
		field, text string
	}{
		"good":                   {func(*Report) {}, "8N7A6D5E4F", "", ""},
		"small letters, blanks":  {func(r *Report) { r.TransactionID = " 8n7a6d5e4f " }, "8N7A6D5E4F", "", ""},
		"eight characters":       {func(r *Report) { r.TransactionID = "8N7A6D5E" }, "8N7A6D5E", "", ""},
		"twelve characters":      {func(r *Report) { r.TransactionID = "8N7A6D5E4F3G" }, "8N7A6D5E4F3G", "", ""},
		"seven characters":       {func(r *Report) { r.TransactionID = "8N7A6D5" }, "", "transactionId", textFormat},
		"thirteen characters":    {func(r *Report) { r.TransactionID = "8N7A6D5E4F3G2" }, "", "transactionId", textFormat},
		"a sign":                 {func(r *Report) { r.TransactionID = "8N7A-6D5E" }, "", "transactionId", textFormat},
		"no method":              {func(r *Report) { r.Method = "" }, "", "paymentMethod", textAllFields},
		"no transaction id":      {func(r *Report) { r.TransactionID = "" }, "", "transactionId", textAllFields},
		"blank transaction id":   {func(r *Report) { r.TransactionID = "  " }, "", "transactionId", textEither},
		"no amount":              {func(r *Report) { r.Amount = 0 }, "", "amount", textEither},
		"negative":               {func(r *Report) { r.Amount = -1 }, "", "amount", textEither},
		"another method":         {func(r *Report) { r.Method = "Rocket" }, "", "paymentMethod", textMethod},
		"largest":                {func(r *Report) { r.Amount = 1_000_000_00 }, "8N7A6D5E4F", "", ""},
		"a cent too much":        {func(r *Report) { r.Amount = 1_000_000_01 }, "", "amount", textMaximum},
		"the id before the most": {func(r *Report) { r.Amount, r.TransactionID = 1_000_000_01, "8" }, "", "transactionId", textFormat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := good
			tc.change(&report)
			kept, err := report.validate()
			require.Equal(t, tc.kept, kept)
			requireField(t, tc.field, tc.text, err)
		})
	}
}

// reported is a deposit of 50 dollars at 123 taka.
func reported() Deposit {
	return Deposit{
		ID: uuid.UUID{8}, User: owner, ClaimedAmount: 50_00, Amount: 50_00, ConvertedAmount: 6_150_00, Rate: 123,
		TransactionID: "8N7A6D5E4F", Method: Bkash, Status: DepositPending, CreatedAt: noon,
	}
}

// The rate of the report applies for a day. After that the current rate applies.
func TestWorth(t *testing.T) {
	t.Parallel()
	dayLater := noon.Add(24 * time.Hour)
	handled := reported()
	handled.Status = DepositCompleted
	for name, tc := range map[string]struct {
		deposit Deposit
		now     time.Time
		present money.Rate
		worth   worth
	}{
		"at once":                      {reported(), noon, 130_00, worth{123, 50_00, false}},
		"after just a day":             {reported(), dayLater, 130_00, worth{123, 50_00, false}},
		"after more than a day":        {reported(), dayLater.Add(1), 123_00, worth{123, 50_00, true}},
		"dollar dearer, rounded down":  {reported(), dayLater.Add(1), 130_00, worth{130, 47_30, true}},
		"dollar cheaper, rounded down": {reported(), dayLater.Add(1), 120_00, worth{120, 51_25, true}},
		"rate rounded up first":        {reported(), dayLater.Add(1), 122_01, worth{123, 50_00, true}},
		"handled":                      {handled, dayLater.Add(1), 130_00, worth{123, 50_00, false}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tc.deposit.worth(tc.now, tc.present)
			require.NoError(t, err)
			require.Equal(t, tc.worth, got)
		})
	}
}

// A reason is needed if the credit is far from the claimed amount, or above what the taka are worth
// now.
func TestNeedsReason(t *testing.T) {
	t.Parallel()
	asReported := worth{123, 50_00, false}
	dearer := worth{130, 47_30, true}
	for name, tc := range map[string]struct {
		amount money.Cents
		worth  worth
		needs  bool
	}{
		"as claimed":                         {50_00, asReported, false},
		"a tenth more":                       {55_00, asReported, false},
		"a cent beyond":                      {55_01, asReported, true},
		"a tenth less":                       {45_00, asReported, false},
		"a cent below":                       {44_99, asReported, true},
		"what it is worth now":               {47_30, dearer, false},
		"less than it is worth now":          {47_29, dearer, false},
		"a cent more than it is worth now":   {47_31, dearer, true},
		"as claimed though it is worth less": {50_00, dearer, true},
		"far below though recounted":         {44_99, worth{140, 43_92, true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.needs, Approval{Amount: tc.amount}.needsReason(reported(), tc.worth))
		})
	}
}

func TestApprovalValidate(t *testing.T) {
	t.Parallel()
	const textReason = "Write a reason: the amount is not what the payment is worth."
	for name, tc := range map[string]struct {
		approval    Approval
		field, text string
	}{
		"as claimed":           {Approval{Amount: 50_00, UserID: owner.ID}, "", ""},
		"no amount":            {Approval{UserID: owner.ID}, "amount", textEnterValid},
		"negative":             {Approval{Amount: -1, UserID: owner.ID}, "amount", textEnterValid},
		"too much":             {Approval{Amount: 1_000_000_01, UserID: owner.ID}, "amount", textMaximum},
		"to another user":      {Approval{Amount: 50_00, UserID: admin.ID}, "userId", "The deposit belongs to another user."},
		"far without a reason": {Approval{Amount: 60_00, UserID: owner.ID}, "reason", textReason},
		"far with a reason":    {Approval{Amount: 60_00, UserID: owner.ID, Reason: "Sent twice"}, "", ""},
		"longest reason":       {Approval{Amount: 50_00, UserID: owner.ID, Reason: strings.Repeat("ক", 500)}, "", ""},
		"reason too long": {
			Approval{Amount: 50_00, UserID: owner.ID, Reason: strings.Repeat("ক", 501)},
			"reason", "The reason must be at most 500 characters.",
		},
		"the owner before worth": {Approval{Amount: 60_00, UserID: admin.ID}, "userId", "The deposit belongs to another user."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireField(t, tc.field, tc.text, tc.approval.validate(reported(), worth{123, 50_00, false}))
		})
	}
}

func TestCheckReceived(t *testing.T) {
	t.Parallel()
	const differs = "The taka that arrived are not worth the amount to credit."
	for name, tc := range map[string]struct {
		amount   money.Cents
		received money.Poisha
		text     string
	}{
		"not given":              {500_01, 0, ""},
		"at the rate of report":  {600_00, 73_800_00, ""},
		"at the rate of credit":  {600_00, 75_000_00, ""},
		"with odd poisha":        {600_00, 75_001_24, ""},
		"a cent more than that":  {600_01, 75_001_24, differs},
		"worth less":             {600_00, 73_799_99, differs},
		"also of small amounts":  {50_00, 6_200_00, differs},
		"a negative one":         {50_00, -6_150_00, differs},
		"the dollars instead":    {600_00, 600_00, differs},
		"the right small amount": {50_00, 6_150_00, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			field := ""
			if tc.text != "" {
				field = "receivedTaka"
			}
			approval := Approval{Amount: tc.amount, Received: tc.received}
			requireField(t, field, tc.text, approval.checkReceived(Deposit{Rate: 123}, worth{125, 0, true}))
		})
	}
}

func TestNeedsSecondAdmin(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		above, amount money.Cents
		needs         bool
	}{
		"any may be given alone": {0, 1_000_000_00, false},
		"below":                  {1000_00, 999_99, false},
		"at the bound":           {1000_00, 1000_00, false},
		"a cent above":           {1000_00, 1000_01, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Service{SecondAdminAbove: tc.above}
			require.Equal(t, tc.needs, s.needsSecondAdmin(tc.amount))
		})
	}
}

// Settling checks again that no credit above the bound is approved by one admin alone.
func TestCheckSecondAdmin_one_admin(t *testing.T) {
	t.Parallel()
	s := &Service{SecondAdminAbove: 1000_00}
	require.NoError(t, s.checkSecondAdmin(t.Context(), nil, admin.ID, approvalParams{Amount: 1000_00}))
	require.Equal(t, fault.Conflict, fault.CodeOf(s.checkSecondAdmin(t.Context(), nil, admin.ID, approvalParams{Amount: 1000_01})))
}

func TestCheckConfirmation_refused(t *testing.T) {
	t.Parallel()
	proposed := WorklistDeposit{
		Deposit: reported(), Proposal: &Proposal{Amount: 2000_00, Reason: "Seen on the statement", By: admin, At: noon},
		Claim: &worklist.Claim{Admin: admin, Until: noon.Add(time.Minute)},
	}
	params := approvalParams{Amount: 2000_00, Reason: "Seen on the statement", ProposedBy: &admin.ID}
	for name, tc := range map[string]struct {
		who    user.Ref
		change func(d *WorklistDeposit, p *approvalParams)
		code   fault.Code
	}{
		"by the proposer":  {admin, func(*WorklistDeposit, *approvalParams) {}, fault.Forbidden},
		"by the owner":     {owner, func(*WorklistDeposit, *approvalParams) {}, fault.Forbidden},
		"no amount":        {second, func(_ *WorklistDeposit, p *approvalParams) { p.Amount = 0 }, fault.Invalid},
		"another amount":   {second, func(_ *WorklistDeposit, p *approvalParams) { p.Amount = 2000_01 }, fault.Invalid},
		"another reason":   {second, func(_ *WorklistDeposit, p *approvalParams) { p.Reason = "" }, fault.Invalid},
		"another proposer": {second, func(_ *WorklistDeposit, p *approvalParams) { p.ProposedBy = &second.ID }, fault.Invalid},
		"no proposer":      {second, func(_ *WorklistDeposit, p *approvalParams) { p.ProposedBy = nil }, fault.Invalid},
		"nothing proposed": {second, func(d *WorklistDeposit, _ *approvalParams) { d.Proposal = nil }, fault.Conflict},
		"nothing proposed, handled": {second, func(d *WorklistDeposit, _ *approvalParams) {
			d.Proposal, d.Status = nil, DepositFailed
		}, fault.AlreadyHandled},
		"handled meanwhile": {second, func(d *WorklistDeposit, _ *approvalParams) { d.Status = DepositCompleted }, fault.AlreadyHandled},
		"a third admin works on it": {second, func(d *WorklistDeposit, _ *approvalParams) {
			d.Claim = &worklist.Claim{Admin: user.Ref{ID: uuid.UUID{7}}, Until: noon.Add(1)}
		}, fault.AlreadyHandled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Service{Clock: fixed(noon)}
			d, p := proposed, params
			tc.change(&d, &p)
			require.Equal(t, tc.code, fault.CodeOf(s.checkConfirmation(t.Context(), nil, tc.who.ID, d, p, 2000_00*money.Poisha(d.Rate))))
		})
	}
}

func TestCheckHandle(t *testing.T) {
	t.Parallel()
	claimed := func(by user.Ref, until time.Time) *worklist.Claim { return &worklist.Claim{Admin: by, Until: until} }
	open := request{userID: owner.ID, Row: worklist.Row{Waits: true}}
	for name, tc := range map[string]struct {
		who    user.Ref
		change func(e *request)
		code   fault.Code
		text   string
	}{
		"free":                 {admin, func(*request) {}, "", ""},
		"the admin's own":      {owner, func(*request) {}, fault.Forbidden, "your own"},
		"claimed by the admin": {admin, func(e *request) { e.Claim = claimed(admin, noon.Add(1)) }, "", ""},
		"claimed by another": {admin, func(e *request) {
			e.Claim = claimed(second, noon.Add(1))
		}, fault.AlreadyHandled, "chief is working"},
		"another's claim ran out": {admin, func(e *request) { e.Claim = claimed(second, noon) }, "", ""},
		"handled": {admin, func(e *request) {
			e.Waits, e.HandledBy, e.HandledAt = false, &second, &noon
		}, fault.AlreadyHandled, "Already handled by chief at 1 Mar 2026, 18:00."},
		"expired":         {admin, func(e *request) { e.Waits = false }, fault.AlreadyHandled, "Already handled."},
		"own comes first": {owner, func(e *request) { e.Waits = false }, fault.Forbidden, "your own"},
		"over before claim": {admin, func(e *request) {
			e.Waits, e.Claim = false, claimed(second, noon.Add(1))
		}, fault.AlreadyHandled, "Already handled."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			entry := open
			tc.change(&entry)
			err := entry.checkHandle(tc.who.ID, noon)
			require.Equal(t, tc.code, fault.CodeOf(err))
			if tc.text != "" {
				require.ErrorContains(t, err, tc.text)
			}
		})
	}
}

// Settling does not check claims: the claim was checked when the operation was requested.
func TestCheckSettle_ignores_claims(t *testing.T) {
	t.Parallel()
	entry := request{userID: owner.ID, Row: worklist.Row{Waits: true, Claim: &worklist.Claim{Admin: second, Until: noon.Add(1)}}}
	require.NoError(t, entry.checkSettle(admin.ID))
	require.Equal(t, fault.AlreadyHandled, fault.CodeOf(entry.checkHandle(admin.ID, noon)))
}
