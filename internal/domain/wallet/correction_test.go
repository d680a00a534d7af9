package wallet_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/app/actor"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const creditedTwice = "A deposit was credited twice."

func (f fixture) proposed(t *testing.T, by actor.Actor, user uuid.UUID, amount money.Cents) wallet.Correction {
	t.Helper()
	a, err := f.ProposeCorrection(t.Context(), by, wallet.CorrectionProposal{UserID: user, Amount: amount, Reason: creditedTwice}, nil)
	require.NoError(t, err)
	return a
}

// confirmed confirms a correction and returns why that was refused, if it was.
func (f fixture) confirmed(t testing.TB, admin, id uuid.UUID) error {
	t.Helper()
	op, err := f.ConfirmCorrection(t.Context(), admin, id, nil)
	if err != nil {
		return err
	}
	return f.worker.Settle(t, op.ID).Err()
}

func TestProposeCorrection_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	closed := f.user(t, "gone")
	f.exec(t, `update users set closed_at = now(), disabled_at = now() where id = @id`, postgres.Args{"id": closed})
	type proposal = wallet.CorrectionProposal
	for name, c := range map[string]struct {
		proposal proposal
		code     fault.Code
		field    string
	}{
		"own wallet":        {proposal{UserID: f.admin, Amount: 1, Reason: creditedTwice}, fault.Forbidden, ""},
		"no amount":         {proposal{UserID: f.owner, Reason: creditedTwice}, fault.Invalid, "amount"},
		"too large":         {proposal{UserID: f.owner, Amount: wallet.MaxCorrection + 1, Reason: creditedTwice}, fault.Invalid, "amount"},
		"too large a debit": {proposal{UserID: f.owner, Amount: -wallet.MaxCorrection - 1, Reason: creditedTwice}, fault.Invalid, "amount"},
		"no reason":         {proposal{UserID: f.owner, Amount: 1, Reason: " \n"}, fault.Invalid, "reason"},
		"long reason":       {proposal{UserID: f.owner, Amount: 1, Reason: strings.Repeat("ক", 201)}, fault.Invalid, "reason"},
		"long note":         {proposal{UserID: f.owner, Amount: 1, Reason: creditedTwice, Note: strings.Repeat("ক", 501)}, fault.Invalid, "note"},
		"nobody":            {proposal{UserID: uuid.New(), Amount: 1, Reason: creditedTwice}, fault.Invalid, "userId"},
		"closed account":    {proposal{UserID: closed, Amount: 1, Reason: creditedTwice}, fault.Invalid, "userId"},
		"below zero":        {proposal{UserID: f.owner, Amount: -1, Reason: creditedTwice}, fault.InsufficientBalance, ""},
	} {
		_, err := f.ProposeCorrection(t.Context(), actor.User(f.admin), c.proposal, nil)
		require.Equal(t, c.code, fault.CodeOf(err), name)
		if c.field != "" {
			require.Contains(t, fault.As(err).Fields, c.field, name)
		}
	}
	require.Zero(t, f.count(t, `corrections`))
}

// An admin decides neither about their own wallet nor about their own proposal, and at most three
// are open.
func TestCorrection_rejected_or_withdrawn(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	by := actor.User(f.admin)
	own := f.proposed(t, by, f.second, 5_00)
	_, err := f.RejectCorrection(ctx, f.second, own.ID, "No.")
	requireCode(t, fault.Forbidden, err)
	requireCode(t, fault.Forbidden, f.confirmed(t, f.second, own.ID))
	_, err = f.RejectCorrection(ctx, f.admin, own.ID, "No.")
	requireCode(t, fault.Forbidden, err)
	_, err = f.WithdrawCorrection(ctx, f.second, own.ID)
	requireCode(t, fault.Forbidden, err)
	f.proposed(t, by, f.second, 5_00)
	f.proposed(t, by, f.second, 5_00)
	_, err = f.ProposeCorrection(ctx, by, wallet.CorrectionProposal{UserID: f.second, Amount: 1, Reason: "A check."}, nil)
	requireCode(t, fault.Conflict, err)
	require.ErrorContains(t, err, "Three corrections of this balance wait for an admin. Decide those first.")
	withdrawn, err := f.WithdrawCorrection(ctx, f.admin, own.ID)
	require.NoError(t, err)
	require.Equal(t, wallet.CorrectionWithdrawn, withdrawn.Status)
	f.proposed(t, by, f.second, 5_00)

	rejected := f.proposed(t, by, f.owner, 5_00)
	_, err = f.RejectCorrection(ctx, f.second, rejected.ID, " ")
	require.Contains(t, fault.As(err).Fields, "reason")
	rejected, err = f.RejectCorrection(ctx, f.second, rejected.ID, "It was credited once.")
	require.NoError(t, err)
	require.Equal(t, wallet.CorrectionRejected, rejected.Status)
	require.Equal(t, "It was credited once.", *rejected.Decision)
	requireCode(t, fault.AlreadyHandled, f.confirmed(t, f.second, rejected.ID))
	require.Zero(t, f.count(t, `ledger.transfers`))
	for _, action := range []string{"correction.reject", "correction.withdraw"} {
		require.Equal(t, 1, f.count(t, `audit_log where action = $1`, action), action)
	}
}

