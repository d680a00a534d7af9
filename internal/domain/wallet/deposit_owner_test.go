package wallet_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/app/config"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/testing/dbtest"
)

func TestRetractDeposit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	other := f.user(t, "karim")
	d := f.report(t, f.owner, "8N7A6D5E4F", 50_00)
	rival := f.report(t, other, "8N7A6D5E4F", 50_00)
	_, err := f.ClaimDeposit(ctx, f.admin, d.ID)
	require.NoError(t, err)

	_, err = f.RetractDeposit(ctx, other, d.ID)
	requireCode(t, fault.NotFound, err)
	_, err = f.RetractDeposit(ctx, f.owner, uuid.New())
	requireCode(t, fault.NotFound, err)
	retracted, err := f.RetractDeposit(ctx, f.owner, d.ID)
	require.NoError(t, err, "a claim does not prevent it")
	require.Equal(t, wallet.DepositFailed, retracted.Status)
	require.Equal(t, wallet.Retracted, retracted.ReasonCode)
	require.False(t, retracted.Expired())
	require.Nil(t, retracted.HandledBy)
	f.clock.Advance(time.Minute)
	again, err := f.RetractDeposit(ctx, f.owner, d.ID)
	require.NoError(t, err)
	require.Equal(t, retracted.HandledAt, again.HandledAt)
	require.Empty(t, f.notices(t), "the user knows")

	freed, err := f.GetDeposit(ctx, rival.ID)
	require.NoError(t, err)
	require.False(t, freed.Disputed)
	_, err = f.Approve(ctx, f.admin, d.ID, wallet.Approval{Amount: 50_00, UserID: f.owner}, nil)
	requireCode(t, fault.AlreadyHandled, err)
	require.Equal(t, wallet.DepositPending, f.report(t, f.owner, "8N7A6D5E4F", 50_00).Status, "the transaction ID is free")
}

func TestRetractDeposit_too_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := t.Context()
	credited, rejected := f.report(t, f.owner, "8N7A6D5E41", 50_00), f.report(t, f.owner, "8N7A6D5E42", 50_00)
	f.approved(t, credited)
	_, err := f.RejectDeposit(ctx, f.admin, rejected.ID, wallet.Rejection{})
	require.NoError(t, err)
	expired := f.report(t, f.owner, "8N7A6D5E43", 50_00).ID
	f.clock.Advance(80 * time.Hour)
	_, err = f.settler.ExpireDeposits(ctx)
	require.NoError(t, err)
	for name, id := range map[string]uuid.UUID{"credited": credited.ID, "rejected": rejected.ID, "expired": expired} {
		_, err = f.RetractDeposit(ctx, f.owner, id)
		requireCode(t, fault.Conflict, err)
		require.Equal(t, "deposit_handled", fault.As(err).Reason, name)
	}

	pending := f.report(t, f.owner, "8N7A6D5E44", 50_00)
	_, err = f.Approve(ctx, f.admin, pending.ID, wallet.Approval{Amount: 50_00, UserID: f.owner}, nil)
	require.NoError(t, err)
	_, err = f.RetractDeposit(ctx, f.owner, pending.ID)
	requireCode(t, fault.Conflict, err)
	require.Equal(t, "busy", fault.As(err).Reason)
	proposed := f.report(t, f.owner, "8N7A6D5E45", 1500_00)
	approval := wallet.Approval{Amount: 1500_00, UserID: f.owner, Received: received(proposed, 1500_00)}
	_, err = f.Approve(ctx, f.admin, proposed.ID, approval, nil)
	require.NoError(t, err)
	_, err = f.RetractDeposit(ctx, f.owner, proposed.ID)
	requireCode(t, fault.Conflict, err)
	require.Equal(t, "deposit_almost_credited", fault.As(err).Reason)
}

