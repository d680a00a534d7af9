package deals

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/testing/dbtest"
)

// Every division of every price is conserved to the cent, and nobody gets less than nothing.
func TestSplit_conserves(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		price := money.Cents(rapid.Int64Range(1, 1_000_000_000_000).Draw(rt, "price"))
		gets := money.Cents(rapid.Int64Range(0, int64(price)).Draw(rt, "buyer gets"))
		s := split(price, gets)
		require.Equal(rt, price, s.BuyerGets+s.SellerGets+s.Fee)
		require.Equal(rt, gets, s.BuyerGets)
		require.Equal(rt, money.Fee(price-gets), s.Fee)
		require.GreaterOrEqual(rt, s.SellerGets, money.Cents(0))
	})
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ price, buyer, seller, fee money.Cents }{
		"all to the seller":      {100_00, 0, 98_00, 2_00},
		"all to the buyer":       {100_00, 100_00, 0, 0},
		"a fee rounded half up":  {1_00, 75, 24, 1},
		"a fee rounded to zero":  {1_00, 76, 24, 0},
		"one cent for the other": {100_00, 99_99, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, Split{BuyerGets: c.buyer, SellerGets: c.seller, Fee: c.fee}, split(c.price, c.buyer))
		})
	}
}

func TestExpectedBy(t *testing.T) {
	t.Parallel()
	opened := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	after := func(d time.Duration) *time.Time { return new(opened.Add(d)) }
	for name, tc := range map[string]struct {
		dispute Dispute
		want    *time.Time
	}{
		"not answered":      {Dispute{Status: DisputeOpen}, after(5 * day)},
		"answered in time":  {Dispute{Status: DisputeOpen, AnsweredAt: after(time.Hour)}, after(3*day + time.Hour)},
		"answered too late": {Dispute{Status: DisputeOpen, AnsweredAt: after(4 * day)}, after(5 * day)},
		"decided":           {Dispute{Status: DisputeDecided, CarryOutAt: after(6 * day)}, after(6 * day)},
		"appealed":          {Dispute{Status: DisputeAppealed, AppealedAt: after(6 * day)}, after(9 * day)},
		"settled":           {Dispute{Status: DisputeSettled}, nil},
		"closed":            {Dispute{Status: DisputeClosed}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.dispute.AnswerDueAt = opened.Add(disputeAnswerWithin)
			require.Equal(t, tc.want, tc.dispute.ExpectedBy())
		})
	}
}

func TestValidLink(t *testing.T) {
	t.Parallel()
	for link, valid := range map[string]bool{
		"https://example.com/channel?x=1#y": true,
		"https://উদাহরণ.com/চ্যানেল":        true,
		"HTTPS://example.com":               true,
		"http://example.com":                false,
		"javascript:alert(1)":               false,
		"https://":                          false,
		"https:example.com":                 false,
		"//example.com":                     false,
		"https://amanat.test@example.com/":  false,
		"https://example.com/a b":           false,
		`https://example.com\@amanat.test`:  false,
		"":                                  false,
		"https://example.com/" + strings.Repeat("a", 500): false,
	} {
		require.Equal(t, valid, validLink(link), link)
	}
}

func TestStatement_check(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Statement{
		"Write what happened.":                                             {Words: Words{Text: " \u200b"}},
		"The text must be at most 2,000 characters.":                       {Words: Words{Text: strings.Repeat("ক", 2001)}},
		"You can add at most 8 pictures.":                                  {Words: Words{Text: "x", Pictures: make([]uuid.UUID, 9)}},
		"You can add at most 5 links.":                                     {Words: Words{Text: "x"}, Links: make([]string, 6)},
		"A link must begin with https:// and have at most 500 characters.": {Words: Words{Text: "x"}, Links: []string{"http://example.com"}},
	} {
		require.Equal(t, want, fault.As(s.normalized().check()).Message)
	}
	require.NoError(t, Statement{Words: Words{Text: "x"}, Links: []string{" https://example.com/\u202e "}}.normalized().check())
}

