package moderation_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/images"
	"amanat/internal/app/user"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/reviews"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
	"amanat/queue/jobs"
)

// fixture is the service with the api's database role, the settler with the worker's, two admins
// and three users.
type fixture struct {
	*moderation.Service
	settler             *moderation.Settler
	accounts            *accounts.Service
	posts               *posts.Service
	chat                *chat.Service
	images              *images.Service
	db                  *dbtest.DB
	clock               *clock.Offset
	boss, sadia         uuid.UUID // admins
	rahim, karim, nadia uuid.UUID
}

// silent replaces Redis; the tests read the realtime log in the database.
type silent struct{}

func (silent) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silent) PublishAdmins(realtime.Frame)           {}
func (silent) OperationSettled(uuid.UUID)             {}
func (silent) PartnersChanged(...uuid.UUID)           {}
func (silent) SessionEnded(uuid.UUID)                 {}
func (silent) SessionsEnded(uuid.UUID, *uuid.UUID)    {}

func newFixture(t *testing.T) fixture {
	t.Helper()
	db := dbtest.New(t)
	now := clock.NewStopped()
	inserter, err := jobs.NewInserter(db.API(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	events := &realtime.Log{Clock: now, Publish: silent{}}
	notices := &notifications.Service{DB: db.API(), Clock: now, Events: events}
	dealService := func(pool postgres.DB) *deals.Service {
		return &deals.Service{
			DB: pool, Clock: now, Events: events, Jobs: inserter, Notices: notices,
			Operations: &operations.Service{DB: pool, Clock: now, Enqueuer: inserter, Events: events, Announce: silent{}},
		}
	}
	pictures := images.New(images.Options{DB: db.API(), Clock: now})
	people := accounts.New(accounts.Options{
		DB: db.API(), Clock: now, Jobs: inserter, Notices: notices, Worklists: events, Sessions: silent{}, Images: pictures,
		Deals: dealService(db.API()), HashCost: accounts.HashCost{MemoryKiB: 64, Time: 1},
	})
	postService := &posts.Service{DB: db.API(), Clock: now, Images: pictures}
	f := fixture{
		Service: &moderation.Service{
			DB: db.API(), Clock: now, Events: events, Notices: notices, Jobs: inserter, Accounts: people, Links: people,
			Posts: postService, Reviews: &reviews.Service{DB: db.API(), Clock: now, Notices: notices},
		},
		settler: &moderation.Settler{
			DB: db.Worker(), Clock: now, Notices: notices, Jobs: inserter,
			Accounts: &accounts.Resumer{Deals: dealService(db.Worker()), Worklists: events},
		},
		accounts: people, posts: postService, images: pictures, db: db, clock: now,
		chat: &chat.Service{DB: db.API(), Clock: now, Events: events, Images: pictures, Presence: silent{}, Pushes: notices},
	}
	f.boss, f.sadia = f.user(t, "boss", true), f.user(t, "sadia", true)
	f.rahim, f.karim, f.nadia = f.user(t, "rahim", false), f.user(t, "karim", false), f.user(t, "nadia", false)
	return f
}

func (f fixture) user(t *testing.T, name string, admin bool) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into users (id, username, email, password_hash, is_verified, is_admin, referral_code, terms_accepted_at, created_at)
		values ($1, $2, $2 || '@example.com', '', true, $3, $2, now(), now())`, id, name, admin)
	require.NoError(t, err)
	return id
}

// post publishes a post of a user.
func (f fixture) post(t *testing.T, seller uuid.UUID, title string) posts.Post {
	t.Helper()
	published, err := f.posts.Create(t.Context(), user.Ref{ID: seller, Username: "seller"}, posts.Draft{
		Title: title, Description: "Forty thousand subscribers", Price: 480_00, Category: posts.OnlineAsset, Subcategory: "YouTube Channel",
	}, 0, nil)
	require.NoError(t, err)
	return published
}

// message makes one user write to another and returns the message.
func (f fixture) message(t *testing.T, from, to uuid.UUID, text string) chat.DirectMessage {
	t.Helper()
	started, err := f.chat.Start(t.Context(), from, chat.Opening{ReceiverID: &to, Draft: chat.Draft{Text: text}}, nil)
	require.NoError(t, err)
	return *started.Message
}

// about reports a user and returns the case.
func (f fixture) about(t *testing.T, reporter, accused uuid.UUID) uuid.UUID {
	t.Helper()
	return f.report(t, reporter, moderation.Person, accused)
}

// report reports something and returns the case.
func (f fixture) report(t *testing.T, reporter uuid.UUID, subject moderation.Subject, id uuid.UUID) uuid.UUID {
	t.Helper()
	report, err := f.Report(t.Context(), reporter, moderation.Draft{Subject: subject, SubjectID: id, Reason: "scam"}, nil)
	require.NoError(t, err)
	caseID, err := postgres.Query[uuid.UUID]("test.case",
		`select case_id from moderation_reports where id = @id`).One(t.Context(), f.db.Owner(), map[string]any{"id": report.ID})
	require.NoError(t, err)
	return caseID
}

// decide decides a case as boss.
func (f fixture) decide(t *testing.T, caseID uuid.UUID, ruling moderation.Ruling) moderation.Case {
	t.Helper()
	decided, err := f.Decide(t.Context(), f.boss, caseID, ruling, nil)
	require.NoError(t, err)
	return decided
}

// state returns whether an account is disabled, and the decision for which it is.
func (f fixture) state(t *testing.T, userID uuid.UUID) (disabled bool, decision *uuid.UUID) {
	t.Helper()
	err := f.db.Owner().QueryRow(t.Context(), `select disabled_at is not null, suspended_by from users where id = $1`, userID).
		Scan(&disabled, &decision)
	require.NoError(t, err)
	return disabled, decision
}

func (f fixture) requireEnabled(t *testing.T, userID uuid.UUID) {
	t.Helper()
	disabled, decision := f.state(t, userID)
	require.False(t, disabled)
	require.Nil(t, decision)
}

// requireSuspended requires that the account is disabled for the decision; nil means for another
// reason.
func (f fixture) requireSuspended(t *testing.T, userID uuid.UUID, by *uuid.UUID) {
	t.Helper()
	disabled, decision := f.state(t, userID)
	require.True(t, disabled)
	require.Equal(t, by, decision)
}

// notices returns the kinds of a user's notifications, oldest first.
func (f fixture) notices(t *testing.T, userID uuid.UUID) []string {
	t.Helper()
	kinds, err := postgres.Query[string]("test.notices",
		`select kind from notifications where user_id = @user order by id`).Many(t.Context(), f.db.Owner(), map[string]any{"user": userID})
	require.NoError(t, err)
	return kinds
}

// mails returns the emails that are enqueued about a decision.
func (f fixture) mails(t *testing.T, decision uuid.UUID) []string {
	t.Helper()
	mails, err := postgres.Query[string]("test.mails", `
		select args->>'mail_kind' from river.river_job
		 where kind = 'mail' and args->>'subject_id' = @id::uuid::text order by id`).Many(t.Context(), f.db.Owner(),
		map[string]any{"id": decision})
	require.NoError(t, err)
	return mails
}

func requireRefused(t *testing.T, err error, code fault.Code, reason string) {
	t.Helper()
	refused := fault.As(err)
	require.NotNil(t, refused, "%v", err)
	require.Equal(t, []string{string(code), reason}, []string{string(refused.Code), refused.Reason})
}

const day = 24 * time.Hour