func TestRejectDeposit_codes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i, tc := range []struct {
		rejection wallet.Rejection
		code      wallet.ReasonCode
		kind      catalog.Kind
	}{
		{wallet.Rejection{Code: wallet.NotFound}, wallet.NotFound, catalog.DepositNotFound},
		{wallet.Rejection{Code: wallet.OtherAmount, Reason: "It is of $20."}, wallet.OtherAmount, catalog.DepositOtherAmount},
		{wallet.Rejection{Code: wallet.UsedBefore}, wallet.UsedBefore, catalog.DepositUsedBefore},
		{wallet.Rejection{Code: wallet.OtherNumber}, wallet.OtherNumber, catalog.DepositOtherNumber},
		{wallet.Rejection{Code: wallet.OtherReason, Reason: "Ask your bank."}, wallet.OtherReason, catalog.DepositRejected},
		{wallet.Rejection{Reason: "Ask your bank."}, wallet.OtherReason, catalog.DepositRejected},
		{wallet.Rejection{}, wallet.NoReason, catalog.DepositRejected},
	} {
		d := f.report(t, f.owner, fmt.Sprintf("8N7A6D5E4%d", i), 50_00)
		rejected, err := f.RejectDeposit(t.Context(), f.admin, d.ID, tc.rejection)
		require.NoError(t, err)
		require.Equal(t, tc.code, rejected.ReasonCode)
		kinds := f.notices(t)
		require.Equal(t, tc.kind, kinds[len(kinds)-1])
	}
	d := f.report(t, f.owner, "8N7A6D5E4F", 50_00)
	for _, code := range []wallet.ReasonCode{wallet.Expired, wallet.Retracted, "nothing"} {
		_, err := f.RejectDeposit(t.Context(), f.admin, d.ID, wallet.Rejection{Code: code})
		requireCode(t, fault.Invalid, err)
		require.Contains(t, fault.As(err).Fields, "code")
	}
}

func TestReportDeposit_reported_before(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.clock.Advance(time.Until(time.Date(2030, 11, 22, 3, 30, 0, 0, time.UTC)))
	report := wallet.Report{Amount: 50_00, TransactionID: "8n7a6d5e4f", Method: wallet.Nagad}
	d := f.report(t, f.owner, "8N7A6D5E4F", 95_00)
	_, err := f.ReportDeposit(t.Context(), f.owner, report, nil)
	requireCode(t, fault.Duplicate, err)
	require.Equal(t, "You already reported this on 22 Nov 2030, 09:30 ($95.00, being checked).", fault.As(err).Message)
	require.Contains(t, fault.As(err).Fields, "transactionId")
	f.approved(t, d)
	_, err = f.ReportDeposit(t.Context(), f.owner, report, nil)
	requireCode(t, fault.Duplicate, err)
	require.Equal(t, "You already reported this on 22 Nov 2030, 09:30 ($95.00, credited).", fault.As(err).Message)
	require.Equal(t, "transaction_credited", fault.As(err).Reason)
}

func TestPendingDeposits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	other := f.user(t, "karim")
	first := f.report(t, f.owner, "8N7A6D5E41", 50_00)
	f.clock.Advance(time.Second)
	second := f.report(t, f.owner, "8N7A6D5E42", 60_00)
	f.approved(t, f.report(t, f.owner, "8N7A6D5E43", 70_00))
	f.report(t, other, "8N7A6D5E44", 80_00)
	pending, err := f.PendingDeposits(t.Context(), f.owner)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{second.ID, first.ID}, idsOf(pending))
	for i := range 20 {
		f.report(t, f.owner, fmt.Sprintf("8N7A6D5F%02d", i), 1_00)
	}
	pending, err = f.PendingDeposits(t.Context(), f.owner)
	require.NoError(t, err)
	require.Len(t, pending, 20)
}

func idsOf(list []wallet.Deposit) []uuid.UUID {
	ids := make([]uuid.UUID, len(list))
	for i, d := range list {
		ids[i] = d.ID
	}
	return ids
}

func TestDepositWait(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.Hours = config.Hours{From: 9 * time.Hour, To: 23 * time.Hour}
	f.clock.Advance(time.Until(time.Date(2030, 11, 22, 3, 30, 0, 0, time.UTC))) // 9:30 in Dhaka
	for i := range 5 {
		w, err := f.DepositWait(t.Context())
		require.NoError(t, err)
		require.Nil(t, w.Usual, "too few")
		require.True(t, w.Open)
		require.Nil(t, w.NextOpenAt)
		d := f.report(t, f.owner, fmt.Sprintf("8N7A6D5E4%d", i), 50_00)
		f.clock.Advance(time.Duration(5+i) * time.Minute)
		f.approved(t, d)
	}
	_, err := f.RejectDeposit(t.Context(), f.admin, f.report(t, f.owner, "8N7A6D5E4F", 50_00).ID, wallet.Rejection{})
	require.NoError(t, err)
	f.clock.Advance(14 * time.Hour)
	w, err := f.DepositWait(t.Context())
	require.NoError(t, err)
	require.Equal(t, 7*time.Minute, w.Usual.Round(time.Second))
	require.False(t, w.Open)
	require.Equal(t, "2030-11-23 03:00", w.NextOpenAt.UTC().Format("2006-01-02 15:04"))
}

