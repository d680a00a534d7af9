package deals_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/testing/soak"
)

// invites makes a link of the seller, or of the buyer.
func (f fixture) invites(t *testing.T, maker uuid.UUID, guest deals.Guest) deals.Invite {
	t.Helper()
	draft := deals.Draft{Terms: deals.Terms{Price: 100_00, Description: "A channel", DeliveryDays: 7, InspectionDays: 3}, Guest: &guest}
	if maker == f.buyer {
		draft.BuyerID = &maker
	} else {
		draft.SellerID = &maker
	}
	i, err := f.Invite(t.Context(), maker, draft, nil)
	require.NoError(t, err)
	return i
}

func requireReason(t *testing.T, reason string, err error) {
	t.Helper()
	refusal := fault.As(err)
	require.NotNil(t, refusal, "%v", err)
	require.Equal(t, reason, refusal.Reason)
}

func (f fixture) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func TestInvite_seller(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	i := f.invites(t, f.seller, deals.Guest{Email: "nusrat@example.com", Phone: "01712345678"})
	require.Regexp(t, `^[2-9a-hjkmnp-z]{10}$`, i.Code)
	require.Equal(t, i.CreatedAt.Add(7*24*time.Hour), i.ExpiresAt)
	require.EqualValues(t, 98_00, i.Payout())
	list, err := f.ListInvites(t.Context(), f.seller)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "nusrat@example.com", list[0].Email)

	d, err := f.Join(t.Context(), f.buyer, i.Code, nil)
	require.NoError(t, err)
	require.Equal(t, deals.Pending, d.Status)
	require.Equal(t, f.buyer, d.Buyer.ID)
	require.Equal(t, f.seller, d.CreatedBy)
	require.True(t, d.Accepted())
	require.Equal(t, 3, d.InspectionDays)
	require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineJoined}, lines(d))
	require.Equal(t, []catalog.Kind{catalog.DealJoined}, f.notified(t, f.seller))
	require.Empty(t, f.notified(t, f.buyer))
	list, err = f.ListInvites(t.Context(), f.seller)
	require.NoError(t, err)
	require.Empty(t, list)

	again, err := f.Join(t.Context(), f.buyer, i.Code, nil)
	require.NoError(t, err)
	require.Equal(t, d.ID, again.ID)
	_, err = f.Join(t.Context(), f.user(t, "third"), i.Code, nil)
	requireReason(t, "invite_used", err)
	for _, party := range []uuid.UUID{f.buyer, f.seller} {
		found, err := f.FindInvite(t.Context(), &party, i.Code)
		require.NoError(t, err)
		require.Equal(t, d.ID, *found.DealID)
		require.Empty(t, found.Guest, "the address of whom it was for is deleted")
	}
	_, err = f.FindInvite(t.Context(), nil, i.Code)
	requireReason(t, "invite_used", err)
}

// A seller who joins has agreed: the buyer need not wait for an acceptance.
func TestInvite_buyer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	i := f.invites(t, f.buyer, deals.Guest{})
	d, err := f.Join(t.Context(), f.seller, i.Code, nil)
	require.NoError(t, err)
	require.Equal(t, f.seller, d.Seller.ID)
	require.True(t, d.Accepted())
	require.Equal(t, []catalog.Kind{catalog.DealJoined}, f.notified(t, f.buyer))
}

func TestInvite_ends(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, code := range []string{"k7m2p9qa4x", "", "k7m2p9qa4", "k7m2p9qa4x4", "k7m2p9qa41", "k7m2\x00p9qa4", "%%%%%%%%%%"} {
		_, err := f.Join(t.Context(), f.buyer, code, nil)
		requireReason(t, "invite_not_found", err)
		_, err = f.FindInvite(t.Context(), nil, code)
		requireReason(t, "invite_not_found", err)
		_, err = f.FindHeld(t.Context(), code)
		requireReason(t, "proof_not_found", err)
	}

	revoked := f.invites(t, f.seller, deals.Guest{Email: "a@example.com"})
	requireReason(t, "invite_not_found", f.RevokeInvite(t.Context(), f.buyer, revoked.Code))
	require.NoError(t, f.RevokeInvite(t.Context(), f.seller, revoked.Code))
	require.NoError(t, f.RevokeInvite(t.Context(), f.seller, revoked.Code))
	_, err := f.Join(t.Context(), f.buyer, revoked.Code, nil)
	requireReason(t, "invite_revoked", err)

	own := f.invites(t, f.seller, deals.Guest{})
	_, err = f.Join(t.Context(), f.seller, own.Code, nil)
	requireReason(t, "invite_own", err)
	f.clock.Advance(7*24*time.Hour - time.Minute)
	_, err = f.FindInvite(t.Context(), nil, own.Code)
	require.NoError(t, err)
	f.clock.Advance(time.Minute)
	_, err = f.Join(t.Context(), f.buyer, own.Code, nil)
	requireReason(t, "invite_expired", err)

	settler := deals.Settler{Service: &deals.Service{DB: f.db.Worker(), Clock: f.clock}}
	removed, err := settler.RemoveOldInvites(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
	f.clock.Advance(31 * 24 * time.Hour)
	removed, err = settler.RemoveOldInvites(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, removed)
}

// Nobody joins a deal that they could not make.
func TestJoin_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	i := f.invites(t, f.seller, deals.Guest{})
	f.exec(t, `insert into blocks (blocker_id, blocked_id, created_at) values ($1, $2, now())`, f.seller, f.buyer)
	_, err := f.Join(t.Context(), f.buyer, i.Code, nil)
	requireReason(t, "deal_blocked_by_them", err)
	f.exec(t, `delete from blocks`)
	f.exec(t, `insert into blocks (blocker_id, blocked_id, created_at) values ($2, $1, now())`, f.seller, f.buyer)
	_, err = f.Join(t.Context(), f.buyer, i.Code, nil)
	requireReason(t, "deal_blocked_by_you", err)
	f.exec(t, `delete from blocks`)

	f.exec(t, `update users set disabled_at = now() where id = $1`, f.seller)
	_, err = f.Join(t.Context(), f.buyer, i.Code, nil)
	requireReason(t, "invite_not_found", err)
	f.exec(t, `update users set disabled_at = null`)
	f.exec(t, `update users set disabled_at = now() where id = $1`, f.buyer)
	_, err = f.Join(t.Context(), f.buyer, i.Code, nil)
	requireReason(t, "invite_not_found", err)
	f.exec(t, `update users set disabled_at = null`)

	for range 10 {
		f.offer(t, f.buyer)
	}
	bought := f.invites(t, f.buyer, deals.Guest{})
	_, err = f.Join(t.Context(), f.seller, bought.Code, nil)
	requireReason(t, "pair_deals_waiting", err)
	_, err = f.Join(t.Context(), f.buyer, i.Code, nil)
	require.NoError(t, err, "it needs no acceptance")
}

