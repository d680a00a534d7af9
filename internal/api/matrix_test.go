package api_test

import (
	_ "embed"
	"fmt"
	"image/color"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/queue/jobs"
)

// callers try every call. The buyer and the seller are the parties of all fixtures; the stranger
// is a party of none.
var callers = []string{"anonymous", "stranger", "buyer", "seller", "admin"}

// public lists the calls that need no session (docs/rules.md#access). Images of conversations do
// need one: see matrix.
var public = []string{
	"POST /auth/signup", "POST /auth/login", "POST /auth/login/code", "POST /auth/login/passkey/options", "POST /auth/login/passkey",
	"POST /auth/passkey/options", "POST /auth/passkey", "POST /auth/logout", "POST /auth/forgot-password", "POST /auth/reset-password",
	"POST /auth/verify-email", "POST /auth/email/confirm", "POST /auth/email/undo", "POST /auth/confirm-withdrawal",
	"POST /auth/stop-withdrawal", "POST /auth/remove-factor", "POST /appeals/open", "POST /appeals",
	"POST /auth/bug-report", "GET /auth/profile/{username}", "GET /public/public-stats", "GET /public/chat-warnings", "GET /public/pauses",
	"GET /posts/public", "POST /posts/{id}/seen",
	"GET /posts/{id}", "GET /posts/user/{username}", "GET /reviews", "GET /exchange-rate", "POST /contact", "GET /images/{id}",
	"GET /wallet/limits", "GET /images/{id}/card", "GET /openapi.json", "GET /docs", "GET /invites/{code}", "GET /held/{code}",
	"GET /check/{code}", "POST /phones/{phone}", "POST /ipn/bkash",
	// Mail clients have no session: the token in the email authorizes the call (RFC 8058).
	"GET /mail/unsubscribe", "POST /mail/unsubscribe",
}

// entry says who may make a call. The other callers get the status of docs/rules.md#access: 401
// without a session, 404 as a stranger, 403 in the wrong role and, below /admin, if not an admin.
type entry struct {
	call string
	// about creates the resource and returns the value of the path's {…}; nil if the path has none.
	about func(*matrixFixture) string
	// body returns the body that every caller sends; nil sends broken JSON except with GET.
	body    func(*matrixFixture) any
	query   func(*matrixFixture) string
	parties string // callers that can see the resource; "" is all
	allowed string // callers that may make the call; "" is all parties
	answer  int    // to allowed callers; 0 is 200 for a GET and 400, for the broken JSON, otherwise
	// except overrides the status by caller; why gives the reason.
	except map[string]int
	why    string
}

func (e entry) method() string { return strings.Fields(e.call)[0] }

func (e entry) forAdmins() bool { return strings.HasPrefix(strings.Fields(e.call)[1], "/admin/") }

// expected returns the status that a caller gets.
func (e entry) expected(caller string) int {
	among := func(names string) bool { return names == "" || slices.Contains(strings.Fields(names), caller) }
	status, excepted := e.except[caller]
	switch {
	case excepted:
		return status
	case caller == "anonymous" && !slices.Contains(public, e.call):
		return http.StatusUnauthorized
	case e.forAdmins() && caller != "admin":
		return http.StatusForbidden
	case !among(e.parties):
		return http.StatusNotFound
	case !among(e.allowed):
		return http.StatusForbidden
	case e.answer != 0:
		return e.answer
	case e.method() == http.MethodGet:
		return http.StatusOK
	}
	return http.StatusBadRequest
}

// lets reports whether the caller is allowed.
func (e entry) lets(caller string) bool {
	status := e.expected(caller)
	_, excepted := e.except[caller]
	return status < 400 || status == http.StatusBadRequest && !excepted
}

var parameters = regexp.MustCompile(`\{.*\}`)

// try makes the call as caller, with about in the path.
func (e entry) try(f *matrixFixture, caller, about string) reply {
	path := parameters.ReplaceAllLiteralString(strings.Fields(e.call)[1], about)
	if e.query != nil {
		path += e.query(f)
	}
	var body any
	if e.body != nil {
		body = e.body(f)
	} else if e.method() != http.MethodGet {
		body = "{"
	}
	return f.people[caller].do(e.method(), path, body)
}

func (e entry) make(f *matrixFixture) string {
	if e.about == nil {
		return ""
	}
	return e.about(f)
}

// matrix has every call, several times where access depends on the resource.
var matrix = slices.Concat(
	aboutDeal, aboutCounteroffers, aboutDisputes, aboutLinks, aboutDeals, aboutMessages, aboutAccounts, aboutPosts, forAdmins)

