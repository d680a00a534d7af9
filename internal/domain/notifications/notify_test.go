package notifications_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/notifications"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

type fixture struct {
	*notifications.Service
	db             *dbtest.DB
	reader, second uuid.UUID
}

// noopPublisher replaces Redis; the tests check the log in the database.
type noopPublisher struct{}

func (noopPublisher) PublishFrame(uuid.UUID, realtime.Frame) {}
func (noopPublisher) PublishAdmins(realtime.Frame)           {}

func newFixture(t *testing.T) fixture {
	t.Helper()
	f := fixture{db: dbtest.New(t), reader: uuid.Must(uuid.NewV7()), second: uuid.Must(uuid.NewV7())}
	now := clock.NewOffset(0)
	f.Service = &notifications.Service{
		DB: f.db.API(), Clock: now, Events: &realtime.Log{Clock: now, Publish: noopPublisher{}},
	}
	for id, name := range map[uuid.UUID]string{f.reader: "rahim", f.second: "karim"} {
		f.exec(t, `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values (@id, @name, @name || '@example.com', '', @name, now(), now())`, postgres.Args{"id": id, "name": name})
	}
	return f
}

func (f fixture) exec(t *testing.T, sql string, args postgres.Args) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), sql, args)
	require.NoError(t, err)
}

func (f fixture) notify(t *testing.T, kind catalog.Kind) {
	t.Helper()
	params := catalog.Params{"username": "karim", "amount": "100.00", "payout": "98.00"}
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.Notify(t.Context(), tx, f.reader, kind, params, "/balance")
	}))
}

func (f fixture) list(t *testing.T, reader uuid.UUID) []notifications.Notification {
	t.Helper()
	list, total, err := f.List(t.Context(), reader, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list, total)
	return list
}

func (f fixture) count(t *testing.T, sql string) int {
	t.Helper()
	n, err := postgres.Query[int]("test.count", sql).One(t.Context(), f.db.Owner(), nil)
	require.NoError(t, err)
	return n
}

func TestNotify(t *testing.T) {
	t.Parallel()
	for kind, mails := range map[catalog.Kind]int{catalog.DealPaid: 1, catalog.DealLate: 0} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.notify(t, kind)
			list := f.list(t, f.reader)
			require.Len(t, list, 1)
			require.Equal(t, string(kind), list[0].Kind)
			require.Equal(t, "/balance", list[0].Link)
			require.NotEmpty(t, list[0].Message)
			require.False(t, list[0].IsRead)
			require.Equal(t, mails, f.count(t, `select count(*) from due_mails`))
			require.Zero(t, f.count(t, `select count(*) from river.river_job`))
			events := f.count(t, `select count(*) from user_events where type = '`+realtime.TypeNotification+`'`)
			require.Equal(t, 1, events, "open screens are notified")
			require.Empty(t, f.list(t, f.second))
		})
	}
}

// What users have done themselves is mailed, but neither waits to be read nor is announced.
func TestNotify_receipt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.notify(t, catalog.PaymentMade)
	list := f.list(t, f.reader)
	require.Len(t, list, 1)
	require.True(t, list[0].IsRead)
	require.Equal(t, 1, f.count(t, `select count(*) from due_mails`))
	require.Zero(t, f.count(t, `select count(*) from user_events where type = '`+realtime.TypeNotification+`'`))
}

// Notifications to users whose language the transaction knows are sent with its COMMIT, others
// before it. Their events are in that language.
func TestUseLanguage(t *testing.T) {
	t.Parallel()
	for language, trips := range map[string]int{"": 2, "bn": 1} {
		t.Run("language "+language, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.exec(t, `update users set language = 'bn' where id = @id`, postgres.Args{"id": f.reader})
			db, counted := dbtest.Counted(t, f.db.API())
			params := catalog.Params{"username": "karim", "amount": "100.00", "payout": "98.00"}
			require.NoError(t, postgres.WithTx(t.Context(), db, func(tx *postgres.Tx) error {
				f.UseLanguage(tx, f.reader, language)
				return f.Notify(t.Context(), tx, f.reader, catalog.DealPaid, params, "/balance")
			}))
			require.Equal(t, trips, counted.Take())
			shown := f.list(t, f.reader)
			require.Len(t, shown, 1)
			require.Equal(t, catalog.Render("bn", catalog.DealPaid, params), shown[0].Message)
			sent, err := postgres.Query[string]("test.event",
				`select payload #>> '{notification,message}' from user_events`).One(t.Context(), f.db.Owner(), nil)
			require.NoError(t, err)
			require.Equal(t, shown[0].Message, sent)
		})
	}
}