// 4,000 disputes of as many deals of 200 users: each with a message, an offer and a decision. Most
// are settled or closed, forty are open and not answered, and twenty are decided.
const sqlDisputed = `
with people as (
  insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', 'x', 'code' || n, @at, @at from generate_series(0, 199) n
  returning id, substr(username, 5)::int as n
), deals as (
  insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
                     activated_at)
  select gen_random_uuid(), b.id, s.id, s.id, 100, 2, 'A logo', 7, 'Active', @at::timestamptz + i * interval '1 minute', @at, @at, @at
    from people b, generate_series(1, 20) i, people s
   where s.n = (b.n + i) % 200
  returning id, buyer_id, created_at
), opened as (
  insert into disputes (id, deal_id, opened_by, reason, status, created_at, answer_due_at, carry_out_at, ended_at)
  select gen_random_uuid(), id, buyer_id, 'other', status, created_at, created_at, case when status = 'decided' then created_at end,
         case when status in ('settled', 'closed') then created_at end
    from (select *, case when n % 100 = 0 then 'open' when n % 200 = 1 then 'decided'
                         when n % 2 = 0 then 'settled' else 'closed' end as status
            from (select *, row_number() over (order by id) as n from deals) d) d
  returning id, opened_by, created_at
), offers as (
  insert into dispute_offers (id, dispute_id, made_by, buyer_gets, seller_gets, fee, created_at)
  select gen_random_uuid(), id, opened_by, 50, 49, 1, created_at from opened
), entries as (
  insert into dispute_entries (id, dispute_id, author_id, kind, text, at)
  select gen_random_uuid(), id, opened_by, 'opened', 'It is broken.', created_at from opened
)
insert into dispute_decisions (id, dispute_id, final, decided_by, buyer_gets, seller_gets, fee, reason, decided_at, due_at)
select gen_random_uuid(), id, false, opened_by, 50, 49, 1, 'Half of it.', created_at, created_at from opened`

// However many disputes have ended: lists, a room, the sweep and a user's deals use indexes.
func TestDisputes_plans_use_indexes(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	_, err := db.Owner().Exec(t.Context(), sqlDisputed, postgres.Args{"at": at})
	require.NoError(t, err)
	db.Grow(50, "users", "deals", "disputes", "dispute_offers", "dispute_entries", "dispute_decisions", "operations")
	var id, user uuid.UUID
	require.NoError(t, db.Owner().QueryRow(t.Context(), `select id, opened_by from disputes where status = 'open' limit 1`).Scan(&id, &user))
	ten := postgres.Page{Limit: 10, Offset: 10}
	later := at.AddDate(0, 0, 1)

	list := func(status DisputeStatus) func(s *Service) {
		return func(s *Service) {
			found, total, err := s.ListDisputes(t.Context(), DisputeQuery{Status: status}, ten)
			require.NoError(t, err)
			require.Len(t, found, 10)
			require.Greater(t, total, 20)
		}
	}
	for name, c := range map[string]struct {
		index string
		use   func(s *Service)
	}{
		"all":     {"disputes_newest", list("")},
		"open":    {"disputes_status", list(DisputeOpen)},
		"settled": {"disputes_status", list(DisputeSettled)},
		"a room": {"dispute_entries_dispute", func(s *Service) {
			x, err := s.GetDispute(t.Context(), user, id)
			require.NoError(t, err)
			require.Len(t, x.Thread, 1)
		}},
		"the deals of a user": {"disputes_open", func(s *Service) {
			deals, _, err := listDeals(t.Context(), s.DB, user, nil, ten, later)
			require.NoError(t, err)
			require.Len(t, deals, 10)
		}},
		"unanswered": {"disputes_unanswered", func(s *Service) {
			ids, err := listUnanswered(t.Context(), s.DB, later, uuid.UUID{})
			require.NoError(t, err)
			require.NotEmpty(t, ids)
		}},
		"due": {"disputes_due", func(s *Service) {
			ids, err := listDecisionsDue(t.Context(), s.DB, later, uuid.UUID{})
			require.NoError(t, err)
			require.NotEmpty(t, ids)
		}},
	} {
		plans := dbtest.Explain(t, db, func(pool *pgxpool.Pool) { c.use(&Service{DB: pool, Clock: clock.System{}}) })
		require.Contains(t, plans, c.index, name)
		require.NotContains(t, plans, "Seq Scan on dispute_", "%s: %s", name, plans)
		if name != "all" { // which are counted
			require.NotContains(t, plans, "Seq Scan on disputes", "%s: %s", name, plans)
		}
	}
}
