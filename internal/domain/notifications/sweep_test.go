package notifications_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// outbox is a mail server that records what it accepts and answers with the error for the
// recipient.
type outbox struct {
	mu     sync.Mutex
	tried  []string
	errors map[string]error
	before func(m mailer.Message) // called before each email, if not nil
}

func (o *outbox) Send(_ context.Context, m mailer.Message) error {
	if o.before != nil {
		o.before(m)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tried = append(o.tried, m.To)
	return o.errors[m.To]
}

func (o *outbox) recipients() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(slices.Values(o.tried))
}

// sweepFixture has readers who are all to be emailed once.
type sweepFixture struct {
	fixture
	*outbox
	mails   *notifications.Mailer
	clock   *clock.Offset
	readers []uuid.UUID
}

func address(i int) string { return fmt.Sprintf("reader%d@example.com", i) }

func newSweepFixture(t *testing.T, readers int) *sweepFixture {
	t.Helper()
	f := &sweepFixture{fixture: newFixture(t), outbox: &outbox{errors: map[string]error{}}, clock: clock.NewOffset(0)}
	f.mails = &notifications.Mailer{DB: f.db.Worker(), Clock: f.clock, Mail: f.outbox, PublicURL: "https://amanat.test", Senders: 4}
	require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
		for i := range readers {
			id := uuid.Must(uuid.NewV7())
			f.readers = append(f.readers, id)
			f.exec(t, `
				insert into users (id, username, email, password_hash, is_verified, referral_code, terms_accepted_at, created_at)
				values (@id, @name, @name || '@example.com', '', true, @name, now(), now())`,
				postgres.Args{"id": id, "name": strings.TrimSuffix(address(i), "@example.com")})
			err := f.Notify(t.Context(), tx, id, catalog.DealPaid, catalog.Params{"username": "karim", "amount": "100.00"}, "/balance")
			if err != nil {
				return err
			}
		}
		return nil
	}))
	return f
}

func (f *sweepFixture) sweep(t *testing.T) []notifications.Failure[uuid.UUID] {
	t.Helper()
	failures, err := f.mails.Sweep(t.Context())
	require.NoError(t, err)
	return failures
}

// left returns how many emails are left, how many of them are due now, and how many were mailed.
func (f *sweepFixture) left(t *testing.T) [3]int {
	t.Helper()
	return [3]int{
		f.count(t, `select count(*) from due_mails`),
		f.count(t, `select count(*) from due_mails where due_at <= now()`),
		f.count(t, `select count(*) from notifications where mailed_at is not null`),
	}
}

// wake makes all emails due, as if their pauses and leases had ended.
func (f *sweepFixture) wake(t *testing.T) {
	t.Helper()
	f.exec(t, `update due_mails set due_at = now() where due_at > now()`, nil)
}

// Each email is sent once and marked with the business time, in as many batches as it takes.
func TestSweep(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 230)
	f.clock.Advance(30 * 24 * time.Hour)
	require.Empty(t, f.sweep(t))
	require.Len(t, slices.Compact(f.recipients()), 230)
	require.Len(t, f.recipients(), 230)
	require.Equal(t, [3]int{0, 0, 230}, f.left(t))
	require.Equal(t, 230, f.count(t, `select count(*) from notifications where mailed_at > now() + interval '29 days'`))
	require.Empty(t, f.sweep(t))
	require.Len(t, f.recipients(), 230)
}

// Two sweeps at once share the emails. Each waits in its first email until the other has one, too.
func TestSweep_concurrent(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 230)
	begun, all := make(chan struct{}, 1000), make(chan struct{})
	f.before = func(mailer.Message) {
		begun <- struct{}{}
		<-all
	}
	done := make(chan error, 2)
	sweep := func() {
		_, err := f.mails.Sweep(context.WithoutCancel(t.Context()))
		done <- err
	}
	go sweep()
	for range 4 {
		<-begun
	}
	go sweep()
	for range 4 {
		<-begun
	}
	require.Equal(t, 30, f.left(t)[1], "both have claimed a batch")
	close(all)
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.Len(t, f.recipients(), 230)
	require.Len(t, slices.Compact(f.recipients()), 230)
	require.Equal(t, [3]int{0, 0, 230}, f.left(t))
}

// No transaction is open and no row locked while an email is being sent.
func TestSweep_holds_nothing(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 1)
	f.before = func(mailer.Message) {
		require.Zero(t, f.count(t, `
			select count(*) from pg_stat_activity
			 where datname = current_database() and usename = 'amanat_worker' and xact_start is not null`))
		require.Equal(t, 1, f.count(t, `select count(*) from (select 1 from due_mails for update skip locked) as free`))
	}
	require.Empty(t, f.sweep(t))
	require.Equal(t, [3]int{0, 0, 1}, f.left(t))
}

