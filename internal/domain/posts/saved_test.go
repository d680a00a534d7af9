package posts_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/posts"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/redisclient"
	"amanat/internal/money"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// notices records what users are told.
type notices map[uuid.UUID][]string

func (n notices) Notify(
	_ context.Context, _ *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string,
) error {
	n[userID] = append(n[userID], fmt.Sprintf("%s %s %s %s", kind, params["was"], params["amount"], link))
	return nil
}

// savedFixture is a market with a buyer, whose notifications are told at once.
type savedFixture struct {
	*posts.Service
	t       *testing.T
	db      *dbtest.DB
	clock   *clock.Offset
	publish func(title string, price money.Cents, facts posts.Facts) posts.Post
	buyer   uuid.UUID
	told    notices
}

func newSavedFixture(t *testing.T) *savedFixture {
	t.Helper()
	service, db, publish := newMarket(t)
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	f := &savedFixture{Service: service, t: t, db: db, clock: clock.NewOffset(0), publish: publish, told: notices{}}
	service.Jobs, service.Clock = inserter, f.clock
	f.buyer = f.user("buyer")
	return f
}

func (f *savedFixture) user(name string) uuid.UUID {
	f.t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(`insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', 'x', $2, now(), now())`, id, name)
	return id
}

func (f *savedFixture) exec(sql string, args ...any) {
	f.t.Helper()
	_, err := f.db.Owner().Exec(f.t.Context(), sql, args...)
	require.NoError(f.t, err)
}

func (f *savedFixture) save(user uuid.UUID, post posts.Post) {
	f.t.Helper()
	require.NoError(f.t, f.Save(f.t.Context(), user, post.ID))
}

// reprice sets the price of a post and has the savers told.
func (f *savedFixture) reprice(post posts.Post, price money.Cents) {
	f.t.Helper()
	_, err := f.Edit(f.t.Context(), post.CreatedBy.ID, post.ID, posts.Draft{
		Title: post.Title, Description: post.Description, Price: price, Category: post.Category, Subcategory: post.Subcategory,
	})
	require.NoError(f.t, err)
	f.work()
}

// work runs the jobs that wait.
func (f *savedFixture) work() {
	f.t.Helper()
	ids, err := postgres.Query[uuid.UUID]("test.take_jobs",
		`delete from river.river_job where kind = 'saved_post' returning (args ->> 'post_id')::uuid`).Many(f.t.Context(), f.db.Owner(), nil)
	require.NoError(f.t, err)
	teller := &posts.Teller{DB: f.db.Worker(), Clock: f.clock, Notices: f.told}
	for _, id := range ids {
		require.NoError(f.t, teller.Tell(f.t.Context(), id))
		require.NoError(f.t, teller.Tell(f.t.Context(), id), "again, as River may")
	}
}

func (f *savedFixture) saved(user uuid.UUID) string {
	f.t.Helper()
	list, total, err := f.ListSaved(f.t.Context(), user, postgres.Page{Limit: 10})
	require.NoError(f.t, err)
	require.Len(f.t, list, total)
	shown := make([]posts.Post, len(list))
	for i, saved := range list {
		shown[i] = saved.Post
	}
	return titles(shown)
}

func TestSave(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	first, second := f.publish("First", 100_00, nil), f.publish("Second", 200_00, nil)
	f.save(f.buyer, first)
	f.clock.Advance(time.Minute)
	f.save(f.buyer, second)
	f.save(f.buyer, first) // changes nothing
	f.save(f.user("other"), first)
	require.Equal(t, "Second First", f.saved(f.buyer))
	ids, err := f.SavedIDs(t.Context(), f.buyer)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{second.ID, first.ID}, ids)

	seller := first.CreatedBy.ID
	own, err := f.Get(t.Context(), posts.Reader{UserID: &seller}, first.ID)
	require.NoError(t, err)
	require.Equal(t, 2, own.Saves, "the seller is told how many")
	mine, _, err := f.ListOwn(t.Context(), seller, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2}, []int{mine[0].Saves, mine[1].Saves})
	others, err := f.Get(t.Context(), posts.Reader{UserID: &f.buyer}, first.ID)
	require.NoError(t, err)
	require.Zero(t, others.Saves)

	require.NoError(t, f.Unsave(t.Context(), f.buyer, second.ID))
	require.NoError(t, f.Unsave(t.Context(), f.buyer, second.ID))
	require.Equal(t, "First", f.saved(f.buyer))
}