func TestCorrection_operator(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a := f.proposed(t, actor.Operator(), f.owner, 7_00)
	require.Nil(t, a.ProposedBy)
	require.Equal(t, 1, f.count(t, `river.river_job where kind = 'admin_notice' and args->>'notice_kind' = 'admin_correction_operator'`))
	_, err := f.WithdrawCorrection(t.Context(), f.admin, a.ID)
	requireCode(t, fault.Forbidden, err)
	require.NoError(t, f.confirmed(t, f.admin, a.ID))
	require.EqualValues(t, 7_00, f.balance(t))
	f.reconciled(t)
}

// What is true when a correction is confirmed may have changed when it settles.
func TestCorrection_refused_when_it_settles(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	f.db.Fund(f.owner, 10_00)
	for _, c := range []struct {
		change, undo string
		code         fault.Code
	}{
		{`is_admin = false where username = 'boss'`, `is_admin = true where username = 'boss'`, fault.Conflict},
		{`is_admin = false where username = 'chief'`, `is_admin = true where username = 'chief'`, fault.Forbidden},
		{
			`closed_at = now(), disabled_at = now() where username = 'rahim'`, `closed_at = null, disabled_at = null where username = 'rahim'`,
			fault.Conflict,
		},
	} {
		a := f.proposed(t, actor.User(f.admin), f.owner, 1_00)
		op, err := f.ConfirmCorrection(ctx, f.second, a.ID, nil)
		require.NoError(t, err)
		f.exec(t, `update users set `+c.change, postgres.Args{})
		requireCode(t, c.code, f.worker.Settle(t, op.ID).Err())
		f.exec(t, `update users set `+c.undo, postgres.Args{})
		withdrawn, err := f.WithdrawCorrection(ctx, f.admin, a.ID)
		require.NoError(t, err)
		require.Equal(t, wallet.CorrectionWithdrawn, withdrawn.Status)
	}

	// The balance falls between the confirmation and the posting.
	one, all := f.proposed(t, actor.User(f.admin), f.owner, -1_00), f.proposed(t, actor.User(f.admin), f.owner, -10_00)
	first, err := f.ConfirmCorrection(ctx, f.second, one.ID, nil)
	require.NoError(t, err)
	second, err := f.ConfirmCorrection(ctx, f.second, all.ID, nil)
	require.NoError(t, err)
	f.settled(t, first, nil)
	refusal := f.worker.Settle(t, second.ID).Err()
	requireCode(t, fault.InsufficientBalance, refusal)
	require.EqualValues(t, 1_00, fault.As(refusal).Shortfall)
	require.Equal(t, 1, f.count(t, `ledger.transfers where key like 'correction:%'`))
	require.EqualValues(t, 9_00, f.balance(t))
	f.reconciled(t)
}

// Corrections of any size are posted once, with their amount; a wallet never falls below zero.
func TestCorrection_amounts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	balance := money.Cents(0)
	rapid.Check(t, func(r *rapid.T) {
		amount := money.Cents(rapid.Int64Range(1, int64(wallet.MaxCorrection)).Draw(r, "amount"))
		if rapid.Bool().Draw(r, "debit") {
			amount = -amount
		}
		a, err := f.ProposeCorrection(t.Context(), actor.User(f.admin),
			wallet.CorrectionProposal{UserID: f.owner, Amount: amount, Reason: "A check."}, nil)
		if balance+amount < 0 {
			require.Equal(r, fault.InsufficientBalance, fault.CodeOf(err))
			require.EqualValues(r, -(balance + amount), fault.As(err).Shortfall)
			return
		}
		require.NoError(r, err)
		require.NoError(r, f.confirmed(t, f.second, a.ID))
		balance += amount
		require.Equal(r, balance, f.balance(t))
	})
	require.Equal(t, f.count(t, `corrections`), f.count(t, `ledger.transfers`))
	f.reconciled(t)
}