func TestAccessMatrix_covers_routes(t *testing.T) {
	t.Parallel()
	var calls []string
	for _, e := range matrix {
		calls = append(calls, e.call)
		require.Equal(t, len(e.except) > 0, e.why != "", e.call)
	}
	routes := api.Routes(t)
	require.Subset(t, calls, routes, "a route without an entry")
	require.Subset(t, routes, calls, "an entry without a route")
	require.Subset(t, routes, public)
}

// Refused calls reveal nothing and change nothing.
func TestAccessMatrix_refuses(t *testing.T) {
	t.Parallel()
	f := newMatrixFixture(t)
	for _, e := range matrix {
		about := e.make(f)
		f.requireQuiet()
		before := f.contents()
		for _, caller := range callers {
			if e.lets(caller) {
				continue
			}
			reply := e.try(f, caller, about)
			require.Equal(t, e.expected(caller), reply.status, "%s as %s: %s", e.call, caller, reply.body)
			f.requireDiscreet(e, caller, reply)
		}
		require.Equal(t, before, f.contents(), "%s changed something for somebody whom it refused", e.call)
	}
}

// Allowed callers succeed, each on a resource of its own, and strangers see no data of the parties.
func TestAccessMatrix_allows(t *testing.T) {
	t.Parallel()
	f := newMatrixFixture(t)
	for _, e := range matrix {
		for _, caller := range callers {
			if !e.lets(caller) {
				continue
			}
			reply := e.try(f, caller, e.make(f))
			require.Equal(t, e.expected(caller), reply.status, "%s as %s: %s", e.call, caller, reply.body)
			f.requireDiscreet(e, caller, reply)
			if e.call == "POST /auth/logout" {
				f.signIn(caller)
			}
		}
	}
}

//go:embed testdata/spec-calls.md
var specCalls string

func TestRouter_covers_specification(t *testing.T) {
	t.Parallel()
	plain := func(call string) string { return regexp.MustCompile(`\{\w+\}`).ReplaceAllLiteralString(call, "{}") }
	var routes []string
	for _, route := range api.Routes(t) {
		routes = append(routes, plain(route))
	}
	found := 0
	row := regexp.MustCompile(`(?m)^\| (GET|POST|PUT|PATCH|DELETE) ([^|]+) \|`)
	for _, cells := range row.FindAllStringSubmatch(specCalls, -1) {
		for _, path := range regexp.MustCompile(`/[\w/{}-]+`).FindAllString(cells[2], -1) {
			require.Contains(t, routes, plain(cells[1]+" "+path))
			found++
		}
	}
	require.Equal(t, 72, found)
}

// matrixFixture is a fixture with a buyer and a seller who share deals and a conversation, an admin
// and a stranger.
type matrixFixture struct {
	*fixture
	people      map[string]*browser
	talk        uuid.UUID
	closed      api.DealDetail // the last completed deal
	open        api.DealDetail // the last active deal
	secrets     []string       // texts that only the parties and admins may see
	transaction string         // transaction ID of the last deposit, also secret
	withdrawals []string       // of the buyer, possibly pending
}

func newMatrixFixture(tb testing.TB) *matrixFixture {
	tb.Helper()
	base, boss, buyer, seller := newFixtureWithUsers(tb)
	f := &matrixFixture{fixture: base, people: map[string]*browser{
		"anonymous": base.visitor(), "stranger": base.member("stranger"), "buyer": buyer, "seller": seller, "admin": boss,
	}}
	seller.fund(boss, 500)
	const words = "between the two of us"
	f.talk = buyer.opens(seller, fields{"text": words}).Conversation.ID
	active, deposit, withdrawal := f.active(), f.deposit(), f.withdrawal()
	buyer.support(f.open, words).want(http.StatusCreated)
	f.closed = buyer.trade(seller, 1)
	f.secrets = []string{
		active, deposit, withdrawal, f.talk.String(), f.closed.ID.String(), words, f.transaction, "buyer@example.com", "seller@example.com",
		f.id("select id from messages limit 1"), f.notification(), f.session(), f.operation(), f.id("select id from support_requests"),
	}
	return f
}

func (f *matrixFixture) signIn(caller string) {
	b := f.people[caller]
	if b.user.ID != uuid.Nil {
		b.post("/auth/login", fields{"username": b.user.Username, "password": password}).want(200)
	}
}

