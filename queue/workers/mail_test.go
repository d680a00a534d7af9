package workers

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/app/catalog"
	"amanat/internal/app/config"
	"amanat/internal/devtools/localstack"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/feedback"
	"amanat/internal/domain/moderation"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/posts"
	"amanat/internal/domain/reviews"
	"amanat/internal/lib/mailer"
	"amanat/internal/lib/postgres"
	"amanat/internal/lib/tracing"
	"amanat/internal/money/chain"
	"amanat/internal/realtime"
	"amanat/internal/testing/pushtest"
	"amanat/queue/jobs"
)

// Sign-up used to accept addresses that no mail server accepts.
func TestMail_undeliverable_address(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	odd, reader := f.user("tanvir"), f.user("nusrat")
	_, err := f.db.Owner().Exec(t.Context(), `update users set email = 'a,b@c.example' where id = $1`, odd)
	require.NoError(t, err)

	job := f.work(jobs.Mail{SubjectID: odd, MailKind: string(catalog.MailPassword)})
	require.Equal(t, rivertype.JobStateCancelled, job.State)
	require.Equal(t, 1, job.Attempt)
	require.NotContains(t, job.Errors[0].Error, "c.example", "what is logged names nobody")
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.Mail{SubjectID: reader, MailKind: string(catalog.MailPassword)}).State)
	require.Len(t, f.mails.Mails(), 1)
}

// The operator can look for the heads later, so the email has them whole.
func TestSupportMail_heads(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	head := "seal 1234567, head " + strings.Repeat("6b", 32) + ", 0 findings"
	heads := map[string]string{chain.Transfers: head, chain.Audit: "seal 2, head 5a, 0 findings"}
	job := f.work(jobs.SupportMail{MailKind: string(catalog.MailHeads), Heads: heads})
	require.Equal(t, rivertype.JobStateCompleted, job.State)
	mail := f.mails.Mails()[0]
	require.Equal(t, "support@amanat.test", mail.To)
	require.Equal(t, "Ledger and audit log verified", mail.Subject)
	require.Contains(t, mail.Text, "transfers: "+head)
	require.Contains(t, mail.Text, "audit: seal 2, head 5a, 0 findings")
}

// refusal is a mail server that refuses every address.
type refusal struct{}

func (refusal) Send(context.Context, mailer.Message) error { return mailer.ErrUndeliverable }