// The notifications of a transaction are written by one statement, with the emails that are due,
// and the events are in the order of the calls.
func TestNotify_one_statement(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(t, `update users set is_admin = true, language = 'bn' where id = @id`, postgres.Args{"id": f.second})
	params := catalog.Params{"username": "karim", "amount": "100.00", "payout": "98.00"}
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		for _, kind := range []catalog.Kind{catalog.DealPaid, catalog.DealLate, catalog.DealDelivered} {
			for _, reader := range []uuid.UUID{f.reader, f.second} {
				if err := f.Notify(t.Context(), tx, reader, kind, params, "/balance"); err != nil {
					return err
				}
			}
		}
		params["amount"] = "9.99" // later changes by the caller have no effect
		return f.NotifyAdmins(t.Context(), tx, jobs.AdminNotice{NoticeKind: string(catalog.AdminSupport), Params: params})
	}))
	require.Equal(t, 1, f.count(t, `
		select count(*) from (
		  select xmin::text, cmin::text from notifications union select xmin::text, cmin::text from due_mails) as statements`))
	require.Equal(t, 7, f.count(t, `select count(*) from notifications where about_user_id is null`))
	require.Equal(t, 4, f.count(t, `select count(*) from due_mails`))
	require.Equal(t, 4, f.count(t, `
		select count(*) from due_mails m join notifications n on n.id = m.notification_id where n.kind in ('deal_paid', 'deal_delivered')`))
	for reader, kinds := range map[uuid.UUID][]string{
		f.reader: {"deal_paid", "deal_late", "deal_delivered"},
		f.second: {"deal_paid", "deal_late", "deal_delivered", "admin_support"},
	} {
		sent, err := postgres.Query[*notifications.NotificationEvent]("test.events",
			`select payload from user_events where user_id = @user order by seq`).Many(t.Context(), f.db.Owner(), postgres.Args{"user": reader})
		require.NoError(t, err)
		list := f.list(t, reader)
		require.Len(t, list, len(kinds))
		for i, kind := range kinds {
			require.Equal(t, kind, sent[i].Notification.Kind)
			shown := list[len(kinds)-1-i]
			require.Equal(t, shown.ID, sent[i].Notification.ID)
			require.Equal(t, shown.Message, sent[i].Notification.Message, "in the reader's language")
		}
	}
}

// A hook of the transaction may notify when others have been written already.
func TestNotify_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	notify := func(tx *postgres.Tx, kind catalog.Kind) error {
		return f.Notify(t.Context(), tx, f.reader, kind, catalog.Params{}, "/balance")
	}
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		if err := notify(tx, catalog.DealPaid); err != nil {
			return err
		}
		tx.BeforeCommit(func(context.Context) error { return notify(tx, catalog.DealLate) })
		return nil
	}))
	require.Len(t, f.list(t, f.reader), 2)
}

// A rolled back event notifies no user.
func TestNotify_rolled_back(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	refusal := fault.New(fault.Conflict, "not_now", "Not now.")
	require.ErrorIs(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		if err := f.Notify(t.Context(), tx, f.reader, catalog.DealPaid, catalog.Params{}, "/balance"); err != nil {
			return err
		}
		return refusal
	}), refusal)
	require.Empty(t, f.list(t, f.reader))
	require.Zero(t, f.count(t, `select count(*) from due_mails`))
}

