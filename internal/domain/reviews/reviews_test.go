package reviews

import (
	"context"
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"amanat/internal/app/catalog"
	"amanat/internal/app/user"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/idempotency"
	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/soak"
)

// The rules are checked in order, and the first that fails determines the error.
func TestDraftValidate(t *testing.T) {
	t.Parallel()
	buyer, seller, stranger := uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}
	good := Draft{Rating: 5, Comment: "Quick and kind"}
	for name, tc := range map[string]struct {
		actor  uuid.UUID
		change func(d *Draft)
		code   fault.Code
		field  string
	}{
		"good":                  {buyer, func(*Draft) {}, "", ""},
		"naming the seller":     {buyer, func(d *Draft) { d.Reviewed = &seller }, "", ""},
		"naming another user":   {buyer, func(d *Draft) { d.Reviewed = &stranger }, fault.Invalid, "reviewedUser"},
		"by the seller":         {seller, func(*Draft) {}, fault.Forbidden, ""},
		"by a stranger":         {stranger, func(*Draft) {}, fault.NotFound, ""},
		"no rating":             {buyer, func(d *Draft) { d.Rating = 0 }, fault.Invalid, "rating"},
		"least rating":          {buyer, func(d *Draft) { d.Rating = 1 }, "", ""},
		"too high":              {buyer, func(d *Draft) { d.Rating = 6 }, fault.Invalid, "rating"},
		"no comment":            {buyer, func(d *Draft) { d.Comment = "" }, fault.Invalid, "comment"},
		"longest comment":       {buyer, func(d *Draft) { d.Comment = strings.Repeat("ক", 2000) }, "", ""},
		"comment too long":      {buyer, func(d *Draft) { d.Comment = strings.Repeat("ক", 2001) }, fault.Invalid, "comment"},
		"rating before comment": {buyer, func(d *Draft) { d.Rating, d.Comment = 0, "" }, fault.Invalid, "rating"},
		"role before rating":    {stranger, func(d *Draft) { d.Rating = 0 }, fault.NotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			draft := good
			tc.change(&draft)
			err := draft.validate(tc.actor, deal{BuyerID: buyer, SellerID: seller, Completed: true, Agreed: true})
			require.Equal(t, tc.code, fault.CodeOf(err))
			if tc.field != "" {
				require.Contains(t, fault.As(err).Fields, tc.field)
			}
		})
	}
}

// notices records the notifications sent.
type notices []string

func (n *notices) Notify(
	_ context.Context, _ *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string,
) error {
	*n = append(*n, strings.Join([]string{userID.String(), string(kind), params["username"], params["rating"], link}, " "))
	return nil
}

// fixture has a buyer and a seller with a completed deal.
type fixture struct {
	*Service
	sent                    *notices
	db                      *dbtest.DB
	buyer, seller, stranger user.Ref
	deal                    uuid.UUID
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	f := fixture{db: dbtest.New(t), sent: &notices{}}
	f.Service = &Service{DB: f.db.API(), Clock: clock.NewOffset(0), Notices: f.sent}
	for name, ref := range map[string]*user.Ref{"rahim": &f.buyer, "karim": &f.seller, "salma": &f.stranger} {
		*ref = user.Ref{ID: uuid.Must(uuid.NewV7()), Username: name}
		f.exec(t, `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values (@id, @name, @name || '@example.com', '', @name, now(), now())`, postgres.Args{"id": ref.ID, "name": name})
	}
	f.deal = f.completed(t)
	return f
}

func (f fixture) exec(t *testing.T, sql string, args postgres.Args) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), sql, args)
	require.NoError(t, err)
}

func (f fixture) completed(t *testing.T) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(t, `
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, inspection_days, created_at,
		                   due_at, activated_at, accepted_at, status, closed_at, close_reason)
		values (@id, @buyer, @seller, @seller, 10000, 200, 'A channel', 7, 3, now(), now(), now(), now(), 'Completed', now(), 'completed')`,
		postgres.Args{"id": id, "buyer": f.buyer.ID, "seller": f.seller.ID})
	return id
}

func (f fixture) draft() Draft { return Draft{DealID: f.deal, Rating: 5, Comment: " Quick and kind "} }

func TestCreate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	key := &idempotency.Key{UserID: &f.buyer.ID, Value: "key-of-one-review", Hash: sha256.Sum256([]byte("review"))}
	review, err := f.Create(t.Context(), f.buyer, f.draft(), key)
	require.NoError(t, err)
	require.Equal(t, "Quick and kind", review.Comment)
	require.Equal(t, f.seller.ID, review.Reviewed)
	sent := notices{f.seller.ID.String() + " review_received rahim 5 /profile/karim"}
	require.Equal(t, sent, *f.sent)

	again, err := f.Create(t.Context(), f.buyer, f.draft(), key)
	require.NoError(t, err)
	require.Equal(t, review.ID, again.ID)
	require.Equal(t, sent, *f.sent, "a replay sends no notification")
	_, err = f.Create(t.Context(), f.buyer, f.draft(), nil)
	require.Equal(t, fault.Duplicate, fault.CodeOf(err))
}