func TestContactMail_undeliverable_is_retried(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := uuid.New()
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into contact_messages (id, name, email, message, created_at) values ($1, 'Nusrat', 'nusrat@example.com', 'Hello?', now())`, id)
	require.NoError(t, err)
	services := Services{
		Feedback: &feedback.Forwarder{DB: f.db.Worker(), Mail: refusal{}, Support: "suport@amanat.test"},
	}
	args := jobs.SupportMail{MailKind: string(catalog.MailContact), SubjectID: id}
	err = services.mailSupport(t.Context(), &river.Job[jobs.SupportMail]{JobRow: &rivertype.JobRow{}, Args: args})
	require.ErrorIs(t, err, mailer.ErrUndeliverable)
	require.NotErrorIs(t, err, new(river.JobCancelError), "an operator may put the address right")
}

// A sweep that fails is made up for by the next one, so it is not left among the discarded jobs.
func TestMailSweep_failed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.db.Owner().Exec(t.Context(), `alter table due_mails rename to elsewhere`)
	require.NoError(t, err)
	f.start()
	require.Equal(t, rivertype.JobStateCancelled, f.work(jobs.MailSweep).State)
	require.Zero(t, f.count(`select count(*) from river.river_job where state in ('discarded', 'retryable')`))
	_, err = f.db.Owner().Exec(t.Context(), `alter table elsewhere rename to due_mails`)
	require.NoError(t, err)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.MailSweep).State)
}

// blockedServer is a mail server that accepts emails when it is released.
type blockedServer struct{ begun, release chan struct{} }

func (s blockedServer) Send(context.Context, mailer.Message) error {
	s.begun <- struct{}{}
	<-s.release
	return nil
}

// One sweep runs in a process. The next leave the queue's workers to other emails.
func TestMailSweep_one_in_process(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	user := f.user("nusrat")
	_, err := f.db.Owner().Exec(t.Context(), `
		with n as (
		  insert into notifications (id, user_id, audience, kind, params, created_at)
		  values (gen_random_uuid(), $1, 'user', 'deal_paid', '{}', now()) returning id
		)
		insert into due_mails (notification_id, due_at) select id, now() from n`, user)
	require.NoError(t, err)
	server := blockedServer{begun: make(chan struct{}, 1), release: make(chan struct{})}
	sweep := periodicWork(Services{
		Log:              slog.New(slog.DiscardHandler),
		NotificationMail: &notifications.Mailer{DB: f.db.Worker(), Clock: f.clock, Mail: server, Senders: 4},
	})[0]
	require.Equal(t, jobs.MailSweep, sweep.kind)
	first := make(chan error, 1)
	go func() { first <- sweep.run(context.WithoutCancel(t.Context())) }()
	<-server.begun
	require.NoError(t, sweep.run(t.Context()))
	close(server.release)
	require.NoError(t, <-first)
	require.Zero(t, f.count(`select count(*) from due_mails`))
}

// Users are emailed when a deal needs their action.
func TestMail_deal_notifications(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	mailed := func(to, subject string) localstack.Mail {
		t.Helper()
		var found localstack.Mail
		require.Eventually(t, func() bool {
			mails := f.mails.Mails()
			i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return m.Subject == subject && strings.HasPrefix(m.To, to) })
			if i >= 0 {
				found = mails[i]
			}
			return i >= 0
		}, 10*time.Second, 10*time.Millisecond, "%s is told: %s", to, subject)
		return found
	}
	mailed("nusrat", "tanvir offers you a deal of $100.00.")
	_, err := f.deals.Create(ctx, f.buyer,
		deals.Draft{
			BuyerID: &f.buyer, SellerID: &f.seller,
			Terms: deals.Terms{Price: price, Description: "A page", DeliveryDays: 7, InspectionDays: 3},
		}, nil)
	require.NoError(t, err)
	mailed("tanvir", catalog.Render(catalog.English, catalog.DealOfferedToSeller, catalog.Params{"username": "nusrat", "amount": "100.00"}))
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{Text: "The access is yours now."}))
	delivered := mailed("nusrat", "tanvir delivered. Check it, then release the money.").Text
	require.Contains(t, delivered, "Deal: A channel")
	require.Contains(t, delivered, "The access is yours now.")
	require.Contains(t, delivered,
		"Inspection period: 3 days. If you do not respond by then, $98.00 goes to tanvir automatically.")
	f.do(f.deals.ResetDelivery(ctx, f.buyer, f.id, "Please change the colours."))
	reset := mailed("tanvir", catalog.Render(catalog.English, catalog.DealReset, catalog.Params{"username": "nusrat", "amount": "100.00"}))
	require.Contains(t, reset.Text, "Please change the colours.")
	_, err = f.deals.Cancel(ctx, f.buyer, f.id, nil)
	require.NoError(t, err)
	f.do(f.deals.DeclineCancellation(ctx, f.seller, f.id))
	mailed("nusrat", catalog.Render(catalog.English, catalog.DealCancelDeclined, catalog.Params{"username": "tanvir", "amount": "100.00"}))
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "It does not open.", nil))
	f.closeSupport()
	for _, party := range []string{"nusrat", "tanvir"} {
		require.Contains(t, mailed(party, "The support request is closed and the deal of $100.00 goes on.").Text, answer)
	}
	detail, err := f.deals.Get(ctx, f.seller, f.id)
	require.NoError(t, err)
	require.Equal(t, answer, detail.Timeline[len(detail.Timeline)-1].Note)
}

// A frozen deal is not completed automatically, so the email of its delivery does not announce
// that.
func TestMail_delivery_of_frozen_deal(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	require.NoError(t, f.deals.RequestSupport(ctx, f.buyer, f.id, "Nothing comes.", nil))
	f.do(f.deals.Deliver(ctx, f.seller, f.id, deals.Words{}))
	isDelivery := func(m localstack.Mail) bool { return strings.HasPrefix(m.Subject, "tanvir delivered.") }
	require.Eventually(t, func() bool { return slices.ContainsFunc(f.mails.Mails(), isDelivery) }, 10*time.Second, 10*time.Millisecond)
	for _, m := range f.mails.Mails() {
		if isDelivery(m) {
			require.NotContains(t, m.Text, "automatically")
		}
	}
}

// pushed starts workers that send to a push service, at which a user has a browser.
func (f *fixture) pushed(user uuid.UUID) *pushtest.Service {
	f.t.Helper()
	service := pushtest.New(f.t)
	session := uuid.New()
	_, err := f.db.Owner().Exec(f.t.Context(), `
		insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at, password_confirmed_at)
		values ($1, $2, sha256('x'), now(), now(), now() + interval '14 days', now())`, session, user)
	require.NoError(f.t, err)
	to, encode := service.Subscribe("phone"), base64.RawURLEncoding.EncodeToString
	events := &realtime.Log{Clock: f.clock, Publish: direct{f.waiter, f.queues}}
	notices := &notifications.Service{DB: f.db.API(), Clock: f.clock, Events: events}
	_, err = notices.Subscribe(f.t.Context(), user, notifications.Browser{SessionID: session, UserAgent: "Phone"},
		notifications.Subscription{Endpoint: to.Endpoint, P256dh: encode(to.P256dh), Auth: encode(to.Auth)})
	require.NoError(f.t, err)
	dependencies := f.dependencies()
	dependencies.Pushes = service.Sender()
	client, err := Assemble(dependencies)
	require.NoError(f.t, err)
	f.startClient(client)
	return service
}

// What settles is pushed within seconds, and a message a while later, if it is not read.
func TestPushSweep(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	buyer, seller, admin := f.user("nusrat"), f.user("tanvir"), f.admin("admin")
	service := f.pushed(buyer)
	f.fund(buyer, admin, 100_00)
	received := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return len(service.Received()) >= n }, 20*time.Second, 10*time.Millisecond)
	}
	received(1)
	var shown struct{ Title, Body, Link string }
	service.Received()[0].Into(t, &shown)
	require.Equal(t, "Your money", shown.Title)
	require.NotContains(t, shown.Body, "100")

	talks, is := f.deals.Conversations.(*chat.Service)
	require.True(t, is)
	started, err := talks.Start(t.Context(), seller, chat.Opening{ReceiverID: &buyer, Draft: chat.Draft{Text: "A secret"}}, nil)
	require.NoError(t, err)
	require.Equal(t, 1, f.count(`select count(*) from due_pushes where message_id is not null and due_at > now() + interval '8 s'`))
	_, err = f.db.Owner().Exec(t.Context(), `update due_pushes set due_at = now()`)
	require.NoError(t, err)
	received(2)
	service.Received()[1].Into(t, &shown)
	require.Equal(t, "tanvir wrote to you.", shown.Body)
	require.Equal(t, "/inbox/"+started.Conversation.ID.String(), shown.Link)

	_, err = talks.Send(t.Context(), seller, &started.Conversation.ID, chat.Draft{Text: "More"}, nil)
	require.NoError(t, err)
	_, err = talks.MarkRead(t.Context(), buyer, &started.Conversation.ID)
	require.NoError(t, err)
	_, err = f.db.Owner().Exec(t.Context(), `update due_pushes set due_at = now()`)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return f.count(`select count(*) from due_pushes`) == 0 }, 20*time.Second, 10*time.Millisecond)
	require.Len(t, service.Received(), 2)
}

// A message that its receiver has not read is mailed once, and not its words.
func TestUnreadMails(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	reader, sender := f.user("nusrat"), f.user("tanvir")
	f.start()
	talks, is := f.deals.Conversations.(*chat.Service)
	require.True(t, is)
	started, err := talks.Start(t.Context(), sender, chat.Opening{ReceiverID: &reader, Draft: chat.Draft{Text: "A secret"}}, nil)
	require.NoError(t, err)
	for range 2 {
		f.clock.Advance(11 * time.Minute)
		require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.UnreadMails).State)
	}
	subject := catalog.Render(catalog.English, catalog.MessagesUnread, catalog.Params{"username": "tanvir"})
	isOurs := func(m localstack.Mail) bool { return m.Subject == subject && strings.HasPrefix(m.To, "nusrat") }
	require.Eventually(t, func() bool {
		return slices.ContainsFunc(f.mails.Mails(), isOurs) && f.count(`select count(*) from due_mails`) == 0
	}, 20*time.Second, 10*time.Millisecond)
	mails := slices.DeleteFunc(f.mails.Mails(), func(m localstack.Mail) bool { return !isOurs(m) })
	require.Len(t, mails, 1)
	require.Contains(t, mails[0].Text, "/inbox/"+started.Conversation.ID.String())
	require.NotContains(t, mails[0].Text, "secret")
}

func TestAdminNotice_about_no_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	f.admin("admin")
	before := f.count(`select count(*) from notifications where audience = 'admin'`)
	job := f.work(jobs.AdminNotice{
		NoticeKind: string(catalog.AdminVisitorContact), Params: catalog.Params{"subject": "Hello"},
		SubjectID: uuid.New(), Link: "/admin/contact-messages",
	})
	require.Equal(t, rivertype.JobStateCompleted, job.State)
	require.Equal(t, before+1, f.count(`select count(*) from notifications where audience = 'admin' and about_user_id is null`))
}

// An SMS that proves a payment is read before notices that were enqueued earlier are sent.
func TestAdminNotice_waits_for_payments(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	inserted := []river.JobArgs{jobs.AdminNotice{}, jobs.SavedPost{}, jobs.DepositNotice{}, jobs.ReceiverNotice{}, jobs.PhoneDelivery{}}
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		for _, args := range inserted {
			if _, err := f.jobs.InsertTx(t.Context(), tx, args, nil); err != nil {
				return err
			}
		}
		return nil
	}))
	dependencies := f.dependencies()
	dependencies.Queues, dependencies.Config.Queues = []string{jobs.QueueNotify}, config.Queues{jobs.QueueNotify: 1}
	client, err := Assemble(dependencies)
	require.NoError(t, err)
	ran, unsubscribe := client.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled)
	defer unsubscribe()
	f.startClient(client)
	first := (<-ran).Job
	for range inserted[1:] { // which are reported in any order
		if job := (<-ran).Job; job.AttemptedAt.Before(*first.AttemptedAt) {
			first = job
		}
	}
	require.Equal(t, jobs.PhoneDelivery{}.Kind(), first.Kind)
}

// No email is sent to an unverified address, so the notification does not mention one but asks the
// owner to verify the address.
func TestRequestWithdraw_unverified_email(t *testing.T) {
	t.Parallel()
	f := newWithdrawalFixture(t)
	f.set("is_verified", false)
	f.withdrawal(f.owner, 40_00)
	text, _ := f.told(f.owner)
	require.Contains(t, text, "Verify your email address, and we email you a link that confirms it.")
	f.set("is_verified", true)
	f.withdrawal(f.owner, 30_00)
	text, _ = f.told(f.owner)
	require.Contains(t, text, "You can confirm it right away with the link in your email.")
}

// recordSpans records all spans until the test ends.
func recordSpans(t *testing.T) *tracetest.InMemoryExporter {
	t.Helper()
	recorded := tracetest.NewInMemoryExporter()
	tracing.Use(sdktrace.NewTracerProvider(sdktrace.WithSyncer(recorded)))
	t.Cleanup(func() { tracing.Use(nil) })
	return recorded
}

// requested requests a payment in a call of its own and returns it with its job.
func (f *groupFixture) requested(requestID string) (payment, trace.SpanContext) {
	f.t.Helper()
	ctx, call := tracing.Start(tracing.WithRequestID(f.t.Context(), requestID), "call")
	defer call.End()
	op, err := f.deals.RequestPay(ctx, f.buyer, f.deal(f.buyer, f.seller, 1_00).ID, deals.AnyTerms, nil)
	require.NoError(f.t, err)
	var id int64
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `
		update river.river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = array['test']
		 where kind = 'deal_pay' and args @> jsonb_build_object('operation_id', $1::uuid) returning id`, op.ID).Scan(&id))
	row, err := f.client.JobGet(f.t.Context(), id)
	require.NoError(f.t, err)
	job := &river.Job[jobs.Settle]{JobRow: row, Args: jobs.Settle{Operation: jobs.KindDealPay, OperationID: op.ID}}
	return payment{op, job}, call.SpanContext()
}

// Operations that are settled in a group are each a part of the trace of their own call; the span
// of the group links to them, and they link to it.
//
//nolint:paralleltest // tracing is on or off for the whole process
func TestTrace_group(t *testing.T) {
	f := newGroupFixture(t)
	spans := recordSpans(t)
	const members = 3
	list, calls := make([]payment, members), make([]trace.SpanContext, members)
	for i := range list {
		list[i], calls[i] = f.requested(fmt.Sprintf("request-%d", i))
	}
	for _, err := range f.workTogether(list) {
		require.NoError(t, err)
	}

	var group tracetest.SpanStub
	settled, posted := map[trace.TraceID]tracetest.SpanStub{}, map[trace.TraceID]tracetest.SpanStub{}
	for _, span := range spans.GetSpans() {
		switch span.Name {
		case "settle group":
			group = span
		case "settle deal_pay":
			settled[span.SpanContext.TraceID()] = span
		case "post deal_pay":
			posted[span.SpanContext.TraceID()] = span
		}
	}
	require.Len(t, group.Links, members)
	require.False(t, group.Parent.IsValid(), "a trace of its own")
	for i, call := range calls {
		id := call.TraceID()
		require.Equal(t, settled[id].SpanContext.SpanID(), posted[id].Parent.SpanID())
		require.Len(t, settled[id].Links, 1)
		require.Equal(t, group.SpanContext.SpanID(), settled[id].Links[0].SpanContext.SpanID())
		linked := map[trace.TraceID]bool{}
		for _, link := range group.Links {
			linked[link.SpanContext.TraceID()] = true
		}
		require.True(t, linked[id])
		op := f.status(list[i].op)
		require.NotNil(t, op.RequestID)
		require.Equal(t, fmt.Sprintf("request-%d", i), *op.RequestID)
	}
}

// An operation whose job is lost gets another one with the same request id.
func TestSweep_keeps_request_id(t *testing.T) {
	t.Parallel()
	f := newGroupFixture(t)
	p, _ := f.requested("request-lost")
	_, err := f.db.Owner().Exec(t.Context(), `delete from river.river_job where id = $1`, p.job.ID)
	require.NoError(t, err)
	require.Equal(t, 1, f.sweep())
	var id string
	require.NoError(t, f.db.Owner().QueryRow(t.Context(), `
		select metadata ->> 'request_id' from river.river_job
		 where kind = 'deal_pay' and args @> jsonb_build_object('operation_id', $1::uuid)`, p.op.ID).Scan(&id))
	require.Equal(t, "request-lost", id)
}

// moderators returns the service with the API's database role.
func (f *fixture) moderators() *moderation.Service {
	events := &realtime.Log{Clock: f.clock, Publish: direct{f.waiter, f.queues}}
	notices := &notifications.Service{DB: f.db.API(), Clock: f.clock, Events: events}
	people := accounts.New(accounts.Options{
		DB: f.db.API(), Clock: f.clock, Jobs: f.jobs, Notices: notices, Worklists: events, Deals: f.deals,
	})
	return &moderation.Service{
		DB: f.db.API(), Clock: f.clock, Events: events, Notices: notices, Jobs: f.jobs, Accounts: people, Links: people,
		Posts:   &posts.Service{DB: f.db.API(), Clock: f.clock},
		Reviews: &reviews.Service{DB: f.db.API(), Clock: f.clock, Notices: notices},
	}
}

// decisionLetter waits for the email with a subject that begins with the text.
func (f *fixture) decisionLetter(subject string) (mail localstack.Mail) {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		mails := f.mails.Mails()
		i := slices.IndexFunc(mails, func(m localstack.Mail) bool { return strings.HasPrefix(m.Subject, subject) })
		if i >= 0 {
			mail = mails[i]
		}
		return i >= 0
	}, 10*time.Second, 10*time.Millisecond, subject)
	return mail
}

// decided reports and decides about a user and returns the decision.
func (f *fixture) decided(service *moderation.Service, admin, accused uuid.UUID, ruling moderation.Ruling) moderation.Case {
	f.t.Helper()
	draft := moderation.Draft{Subject: moderation.Person, SubjectID: accused, Reason: "scam"}
	_, err := service.Report(f.t.Context(), f.user("reporter-"+uuid.NewString()[:8]), draft, nil)
	require.NoError(f.t, err)
	var id uuid.UUID
	require.NoError(f.t, f.db.Owner().QueryRow(f.t.Context(), `select id from moderation_cases where decided_at is null`).Scan(&id))
	decision, err := service.Decide(f.t.Context(), admin, id, ruling, nil)
	require.NoError(f.t, err)
	return decision
}

// A suspended user is told why by email, appeals with its link, and is let in when the suspension
// has run out.
func TestDecisionMail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	accused, admin := f.user("tanvir"), f.admin("admin")
	service := f.moderators()
	decision := f.decided(service, admin, accused, moderation.Ruling{Action: moderation.Suspend, Reason: "A scam", Days: 2})
	mail := f.decisionLetter("Your account is suspended until ")
	require.Contains(t, mail.Text, "The reason: A scam")
	require.Contains(t, mail.Text, "It works for 14 days")
	_, rest, found := strings.Cut(mail.Text, "http://amanat.test/appeal#token=")
	require.True(t, found, mail.Text)
	token := strings.Fields(rest)[0]
	opened, err := service.OpenLink(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, decision.ID, opened.ID)

	f.clock.Advance(2 * 24 * time.Hour)
	require.Equal(t, rivertype.JobStateCompleted, f.work(jobs.SuspensionsEnd).State)
	require.Contains(t, f.decisionLetter("Your account is active again").Text, "You can log in again.")
	_, err = service.AppealByLink(t.Context(), token, "It was not me")
	require.NoError(t, err, "also after the suspension")
	_, err = service.OpenLink(t.Context(), token)
	require.Error(t, err, "until the appeal is sent")
}

// The link stops working with the time for appeals, and an email that is sent later has none.
func TestDecisionMail_too_late(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	accused, admin := f.user("tanvir"), f.admin("admin")
	service := f.moderators()
	decision := f.decided(service, admin, accused, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
	_, rest, _ := strings.Cut(f.decisionLetter("Amanat has warned you").Text, "#token=")
	f.clock.Advance(14 * 24 * time.Hour)
	_, err := service.OpenLink(t.Context(), strings.Fields(rest)[0])
	require.Error(t, err)
	f.work(jobs.Mail{SubjectID: decision.ID, MailKind: string(catalog.MailWarned)})
	mails := f.mails.Mails()
	require.Len(t, mails, 2)
	late := slices.IndexFunc(mails, func(m localstack.Mail) bool { return !strings.Contains(m.Text, "#token=") })
	require.Contains(t, mails[late].Text, "http://amanat.test/decisions/"+decision.ID.String())
}

// The emails about an appeal have the admin's answer.
func TestDecisionMail_appeals(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	accused, admin, another := f.user("tanvir"), f.admin("admin"), f.admin("sadia")
	service := f.moderators()
	for subject, overturn := range map[string]bool{
		"Your appeal: we have withdrawn the decision": true, "Your appeal: the decision stays as it is": false,
	} {
		decision := f.decided(service, admin, accused, moderation.Ruling{Action: moderation.Warn, Reason: "Be polite"})
		_, err := service.Appeal(t.Context(), accused, decision.ID, "It is wrong", nil)
		require.NoError(t, err)
		answer := moderation.AppealRuling{Overturn: overturn, Answer: "We have read all of it"}
		_, err = service.DecideAppeal(t.Context(), another, decision.ID, answer, nil)
		require.NoError(t, err)
		require.Contains(t, f.decisionLetter(subject).Text, "We have read all of it")
	}
}