// Redis may be down, and answers are then as if nobody was counted.
func TestCountView(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	server := dbtest.Redis(t)
	client, err := redisclient.New(server.URL, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	f.Redis = client
	post, gone := f.publish("First", 100_00, nil), f.publish("Gone", 100_00, nil)
	seller := post.CreatedBy.ID
	see := func(of posts.Post, user *uuid.UUID, network string) bool {
		t.Helper()
		counted, err := f.CountView(t.Context(), posts.Reader{UserID: user}, network, of.ID)
		require.NoError(t, err)
		return counted
	}
	seen := func() int {
		t.Helper()
		own, err := f.Get(t.Context(), posts.Reader{UserID: &seller}, post.ID)
		require.NoError(t, err)
		return own.Seen
	}
	written := func() int {
		t.Helper()
		var n int
		require.NoError(t, f.db.Owner().QueryRow(t.Context(), `select seen from post_views where post_id = $1`, post.ID).Scan(&n))
		return n
	}
	require.False(t, see(post, &seller, "a"), "one's own post")
	require.True(t, see(post, &f.buyer, "a"))
	require.Equal(t, 1, written(), "the first view is written at once")
	require.False(t, see(post, &f.buyer, "b"), "once a day, wherever from")
	require.True(t, see(post, nil, "a"))
	require.False(t, see(post, nil, "a"))
	require.True(t, see(gone, nil, "a"))
	require.Equal(t, 2, seen(), "also what is not written yet")
	require.Equal(t, 1, written(), "at most one write a minute")

	require.NoError(t, f.Delete(t.Context(), seller, gone.ID))
	require.NoError(t, client.Del(t.Context(), "post-views-written").Err()) // as after a minute
	f.clock.Advance(24 * time.Hour)
	require.True(t, see(post, &f.buyer, "a"), "another day")
	require.Equal(t, 3, seen())
	require.Equal(t, 3, written())
	others, err := f.Get(t.Context(), posts.Reader{UserID: &f.buyer}, post.ID)
	require.NoError(t, err)
	require.Zero(t, others.Seen)

	_, err = f.CountView(t.Context(), posts.Reader{}, "a", gone.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	server.Stop()
	require.False(t, see(post, nil, "c"))
}

// Those count who have a conversation with the seller about the post, not about another one since.
func TestInterest_asked(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	first, second := f.publish("First", 100_00, nil), f.publish("Second", 200_00, nil)
	seller := first.CreatedBy.ID
	for i, post := range []posts.Post{first, second, second} {
		f.exec(`insert into conversations (id, user_a, user_b, started_by, post_id, created_at, updated_at)
			values (gen_random_uuid(), least($1::uuid, $2), greatest($1, $2), $2, $3, now(), now())`,
			seller, f.user(fmt.Sprint("asker", i)), post.ID)
	}
	mine, _, err := f.ListOwn(t.Context(), seller, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []int{2, 1}, []int{mine[0].Asked, mine[1].Asked})
	shown, _, err := f.ListByUser(t.Context(), seller, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Zero(t, shown[0].Asked)
}

func TestSave_refused(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	post, hidden := f.publish("Shown", 100_00, nil), f.publish("Hidden", 100_00, nil)
	require.NoError(t, f.hide(hidden))
	require.Equal(t, fault.NotFound, fault.CodeOf(f.Save(t.Context(), f.buyer, hidden.ID)))
	require.Equal(t, fault.NotFound, fault.CodeOf(f.Save(t.Context(), f.buyer, uuid.New())))
	require.Equal(t, "own_post", fault.As(f.Save(t.Context(), post.CreatedBy.ID, post.ID)).Reason)

	f.exec(`insert into saved_posts (user_id, post_id, price, told_price, created_at)
		select $1, gen_random_uuid(), 1, 1, now() from generate_series(1, 499)`, f.buyer)
	f.save(f.buyer, post)
	f.save(f.buyer, post)
	require.Equal(t, "too_many_saved", fault.As(f.Save(t.Context(), f.buyer, f.publish("One more", 100_00, nil).ID)).Reason)
}

// hide hides a post by a decision.
func (f *savedFixture) hide(post posts.Post) error {
	f.t.Helper()
	decision := uuid.Must(uuid.NewV7())
	f.exec(`insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, category, first_reported_at)
		values ($1, 'post', $2, $3, 'seller', '', '', '', now())`, decision, post.ID, post.CreatedBy.ID)
	return postgres.WithTx(f.t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Hide(f.t.Context(), tx, post.ID, decision)
	})
}

// Users are told of a lower price at most once a day, and only if it is lower than what they know.
func TestTell_price(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	post := f.publish("Channel", 500_00, nil)
	f.save(f.buyer, post)
	f.reprice(post, 600_00)
	f.reprice(post, 500_00)
	require.Empty(t, f.told, "not lower than when it was saved")
	f.reprice(post, 400_00)
	first := "saved_post_cheaper 500.00 400.00 /posts/" + post.ID.String()
	require.Equal(t, notices{f.buyer: {first}}, f.told)

	f.clock.Advance(23 * time.Hour)
	f.reprice(post, 300_00)
	f.reprice(post, 450_00)
	f.clock.Advance(2 * time.Hour)
	f.reprice(post, 400_00)
	require.Equal(t, notices{f.buyer: {first}}, f.told, "told of this price before")
	f.reprice(post, 350_00)
	require.Equal(t, notices{f.buyer: {first, "saved_post_cheaper 400.00 350.00 /posts/" + post.ID.String()}}, f.told)

	list, _, err := f.ListSaved(t.Context(), f.buyer, postgres.Page{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, []money.Cents{500_00, 350_00}, []money.Cents{list[0].Price, list[0].Post.Price})
}

func TestTell_gone(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	deleted, hidden, stays := f.publish("Deleted", 100_00, nil), f.publish("Hidden", 200_00, nil), f.publish("Stays", 300_00, nil)
	for _, post := range []posts.Post{deleted, hidden, stays} {
		f.save(f.buyer, post)
	}
	require.NoError(t, f.Delete(t.Context(), deleted.CreatedBy.ID, deleted.ID))
	require.NoError(t, f.hide(hidden))
	require.Equal(t, "Stays", f.saved(f.buyer), "at once")
	f.work()
	require.ElementsMatch(t, []string{"saved_post_gone  100.00 /saved", "saved_post_gone  200.00 /saved"}, f.told[f.buyer])
	ids, err := f.SavedIDs(t.Context(), f.buyer)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{stays.ID}, ids)
}

// Many who have saved a post are told in batches.
func TestTell_many(t *testing.T) {
	t.Parallel()
	f := newSavedFixture(t)
	post := f.publish("Channel", 500_00, nil)
	f.exec(`with made as (
		insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
		select gen_random_uuid(), 'many' || n, n || '@example.com', 'x', 'many' || n, now(), now() from generate_series(1, 450) n returning id)
		insert into saved_posts (user_id, post_id, price, told_price, created_at) select id, $1, 50000, 50000, now() from made`, post.ID)
	f.reprice(post, 400_00)
	require.Len(t, f.told, 450)
	require.NoError(t, f.Delete(t.Context(), post.CreatedBy.ID, post.ID))
	f.work()
	for _, told := range f.told {
		require.Len(t, told, 2)
	}
}