func TestInvite_validation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for reason, change := range map[string]func(d *deals.Draft){
		"deal_fields_missing":            func(d *deals.Draft) { d.Price = 0 },
		"role_missing":                   func(d *deals.Draft) { d.SellerID = nil },
		"delivery_duration_missing":      func(d *deals.Draft) { d.DeliveryDays = 0 },
		"email_invalid":                  func(d *deals.Draft) { d.Guest = &deals.Guest{Email: "nobody"} },
		"phone_malformed":                func(d *deals.Draft) { d.Guest = &deals.Guest{Phone: "0171234567"} },
		"user_and_guest":                 func(d *deals.Draft) { d.BuyerID = &f.buyer },
		"user_missing":                   func(d *deals.Draft) { d.Guest = nil },
		"delivery_duration_out_of_range": func(d *deals.Draft) { d.DeliveryDays = 100 },
	} {
		draft := deals.Draft{
			SellerID: &f.seller,
			Terms:    deals.Terms{Price: 100_00, Description: "A", DeliveryDays: 7, InspectionDays: 3}, Guest: &deals.Guest{},
		}
		change(&draft)
		_, err := f.Invite(t.Context(), f.seller, draft, nil)
		requireReason(t, reason, err)
	}
	for range 20 {
		f.invites(t, f.seller, deals.Guest{})
	}
	_, err := f.Invite(t.Context(), f.seller, deals.Draft{
		SellerID: &f.seller, Guest: &deals.Guest{},
		Terms: deals.Terms{Price: money.MinPrice, Description: "A", DeliveryDays: 7, InspectionDays: 3},
	}, nil)
	requireReason(t, "invites_waiting", err)
	f.clock.Advance(7 * 24 * time.Hour)
	f.invites(t, f.seller, deals.Guest{})
}

// A key makes one link, and one deal of it.
func TestInvite_replay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	draft := deals.Draft{
		SellerID: &f.seller,
		Terms:    deals.Terms{Price: 100_00, Description: "A", DeliveryDays: 7, InspectionDays: 3}, Guest: &deals.Guest{},
	}
	first, err := f.Invite(t.Context(), f.seller, draft, keyOf(f.seller, "invite"))
	require.NoError(t, err)
	again, err := f.Invite(t.Context(), f.seller, draft, keyOf(f.seller, "invite"))
	require.NoError(t, err)
	require.Equal(t, first, again)
	joined, err := f.Join(t.Context(), f.buyer, first.Code, keyOf(f.buyer, "join"))
	require.NoError(t, err)
	for _, request := range []string{"join", "join"} {
		same, err := f.Join(t.Context(), f.buyer, first.Code, keyOf(f.buyer, request))
		require.NoError(t, err)
		require.Equal(t, joined.ID, same.ID)
	}
}

// Of two who join at once one is in the deal, and the other is told that somebody has joined.
func TestJoin_race(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	joiners := []uuid.UUID{f.buyer, f.user(t, "third")}
	won := map[int]int{}
	rounds := soak.Rounds(4, 200)
	for range rounds {
		i := f.invites(t, f.seller, deals.Guest{})
		errs := make([]error, len(joiners))
		var group sync.WaitGroup
		for n, joiner := range joiners {
			group.Go(func() { _, errs[n] = f.Join(t.Context(), joiner, i.Code, nil) })
		}
		group.Wait()
		winner := 0
		if errs[0] != nil {
			winner = 1
		}
		require.NoError(t, errs[winner])
		requireReason(t, "invite_used", errs[1-winner])
		won[winner]++
	}
	var made int
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select count(*) from deals`).Scan(&made))
	require.Equal(t, rounds, made)
}

// Of a link that is withdrawn while somebody joins there is a deal or none, never both.
func TestJoin_while_revoked(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range soak.Rounds(4, 200) {
		i := f.invites(t, f.seller, deals.Guest{})
		var joined, revoked error
		var group sync.WaitGroup
		group.Go(func() { _, joined = f.Join(t.Context(), f.buyer, i.Code, nil) })
		group.Go(func() { revoked = f.RevokeInvite(t.Context(), f.seller, i.Code) })
		group.Wait()
		require.NotEqual(t, joined == nil, revoked == nil, "%v, %v", joined, revoked)
	}
}