func TestCreate_refused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		actor func(f fixture) user.Ref
		sql   string // changes to the deal
		code  fault.Code
	}{
		"by the seller":   {func(f fixture) user.Ref { return f.seller }, "", fault.Forbidden},
		"by a stranger":   {func(f fixture) user.Ref { return f.stranger }, "", fault.NotFound},
		"not completed":   {fixture.reviewer, `status = 'Active', closed_at = null, close_reason = null`, fault.Conflict},
		"cancelled":       {fixture.reviewer, `status = 'Cancelled', close_reason = 'admin'`, fault.Conflict},
		"never agreed to": {fixture.reviewer, `accepted_at = null`, fault.Conflict},
		"mostly refunded": {fixture.reviewer, `settled_fee = 99, refunded_amount = 5001`, fault.Conflict},
		"half refunded":   {fixture.reviewer, `settled_fee = 100, refunded_amount = 5000`, ""},
		"removed": {
			fixture.reviewer, `status = 'Pending', activated_at = null, closed_at = null, close_reason = null, removed_at = now()`, fault.NotFound,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			if tc.sql != "" {
				f.exec(t, `update deals set `+tc.sql+` where id = @id`, postgres.Args{"id": f.deal})
			}
			_, err := f.Create(t.Context(), tc.actor(f), f.draft(), nil)
			require.Equal(t, tc.code, fault.CodeOf(err), "%v", err)
			if tc.code != "" {
				require.Empty(t, *f.sent)
			}
		})
	}
}

func (f fixture) reviewer() user.Ref { return f.buyer }

// counting returns which reviews count, oldest first.
func (f fixture) counting(t *testing.T) []bool {
	t.Helper()
	counting, err := postgres.Query[bool]("test.counting", `select counts from reviews order by created_at`).Many(t.Context(), f.db.API(), nil)
	require.NoError(t, err)
	return counting
}

// One review of a buyer counts in 30 days, and none of a deal below $1.
func TestCreate_counts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	now := clock.NewOffset(0)
	f.Clock = now
	review := func(price string) {
		t.Helper()
		draft := f.draft()
		draft.DealID = f.completed(t)
		f.exec(t, `update deals set price = `+price+`, fee = 2 where id = @id`, postgres.Args{"id": draft.DealID})
		_, err := f.Create(t.Context(), f.buyer, draft, nil)
		require.NoError(t, err)
	}
	review("99")
	review("100")
	now.Advance(29 * 24 * time.Hour)
	review("100")
	now.Advance(25 * time.Hour)
	review("100")
	require.Equal(t, []bool{false, true, false, true}, f.counting(t))
}

// Of two reviews of the same buyer at once, one counts.
func TestCreate_counts_once_at_once(t *testing.T) {
	t.Parallel()
	for range soak.Rounds(4, 50) {
		f := newFixture(t)
		var group errgroup.Group
		for _, deal := range []uuid.UUID{f.deal, f.completed(t)} {
			service := &Service{DB: f.DB, Clock: f.Clock, Notices: &notices{}}
			group.Go(func() error {
				_, err := service.Create(t.Context(), f.buyer, Draft{DealID: deal, Rating: 5, Comment: "Quick"}, nil)
				return err
			})
		}
		require.NoError(t, group.Wait())
		require.ElementsMatch(t, []bool{true, false}, f.counting(t))
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	first, err := f.Create(t.Context(), f.buyer, f.draft(), nil)
	require.NoError(t, err)
	draft := f.draft()
	draft.DealID, draft.Comment = f.completed(t), strings.Repeat("long ", 300)
	second, err := f.Create(t.Context(), f.buyer, draft, nil)
	require.NoError(t, err)
	list, total, err := f.List(t.Context(), Query{Reviewed: f.seller.ID, Page: postgres.Page{Limit: 10}})
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.Equal(t, []uuid.UUID{second.ID, first.ID}, []uuid.UUID{list[0].ID, list[1].ID}, "newest first")
	require.Less(t, len(list[0].Comment), len(second.Comment), "shortened")
	_, total, err = f.List(t.Context(), Query{Reviewed: f.seller.ID, Page: postgres.Page{Limit: 10}, To: &first.CreatedAt})
	require.NoError(t, err)
	require.Zero(t, total, "To is exclusive")
	_, total, err = f.List(t.Context(), Query{
		Reviewed: f.seller.ID, Page: postgres.Page{Limit: 10}, From: &first.CreatedAt, To: new(second.CreatedAt.Add(time.Second)),
	})
	require.NoError(t, err)
	require.Equal(t, 2, total)
}