// id returns the ID that a query selects.
func (f *matrixFixture) id(query string, arguments ...any) string {
	f.t.Helper()
	var id uuid.UUID
	require.NoError(f.t, f.owner.QueryRow(f.t.Context(), query, arguments...).Scan(&id))
	return id.String()
}

// proved makes everybody's sessions those of their owners.
func (f *matrixFixture) proved() string {
	f.t.Helper()
	_, err := f.owner.Exec(f.t.Context(), `
		with verified as (update users set is_verified = true) update sessions set mail_confirmed_at = $1`, f.clock.Now())
	require.NoError(f.t, err)
	return ""
}

func (f *matrixFixture) buyer() *browser  { return f.people["buyer"] }
func (f *matrixFixture) seller() *browser { return f.people["seller"] }

// The following methods create the resources of the calls.

func (f *matrixFixture) proposed() string { return f.seller().proposeToBuyer(f.buyer(), 1).ID.String() }

// invite makes a link to a deal and returns its code.
func (f *matrixFixture) invite() string { return f.seller().invites(fields{}).Code }

// proof switches on the public page of a deal and returns its code.
func (f *matrixFixture) proof() string {
	f.t.Helper()
	var shown api.DealProof
	f.buyer().do(http.MethodPut, "/deals/"+f.active()+"/proof", fields{"shown": true}).want(200).into(&shown)
	return *shown.Code
}

// printed pays a deal and returns the code of its receipt.
func (f *matrixFixture) printed() string {
	f.t.Helper()
	return f.buyer().paper("/deals/" + f.active() + "/receipt").Code
}

// offered creates a deal that the seller has not accepted.
func (f *matrixFixture) offered() string { return f.buyer().propose(f.seller(), 1).ID.String() }

// active makes a paid deal, also after the buyer has stopped what leaves the account.
func (f *matrixFixture) active() string {
	f.t.Helper()
	_, err := f.owner.Exec(f.t.Context(), "update users set withdrawals_stopped_at = null where withdrawals_stopped_at is not null")
	require.NoError(f.t, err)
	f.open = f.buyer().active(f.seller(), 1)
	return f.open.ID.String()
}

func (f *matrixFixture) delivered() string {
	id := f.active()
	f.seller().acts("deliver", f.open, "Seller has delivered the deal", "Delivered")
	return id
}

func (f *matrixFixture) shipped() string {
	id := f.active()
	f.seller().post(act("deliver", f.open), fields{"courier": "Pathao"}).want(200)
	return id
}

func (f *matrixFixture) requested() string {
	id := f.active()
	f.buyer().acts("cancel", f.open, "Cancellation request sent", "Active")
	return id
}

func (f *matrixFixture) completed() string {
	f.closed = f.buyer().trade(f.seller(), 1)
	return f.closed.ID.String()
}

func (f *matrixFixture) deposit() string {
	var submitted api.DepositSubmitted
	f.transaction = strings.ToUpper(transactionID())
	f.buyer().post("/auth/deposit", fields{"amount": 1, "transactionId": f.transaction, "paymentMethod": "Bkash"}).want(201).into(&submitted)
	return submitted.Deposit.ID.String()
}

// checkout stores a payment of the buyer on a page of bKash.
func (f *matrixFixture) checkout() string {
	return f.id(`insert into checkouts (id, user_id, payment_method, amount, rate, converted_amount, created_at)
		values (gen_random_uuid(), $1, 'Bkash', 100, 123, 12300, now()) returning id`, f.buyer().user.ID)
}