// Messages are in the reader's current language.
func TestList_language(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.notify(t, catalog.DealPaid)
	english := f.list(t, f.reader)[0].Message
	f.exec(t, `update users set language = 'bn' where id = @id`, postgres.Args{"id": f.reader})
	bangla := f.list(t, f.reader)[0].Message
	require.NotEqual(t, english, bangla)
	require.Contains(t, bangla, "আমানতে")
}

func TestMarkRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	unread := func(reader uuid.UUID) bool {
		has, err := f.HasUnread(t.Context(), reader)
		require.NoError(t, err)
		return has
	}
	require.False(t, unread(f.reader))
	f.notify(t, catalog.DealPaid)
	f.notify(t, catalog.DealLate)
	list := f.list(t, f.reader)
	require.Equal(t, string(catalog.DealLate), list[0].Kind, "newest first")

	require.NoError(t, f.MarkRead(t.Context(), f.second, list[0].ID))
	got, err := f.Get(t.Context(), f.reader, list[0].ID)
	require.NoError(t, err)
	require.False(t, got.IsRead, "other users cannot mark it as read")
	_, err = f.Get(t.Context(), f.second, list[0].ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))

	for range 2 {
		require.NoError(t, f.MarkRead(t.Context(), f.reader, list[0].ID))
	}
	got, err = f.Get(t.Context(), f.reader, list[0].ID)
	require.NoError(t, err)
	require.True(t, got.IsRead)
	require.True(t, unread(f.reader), "the other one")
	require.NoError(t, f.MarkAllRead(t.Context(), f.second))
	require.True(t, unread(f.reader))
	require.NoError(t, f.MarkAllRead(t.Context(), f.reader))
	require.False(t, unread(f.reader))
}

// All admins are notified except the one who acted and those who are disabled.
func TestNotifyAdmins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(t, `update users set is_admin = true where id = @id`, postgres.Args{"id": f.second})
	notifyAdmins := func(notice jobs.AdminNotice) {
		require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
			return f.NotifyAdmins(t.Context(), tx, notice)
		}))
	}
	notice := jobs.AdminNotice{
		NoticeKind: string(catalog.AdminSupport), Params: catalog.Params{"username": "rahim", "amount": "1.00"},
		AboutID: &f.reader, Link: "/admin",
	}
	notifyAdmins(notice)
	require.Empty(t, f.list(t, f.reader))
	list, total, err := f.ListAdmin(t.Context(), f.second, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, "rahim", list[0].User.Username)

	notice.ExceptID = &f.second
	notifyAdmins(notice)
	notice.ExceptID = nil
	f.exec(t, `update users set disabled_at = now() where id = @id`, postgres.Args{"id": f.second})
	notifyAdmins(notice)
	_, total, err = f.ListAdmin(t.Context(), f.second, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, 1, total, "none of the two")
	require.Zero(t, f.count(t, `select count(*) from due_mails`), "admins get no mails")
}

// Read notifications end sooner than unread ones. Emails that are due for them end with them.
func TestRemoveOld(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec(t, `
		with kept as (
		  insert into notifications (id, user_id, audience, kind, params, link, is_read, created_at)
		  select gen_random_uuid(), u.id, 'user', 'deal_late', '{}', read || ' ' || age, read, now() - age * interval '1 day'
		    from users u, unnest('{1, 179, 181, 364, 366}'::int[]) age, unnest('{t, f}'::boolean[]) read
		   where u.id = @reader
		  returning id
		)
		insert into due_mails (notification_id, due_at) select id, now() from kept`, postgres.Args{"reader": f.reader})
	f.db.Grow(1000, "notifications")
	plans := dbtest.Explain(t, f.db, func(pool *pgxpool.Pool) {
		f.DB = pool
		removed, err := f.RemoveOld(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 4, removed)
	})
	require.Contains(t, plans, "notifications_age")
	var left []string
	f.DB = f.db.API()
	for _, n := range f.list(t, f.reader) {
		left = append(left, n.Link)
	}
	require.ElementsMatch(t, []string{"true 1", "true 179", "false 1", "false 179", "false 181", "false 364"}, left)
	require.Equal(t, len(left), f.count(t, `select count(*) from due_mails`))
}