func TestQueueDeposits(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	other := f.user(t, "Rahima")
	deposits := map[string]uuid.UUID{}
	for _, d := range []struct {
		name        string
		userID      uuid.UUID
		transaction string
		amount      money.Cents
		method      string
	}{
		{"small", f.owner, "CKP7Q1W9PA", 10_00, wallet.Bkash},
		{"large", other, "75LQ02XR", 300_00, wallet.Nagad},
		{"middle", other, "CKP8AAAA", 95_00, wallet.Bkash},
	} {
		reported, err := f.ReportDeposit(t.Context(), d.userID,
			wallet.Report{Amount: d.amount, TransactionID: d.transaction, Method: d.method}, nil)
		require.NoError(t, err)
		deposits[d.name] = reported.ID
		f.clock.Advance(time.Second)
	}
	credited := f.report(t, f.owner, "CKN4P0ZQ3U", 95_00)
	f.approved(t, credited)
	deposits["credited"] = credited.ID

	pending := wallet.DepositPending
	for name, tc := range map[string]struct {
		query wallet.DepositQuery
		found []string
	}{
		"all":                     {wallet.DepositQuery{}, []string{"credited", "middle", "large", "small"}},
		"all, oldest":             {wallet.DepositQuery{Sort: wallet.OldestFirst}, []string{"small", "large", "middle", "credited"}},
		"all, largest":            {wallet.DepositQuery{Sort: wallet.LargestFirst}, []string{"large", "credited", "middle", "small"}},
		"pending":                 {wallet.DepositQuery{Status: pending}, []string{"small", "large", "middle"}},
		"pending, newest":         {wallet.DepositQuery{Status: pending, Sort: wallet.NewestFirst}, []string{"middle", "large", "small"}},
		"pending, largest":        {wallet.DepositQuery{Status: pending, Sort: wallet.LargestFirst}, []string{"large", "middle", "small"}},
		"method":                  {wallet.DepositQuery{Method: wallet.Bkash}, []string{"credited", "middle", "small"}},
		"pending by method":       {wallet.DepositQuery{Status: pending, Method: wallet.Nagad}, []string{"large"}},
		"beginning of the ID":     {wallet.DepositQuery{Search: "ckp"}, []string{"middle", "small"}},
		"the whole ID":            {wallet.DepositQuery{Search: "75LQ02XR"}, []string{"large"}},
		"beginning of a name":     {wallet.DepositQuery{Search: "rahim"}, []string{"credited", "middle", "large", "small"}},
		"of one name, in status":  {wallet.DepositQuery{Search: "RAHIMA", Status: pending}, []string{"large", "middle"}},
		"dollars":                 {wallet.DepositQuery{Search: "95"}, []string{"credited", "middle"}},
		"dollars by method":       {wallet.DepositQuery{Search: "$95.00", Method: wallet.Bkash, Status: pending}, []string{"middle"}},
		"taka":                    {wallet.DepositQuery{Search: "৳৩৬,৯০০"}, []string{"large"}},
		"taka without a sign":     {wallet.DepositQuery{Search: "1230"}, []string{"small"}},
		"taka as dollars":         {wallet.DepositQuery{Search: "$1230"}, nil},
		"in the middle of the ID": {wallet.DepositQuery{Search: "KP7"}, nil},
		"one letter":              {wallet.DepositQuery{Search: "c"}, nil},
		"wildcards":               {wallet.DepositQuery{Search: "r_him"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list, totals, err := f.DepositWorklist(t.Context(), tc.query, postgres.Page{Limit: 10})
			require.NoError(t, err)
			var want []uuid.UUID
			var got []uuid.UUID
			var sum money.Cents
			for _, name := range tc.found {
				want = append(want, deposits[name])
			}
			for _, d := range list {
				got, sum = append(got, d.ID), sum+d.Amount
			}
			require.Equal(t, want, got)
			require.Equal(t, wallet.Totals{Count: len(tc.found), Amount: sum}, totals)
		})
	}
	list, totals, err := f.DepositWorklist(t.Context(), wallet.DepositQuery{Search: "95"}, postgres.Page{Limit: 1, Offset: 1})
	require.NoError(t, err)
	require.Equal(t, deposits["middle"], list[0].ID)
	require.Equal(t, wallet.Totals{Count: 2, Amount: 190_00}, totals, "of all pages")
}