func (f *matrixFixture) withdrawal() string {
	if len(f.withdrawals) == f.config.Limits.MaxPendingWithdrawals { // the oldest makes room
		f.people["admin"].post("/admin/withdrawals/"+f.withdrawals[0]+"/reject", nil)
		f.withdrawals = f.withdrawals[1:]
	}
	var submitted api.WithdrawalSubmitted
	f.buyer().post("/withdraw", fields{"amount": 1, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	f.withdrawals = append(f.withdrawals, submitted.Withdrawal.ID.String())
	return submitted.Withdrawal.ID.String()
}

// correction stores a correction of the buyer's balance that an operator has proposed.
func (f *matrixFixture) correction() string {
	return f.id(`insert into corrections (id, user_id, amount, reason, proposed_at, expires_at)
		values (gen_random_uuid(), $1, 1, 'A check', now(), now() + interval '10 years') returning id`, f.buyer().user.ID)
}

// receiver stores an account that payments go to.
func (f *matrixFixture) receiver() string {
	return f.id(`insert into receivers (id, phone, sim, payment_method, heard_at, broken_at)
		values (gen_random_uuid(), gen_random_uuid(), 1, 'Bkash', now(), now()) returning id`)
}

// ownCorrection is correction that the admin has proposed.
func (f *matrixFixture) ownCorrection() string {
	return f.id(`update corrections set proposed_by = $2 where id = $1 returning id`, f.correction(), f.people["admin"].user.ID)
}

func (f *matrixFixture) supportRequest() string {
	f.active()
	f.buyer().support(f.open, "Help").want(201)
	return f.id("select id from support_requests where deal_id = $1", f.open.ID)
}

// reported creates a case about a new user, which the buyer has reported.
func (f *matrixFixture) reported() string {
	f.buyer().reportsUser(f.target()).want(201)
	return f.id("select id from moderation_cases where decided_at is null order by first_reported_at desc limit 1")
}

// decision creates a decision about the buyer.
func (f *matrixFixture) decision() string {
	id := f.buyer().user.ID
	f.people["stranger"].reportsUser(id.String()).want(201)
	caseID := f.id("select id from moderation_cases where accused_id = $1 and decided_at is null", id)
	f.people["admin"].post("/admin/reports/"+caseID+"/decide", fields{"action": "warn", "reason": "Be polite"}).want(200)
	return caseID
}

func (f *matrixFixture) notification() string {
	return f.id("select id from notifications where user_id = $1 limit 1", f.buyer().user.ID)
}

func (f *matrixFixture) operation() string {
	return f.id("select id from operations where actor_id = $1 limit 1", f.buyer().user.ID)
}

// session creates a session of the buyer in another browser.
func (f *matrixFixture) session() string {
	f.visitor().post("/auth/login", fields{"username": "buyer", "password": password}).want(200)
	return f.id("select id from sessions where user_id = $1 order by created_at desc limit 1", f.buyer().user.ID)
}

// passkey stores the only passkey of the buyer, without turning the second factor on.
func (f *matrixFixture) passkey() string {
	return f.id(`
		with former as (delete from passkeys where user_id = $1)
		insert into passkeys (id, user_id, credential_id, public_key, sign_count, backup_eligible, transports, name, created_at)
		values (gen_random_uuid(), $1, gen_random_uuid()::text::bytea, 'key', 0, false, '{}', 'Phone', now()) returning id`, f.buyer().user.ID)
}

func (f *matrixFixture) payoutNumber() string {
	return f.id(`
		with former as (delete from payout_numbers where user_id = $1)
		insert into payout_numbers (id, user_id, name, payment_method, phone_number, created_at)
		values (gen_random_uuid(), $1, 'Mine', 'Nagad', '018' || lpad((random() * 1e8)::int::text, 8, '0'), now()) returning id`,
		f.buyer().user.ID)
}

// savedSearch stores a search of the buyer.
func (f *matrixFixture) savedSearch() string {
	return f.id(`
		insert into saved_searches (id, user_id, search, category, subcategory, min_price, max_price, facts, frequency, created_at, patterns,
		                            key, facts_path)
		values (gen_random_uuid(), $1, '', '', '', 0, (random() * 1e8)::integer, '', 'daily', now(), '{}', '', '$') returning id`,
		f.buyer().user.ID)
}

// pushDevice stores a browser of the buyer that gets pushes.
func (f *matrixFixture) pushDevice() string {
	return f.id(`
		with former as (delete from push_subscriptions where user_id = $1)
		insert into push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, user_agent, created_at, renewed_at)
		values (gen_random_uuid(), $1, gen_random_uuid(), 'https://push.example/' || gen_random_uuid(), decode(repeat('04', 65), 'hex'),
		        decode(repeat('00', 16), 'hex'), '', now(), now()) returning id`,
		f.buyer().user.ID)
}

// export stores an archive of the buyer.
func (f *matrixFixture) export() string {
	return f.id(`
		with made as (
		  insert into data_exports (id, user_id, status, requested_at, ready_at, expires_at, size)
		  values (gen_random_uuid(), $1, 'ready', now(), now(), now() + interval '1 day', 4) returning id
		), part as (
		  insert into data_export_parts (export_id, number, data) select id, 0, 'PK..'::bytea from made
		)
		select id from made`, f.buyer().user.ID)
}

func (f *matrixFixture) post() string         { return f.seller().publish(nil).ID.String() }
func (f *matrixFixture) conversation() string { return f.talk.String() }

func (f *matrixFixture) image(conversation *uuid.UUID) string {
	address := f.saveImage(f.buyer().user.ID, conversation, pictureURL(f.t, color.White, 10, 10))
	return strings.TrimPrefix(address, "/images/")
}

func (f *matrixFixture) publicImage() string  { return f.image(nil) }
func (f *matrixFixture) privateImage() string { return f.image(&f.talk) }

// waitingPicture creates a picture that waits to be delivered with and returns its path below that
// of deals.
func (f *matrixFixture) waitingPicture() string {
	return f.active() + "/pictures/" + f.seller().shows(f.open).ID.String()
}

func (f *matrixFixture) waitingImage() string {
	f.active()
	return f.seller().shows(f.open).ID.String()
}

func (f *matrixFixture) deliveredImage() string {
	id := f.waitingImage()
	f.seller().post(act("deliver", f.open), fields{"pictures": []string{id}}).want(200)
	return id
}

// disputed creates a dispute that the buyer has opened.
func (f *matrixFixture) disputed() string { return f.buyer().disputed(f.seller(), 1).ID.String() }

// disputeOffer creates an offer of the seller and returns its path below that of disputes.
func (f *matrixFixture) disputeOffer() string {
	x := f.buyer().disputed(f.seller(), 1)
	return x.ID.String() + "/offers/" + f.seller().offersSplit(x, 0.4).ID.String()
}

// countered creates a counter-offer of the seller and returns its path below that of deals.
func (f *matrixFixture) countered() string {
	deal := f.buyer().propose(f.seller(), 1)
	return deal.ID.String() + "/counteroffers/" + f.seller().counters(deal, 2).Counteroffer.ID.String()
}

func (f *matrixFixture) decidedDispute() string {
	x := f.buyer().disputed(f.seller(), 1)
	f.people["admin"].rulesOn(x, 0.5).want(200)
	return x.ID.String()
}

// disputedImage creates a picture that is shown in a dispute.
func (f *matrixFixture) disputedImage() string {
	x := f.buyer().disputed(f.seller(), 1)
	id := f.buyer().evidence(x.Deal.ID).ID.String()
	f.buyer().post(dispute(x, "messages"), fields{"text": "See", "pictures": []string{id}}).want(200)
	return id
}

func (f *matrixFixture) username() string { return "seller" }

// target creates a user that no other test step uses.
func (f *matrixFixture) target() string {
	return f.member("target-" + uuid.NewString()[:8]).user.ID.String()
}

func (f *matrixFixture) theTwo() string {
	return f.buyer().user.ID.String() + "/" + f.seller().user.ID.String()
}

// requireQuiet waits until no job is available or running, as notifications are asynchronous.
func (f *matrixFixture) requireQuiet() {
	f.t.Helper()
	require.Eventually(f.t, func() bool {
		var busy int
		err := f.owner.QueryRow(f.t.Context(), `
			select count(*) from river.river_job where queue = any($1) and state in ('available', 'running')`,
			[]string{jobs.QueueMoney, jobs.QueueNotify}).Scan(&busy)
		return err == nil && busy == 0
	}, 10*time.Second, 10*time.Millisecond)
}

// contents returns a checksum of every table, without last_seen_at and the tables of periodic jobs
// and of the worker itself.
func (f *matrixFixture) contents() map[string]string {
	f.t.Helper()
	rows, err := f.owner.Query(f.t.Context(), `
		select format('%I.%I', schemaname, tablename) from pg_tables
		where schemaname in ('public', 'ledger') and tablename not like 'river%'
		  and tablename not in ('rollups', 'books_checks', 'books_checkpoints', 'due_pushes')`)
	require.NoError(f.t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(f.t, err)
	require.Subset(f.t, tables, []string{"public.deals", "public.sessions"})
	contents := map[string]string{}
	for _, table := range tables {
		var sum string
		kept := "row::text"
		if table == "public.sessions" {
			kept = "(to_jsonb(row) - 'last_seen_at')::text"
		}
		query := fmt.Sprintf("select coalesce(md5(string_agg(%[1]s, ' ' order by %[1]s)), '') from %[2]s row", kept, table)
		require.NoError(f.t, f.owner.QueryRow(f.t.Context(), query).Scan(&sum))
		contents[table] = sum
	}
	return contents
}

// requireDiscreet requires that a response to an outsider contains no secret.
func (f *matrixFixture) requireDiscreet(e entry, caller string, r reply) {
	f.t.Helper()
	if caller != "anonymous" && caller != "stranger" {
		return
	}
	for _, secret := range f.secrets {
		require.NotContains(f.t, string(r.body), secret, "%s as %s", e.call, caller)
	}
}