// A worker that dies between sending and recording leaves the emails leased. Moving the business
// clock does not end the lease.
func TestSweep_crash(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 3)
	dying, die := context.WithCancel(t.Context())
	f.exec(t, `revoke delete on due_mails from amanat_worker`, nil) // stands for the crash
	_, err := f.mails.Sweep(dying)
	die()
	require.Error(t, err)
	require.Len(t, f.recipients(), 3)
	require.Equal(t, [3]int{3, 0, 0}, f.left(t))
	f.exec(t, `grant delete on due_mails to amanat_worker`, nil)

	f.clock.Advance(24 * time.Hour)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.recipients(), 3, "leased")
	require.Equal(t, 3, f.count(t, `select count(*) from due_mails where due_at between now() + interval '30 s' and now() + interval '1 min'`))
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.recipients(), 6)
	require.Equal(t, [3]int{0, 0, 3}, f.left(t))
}

func TestSweep_undeliverable(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 10)
	f.errors[address(4)] = fmt.Errorf("%w: not an address", mailer.ErrUndeliverable)
	failures := f.sweep(t)
	require.Len(t, failures, 1)
	require.True(t, failures[0].GivenUp)
	require.ErrorIs(t, failures[0].Err, mailer.ErrUndeliverable)
	require.Len(t, f.recipients(), 10, "the others are sent")
	require.Equal(t, [3]int{0, 0, 9}, f.left(t))
}

// A failing email waits longer after each attempt and is given up after days. It does not stop the
// others.
func TestSweep_backoff(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 3)
	f.errors[address(0)] = errors.New("452 mailbox full")
	for i, pause := range []string{"1 s", "2 s", "4 s", "8 s"} {
		failures := f.sweep(t)
		require.Len(t, failures, 1)
		require.Equal(t, i+1, failures[0].Attempt)
		require.False(t, failures[0].GivenUp)
		require.Equal(t, 1, f.count(t, `
			select count(*) from due_mails
			 where last_error = '452 mailbox full' and due_at between now() + interval '`+pause+`' * 0.2 and now() + interval '`+pause+`'`))
		require.Equal(t, [3]int{1, 0, 2}, f.left(t))
		f.wake(t)
	}
	f.exec(t, `update due_mails set attempts = 82`, nil)
	require.False(t, f.sweep(t)[0].GivenUp)
	require.Equal(t, 1, f.count(t, `select count(*) from due_mails where due_at between now() + interval '50 min' and now() + interval '1 h'`))
	f.wake(t)
	require.True(t, f.sweep(t)[0].GivenUp)
	require.Equal(t, [3]int{0, 0, 2}, f.left(t))
}

// If the server is down, a sweep tries a few emails and ends. The others wait without having used
// up an attempt, and nothing is lost.
func TestSweep_server_down(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 230)
	for i := range f.readers {
		f.errors[address(i)] = fmt.Errorf("%w: connection refused", mailer.ErrUnavailable)
	}
	failures := f.sweep(t)
	tried := len(f.recipients())
	require.LessOrEqual(t, tried, 4)
	require.Len(t, failures, tried)
	require.Equal(t, [3]int{230, 130, 0}, f.left(t))
	require.Equal(t, tried, f.count(t, `select count(*) from due_mails where attempts = 1 and last_error <> ''`))
	require.Equal(t, 100-tried, f.count(t, `
		select count(*) from due_mails where attempts = 0 and due_at between now() and now() + interval '5 s'`))

	clear(f.errors)
	f.wake(t)
	require.Empty(t, f.sweep(t))
	require.Len(t, f.recipients(), 230+tried)
	require.Equal(t, [3]int{0, 0, 230}, f.left(t))
}

// A process that stops leaves the rest due at once, and records what was sent.
func TestSweep_stopped(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 50)
	ctx, stop := context.WithCancel(t.Context())
	f.before = func(mailer.Message) { stop() }
	_, err := f.mails.Sweep(ctx)
	require.NoError(t, err)
	sent := len(f.recipients())
	require.LessOrEqual(t, sent, 4)
	require.Equal(t, [3]int{50 - sent, 50 - sent, sent}, f.left(t))
	require.Equal(t, 50-sent, f.count(t, `select count(*) from due_mails where attempts = 0`))
}

// A reader who has unsubscribed, or whose address is not verified, gets no email.
func TestSweep_unwanted(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 3)
	f.exec(t, `update users set mail_notices = false where id = @id`, postgres.Args{"id": f.readers[0]})
	f.exec(t, `update users set is_verified = false where id = @id`, postgres.Args{"id": f.readers[1]})
	require.Empty(t, f.sweep(t))
	require.Equal(t, []string{address(2)}, f.recipients())
	require.Equal(t, [3]int{0, 0, 1}, f.left(t))
}

