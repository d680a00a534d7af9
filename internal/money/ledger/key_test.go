package ledger_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/money/ledger"
	"amanat/internal/money/operations"
	"amanat/internal/testing/dbtest"
)

// Keys are stored in the database, so their format must never change. They begin with the subject
// of the operation that posts under them.
func TestKeyKind(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t).Worker()
	id := uuid.MustParse("d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10")
	for kind, want := range map[ledger.KeyKind]struct{ key, subject, subjectKind, step string }{
		ledger.DealPay:          {"deal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:pay", operations.Deal(id), "deal", "pay"},
		ledger.DealClose:        {"deal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:close", operations.Deal(id), "deal", "close"},
		ledger.DepositApprove:   {"deposit:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:approve", operations.Deposit(id), "deposit", "approve"},
		ledger.WithdrawalHold:   {"withdrawal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:hold", operations.Withdrawal(id), "withdrawal", "hold"},
		ledger.WithdrawalSettle: {"withdrawal:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:settle", operations.Withdrawal(id), "withdrawal", "settle"},
		ledger.RewardCredit:     {"reward:d5a1c9c4-30c3-4c0e-8a0c-6c1f3f1b2a10:credit", operations.Reward(id), "reward", "credit"},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want.key, kind.Key(id))
			require.Equal(t, want.key, want.subject+":"+kind.Step())
			require.Equal(t, want.subjectKind, kind.SubjectKind())
			require.Equal(t, want.step, kind.Step())
			inSQL, err := postgres.Value[string](t.Context(), db, "test.key", `select `+kind.SQL(`'`+id.String()+`'::uuid`), nil)
			require.NoError(t, err)
			require.Equal(t, want.key, inSQL)
		})
	}
}