// tableScan finds a statement of which the plan reads all deposits.
var tableScan = regexp.MustCompile(`Query Text: select (id|d|count)[^\n]*\n(?:[^\n]+\n)*.*Seq Scan on deposits`)

// Every list and search of deposits uses an index, whatever the number of deposits.
func TestQueueDeposits_no_table_scans(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(t, `
		insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), 'user' || i, 'user' || i || '@example.com', '', true, 'code' || i, now(), now()
		  from generate_series(1, 2000) i`, nil)
	f.exec(t, `
		insert into deposits (id, user_id, payment_method, transaction_id, claimed_amount, amount, rate, converted_amount, status,
		                      created_at, handled_at, handled_by)
		select gen_random_uuid(), u.id, case i % 20 when 0 then 'Nagad' else 'Bkash' end, upper(left(md5(i::text), 10)), a, a, 123, a * 123,
		       case when i % 50 = 0 then 'pending' when i % 7 = 0 then 'Failed' else 'completed' end,
		       now() - i * interval '1 minute', case when i % 50 > 0 then now() - i * interval '1 minute' end,
		       case when i % 50 > 0 then (select id from users where username = 'boss') end
		  from generate_series(1, 6000) i
		  cross join lateral (select 500 * (1 + i * 37 % 300)::bigint as a) amounts
		  join users u on u.username = 'user' || (i % 2000 + 1)`, nil)
	_, err := f.db.Owner().Exec(t.Context(), `vacuum analyze deposits`)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `analyze users`)
	require.NoError(t, err)

	plans := func(use func(s *wallet.Service)) string {
		return dbtest.Explain(t, f.db, func(pool *pgxpool.Pool) {
			use(&wallet.Service{DB: pool, Clock: clock.NewOffset(0)})
		})
	}
	for name, query := range map[string]wallet.DepositQuery{
		"all":                {},
		"all, largest":       {Sort: wallet.LargestFirst},
		"pending":            {Status: wallet.DepositPending},
		"pending, largest":   {Status: wallet.DepositPending, Sort: wallet.LargestFirst},
		"completed":          {Status: wallet.DepositCompleted},
		"completed, oldest":  {Status: wallet.DepositCompleted, Sort: wallet.OldestFirst},
		"completed, largest": {Status: wallet.DepositCompleted, Sort: wallet.LargestFirst},
		"by method":          {Status: wallet.DepositCompleted, Method: wallet.Nagad},
		"by method, largest": {Status: wallet.DepositCompleted, Method: wallet.Nagad, Sort: wallet.LargestFirst},
		"beginning":          {Search: "A1B"},
		"username":           {Search: "user199", Status: wallet.DepositCompleted},
		"amount":             {Search: "45", Sort: wallet.LargestFirst},
		"everything":         {Search: "12", Status: wallet.DepositCompleted, Method: wallet.Nagad},
	} {
		plan := plans(func(s *wallet.Service) {
			for range 7 { // more than the five executions for which PostgreSQL makes custom plans
				_, _, err := s.DepositWorklist(t.Context(), query, postgres.Page{Limit: 10, Offset: 10})
				require.NoError(t, err)
			}
		})
		require.Empty(t, tableScan.FindString(plan), name)
	}
	plan := plans(func(s *wallet.Service) {
		_, err := s.DepositWait(t.Context())
		require.NoError(t, err)
	})
	require.Contains(t, plan, "Index Only Scan using deposits_credited on deposits")
	plan = plans(func(s *wallet.Service) {
		_, err := s.PendingDeposits(t.Context(), f.owner)
		require.NoError(t, err)
	})
	require.Contains(t, plan, "deposits_user_pending")
}