// An email whose sending panics fails like any other.
func TestSweep_panic(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 3)
	f.before = func(m mailer.Message) {
		if m.To == address(1) {
			panic("oh")
		}
	}
	failures := f.sweep(t)
	require.Len(t, failures, 1)
	require.EqualError(t, failures[0].Err, "panic: oh")
	require.Equal(t, [3]int{1, 0, 2}, f.left(t))
}

// A sweep whose lease has ended does not put off an email that another sweep has claimed.
func TestSweep_lost_lease(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 1)
	f.errors[address(0)] = errors.New("452 mailbox full")
	f.before = func(mailer.Message) {
		f.exec(t, `update due_mails set attempts = attempts + 1, due_at = now() + interval '1 min'`, nil)
	}
	require.Len(t, f.sweep(t), 1)
	require.Equal(t, 1, f.count(t, `
		select count(*) from due_mails where attempts = 2 and last_error = '' and due_at > now() + interval '30 s'`))
}

// A sweep reads the notifications that it sends, however many there are.
func TestSweep_plans(t *testing.T) {
	t.Parallel()
	f := newSweepFixture(t, 10)
	f.exec(t, `
		with more as (
		  insert into notifications (id, user_id, audience, kind, params, link, created_at)
		  select gen_random_uuid(), u.id, 'user', 'deal_paid', '{}', '/deal/' || gen_random_uuid(), now()
		    from users u, generate_series(1, 200) as n
		   where u.is_verified
		  returning id
		)
		insert into due_mails (notification_id, due_at) select id, now() from more limit 500`, nil)
	f.db.Grow(50, "notifications", "due_mails")
	for i := range f.readers {
		f.errors[address(i)] = errors.New("452 mailbox full")
	}
	delete(f.errors, address(0))
	plans := dbtest.Explain(t, f.db, func(pool *pgxpool.Pool) {
		f.mails.DB = pool
		_, err := f.mails.Sweep(t.Context())
		require.NoError(t, err)
	})
	require.Zero(t, f.count(t, `select count(*) from due_mails where attempts = 0`))
	require.GreaterOrEqual(t, len(f.recipients()), 510)
	require.Contains(t, plans, "due_mails_due")
	require.Contains(t, plans, "notifications_pkey")
	require.NotContains(t, plans, "Seq Scan on notifications")
}

// Emails that cannot be turned off have no link that promises it.
func TestSweep_unsubscribe(t *testing.T) {
	t.Parallel()
	for kind, can := range map[catalog.Kind]bool{catalog.DealPaid: true, catalog.PaymentMade: false} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := newOffersFixture(t, 1)
			var sent []mailer.Message
			f.before = func(m mailer.Message) { sent = append(sent, m) }
			f.notify(t, kind)
			f.sweep(t)
			require.Len(t, sent, 1)
			require.Equal(t, can, sent[0].Unsubscribe != "")
			require.Equal(t, can, strings.Contains(sent[0].Text, "/unsubscribe"))
		})
	}
}

// An email about saved searches lists the posts that are still shown, and unsubscribes from such
// emails only. Without any it is not sent.
func TestSweep_found_posts(t *testing.T) {
	t.Parallel()
	f := newOffersFixture(t, 1)
	var sent []mailer.Message
	f.before = func(m mailer.Message) { sent = append(sent, m) }
	var ids []string
	for _, title := range []string{"Tea <channel>", "Hidden", "Cups"} {
		ids = append(ids, uuid.NewString())
		f.exec(t, `
			insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
			values (@id, @seller, @title, '', 12050, 'Online Asset', 'Website', '{}', now(), now(), 1, '')`,
			postgres.Args{"id": ids[len(ids)-1], "seller": f.readers[0], "title": title})
	}
	f.exec(t, `
		with hidden as (
		  insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, category, first_reported_at)
		  values (gen_random_uuid(), 'post', @id, @seller, '', '', '', '', now()) returning id)
		update posts set hidden_by = hidden.id from hidden where posts.id = @id`, postgres.Args{"id": ids[1], "seller": f.readers[0]})
	found := func(posts ...string) {
		t.Helper()
		require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
			return f.Notify(t.Context(), tx, f.reader, catalog.SavedSearchFound, catalog.Params{"posts": strings.Join(posts, ",")}, "/explore?max=9")
		}))
		require.Empty(t, f.sweep(t))
	}
	found(ids[1], uuid.NewString())
	require.Empty(t, sent)
	found(ids[2], ids[1], ids[0])
	require.Len(t, sent, 1)
	url := "https://amanat.test/posts/"
	require.Contains(t, sent[0].Text, "Cups\n$120.50\n"+url+ids[2]+"\n\nTea <channel>\n$120.50\n"+url+ids[0]+
		"\n\nSee all of them: https://amanat.test/explore?max=9")
	require.NotContains(t, sent[0].Text, "Hidden")
	require.Contains(t, sent[0].HTML, `href="`+url+ids[0]+`" style="font-weight:600">Tea &lt;channel&gt;</a>`)
	require.Regexp(t, `^https://amanat.test/api/mail/unsubscribe\?token=[0-9a-f-]{36}&of=searches$`, sent[0].Unsubscribe)
	require.Contains(t, sent[0].Text, "because you saved a search")
}

