package workers

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/queue/jobs"
)

// rejected enqueues an operation without the service that would refuse it, and waits until a worker
// rejects it.
func (f *fixture) rejected(request operations.Request) {
	f.t.Helper()
	request.ID = uuid.New()
	require.NoError(f.t, postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.ops.EnqueueFollowUp(f.t.Context(), tx, request)
	}))
	require.Eventually(f.t, func() bool {
		return f.count(`select count(*) from operations where id = $1 and status <> 'pending'`, request.ID) == 1
	}, 10*time.Second, 5*time.Millisecond)
	require.Equal(f.t, 1, f.count(`select count(*) from operations where id = $1 and status = 'rejected'`, request.ID),
		"%s %v", request.Kind, request.Params)
}

// An operation of the system that is due settles only a day after the warning, even if it was
// enqueued without that check.
func TestSettleComplete_refuses_before_warning_day(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	completion := operations.Request{
		Kind: jobs.KindDealComplete, Subject: operations.Deal(f.id), Actor: actor.System(), Params: map[string]string{"by": "clock"},
	}
	f.do(f.deals.Deliver(t.Context(), f.seller, f.id, deals.Words{}))
	f.clock.Advance(4 * day)
	require.True(t, f.clock.Now().After(*f.now().NextActionAt))
	f.rejected(completion)
	_, err := f.sweeper.Sweep(t.Context()) // warns
	require.NoError(t, err)
	f.clock.Advance(day - time.Minute)
	f.rejected(completion)
	require.Equal(t, deals.Delivered, f.now().Status)
}