// newOffersFixture has people who can make a reader with a verified address offers, and no email
// that is due.
func newOffersFixture(t *testing.T, people int) *sweepFixture {
	t.Helper()
	f := newSweepFixture(t, people)
	f.sweep(t)
	f.tried = nil
	f.exec(t, `update users set is_verified = true where id = @id`, postgres.Args{"id": f.reader})
	return f
}

// offers has people make the reader a deal each, some time ago, with its notice.
func (f *sweepFixture) offers(t *testing.T, kind catalog.Kind, ago time.Duration, makers ...uuid.UUID) {
	t.Helper()
	for _, maker := range makers {
		id := uuid.Must(uuid.NewV7())
		f.exec(t, `
			insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at,
			                   next_action, next_action_at)
			values (@id, @maker, @reader, @maker, 10000, 200, 'A logo', 1, 'Pending', @at::timestamptz, @at::timestamptz + interval '1 day',
			        'expire', @at::timestamptz + interval '1 day')`,
			postgres.Args{"id": id, "maker": maker, "reader": f.reader, "at": f.clock.Now().Add(-ago)})
		require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
			return f.Notify(t.Context(), tx, f.reader, kind, catalog.Params{"username": "x", "amount": "100.00"}, "/deal/"+id.String())
		}))
	}
}

// messages has a person write to the reader, who has answered or not, with the notice of it.
func (f *sweepFixture) messages(t *testing.T, answered bool, sender uuid.UUID) {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	f.exec(t, `
		insert into conversations (id, user_a, user_b, started_by, answered, last_seq, created_at, updated_at)
		values (@id, least(@sender::uuid, @reader::uuid), greatest(@sender::uuid, @reader::uuid), @sender, @answered, 1, now(), now())`,
		postgres.Args{"id": id, "sender": sender, "reader": f.reader, "answered": answered})
	require.NoError(t, postgres.WithTx(t.Context(), f.db.Worker(), func(tx *postgres.Tx) error {
		return f.Notify(t.Context(), tx, f.reader, catalog.MessagesUnread, catalog.Params{"username": "x"}, "/inbox/"+id.String())
	}))
}

// Strangers cause six emails in a day; the panel shows the rest. People with whom the reader has
// dealt cause as many as there are reasons.
func TestSweep_bounds_mails_from_strangers(t *testing.T) {
	t.Parallel()
	f := newOffersFixture(t, 9)
	partner, strangers := f.readers[0], f.readers[1:]
	f.exec(t, `
		insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, accepted_at,
		                   activated_at, closed_at)
		values (gen_random_uuid(), @reader, @partner, @reader, 10000, 200, 'A logo', 1, 'Completed', now(), now(), now(), now(), now())`,
		postgres.Args{"reader": f.reader, "partner": partner})
	for _, sender := range strangers[:4] {
		f.messages(t, false, sender)
	}
	f.offers(t, catalog.DealOfferedToSeller, 0, strangers[4:]...)
	f.sweep(t)
	require.Len(t, f.recipients(), 6)
	f.offers(t, catalog.DealOfferedToSeller, 0, partner)
	f.messages(t, false, partner)
	f.messages(t, true, strangers[4])
	f.sweep(t)
	require.Len(t, f.recipients(), 9)
	require.Equal(t, 11, f.count(t, `select count(*) from notifications n join users u on u.id = n.user_id where u.username = 'rahim'`))
	require.Zero(t, f.left(t)[0])

	f.exec(t, `update notifications set created_at = created_at - interval '24 hours'`, nil)
	f.offers(t, catalog.DealOfferedToSeller, 0, strangers[0])
	f.sweep(t)
	require.Len(t, f.recipients(), 10, "the next day")
}

// An offer that expires within a day is not announced by two emails at once.
func TestSweep_no_warning_with_the_offer(t *testing.T) {
	t.Parallel()
	f := newOffersFixture(t, 2)
	f.offers(t, catalog.DealExpiresSoon, 59*time.Minute, f.readers[0])
	f.sweep(t)
	require.Empty(t, f.recipients())
	f.offers(t, catalog.DealExpiresSoon, 61*time.Minute, f.readers[1])
	f.sweep(t)
	require.Len(t, f.recipients(), 1)
}
