package api_test

import (
	"fmt"
	"image/color"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/queue/jobs"
)

// world is a site in which a buyer and a seller have done business with each other, an admin works, and a stranger has come.
type world struct {
	*site
	people      map[string]*browser
	talk        uuid.UUID
	closed      api.DealDetail // a completed deal, the last that was made
	open        api.DealDetail // an active deal, the same
	secrets     []string       // what only the two and admins may see
	transaction string         // the id of the last deposit, which nobody else is told
	withdrawals []string       // of the buyer, that may be pending
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	s, boss, buyer, seller := market(tb)
	w := &world{site: s, people: map[string]*browser{
		"anonymous": s.visitor(), "stranger": s.member("stranger"), "buyer": buyer, "seller": seller, "admin": boss,
	}}
	seller.fund(boss, 500)
	const words = "between the two of us"
	w.talk = buyer.opens(seller, fields{"text": words}).Conversation.ID
	active, deposit, withdrawal := w.active(), w.deposit(), w.withdrawal()
	buyer.support(w.open, words).want(http.StatusCreated)
	w.closed = buyer.trade(seller, 1)
	w.secrets = []string{
		active, deposit, withdrawal, w.talk.String(), w.closed.ID.String(), words, w.transaction, "buyer@example.com", "seller@example.com",
		w.id("select id from messages limit 1"), w.notification(), w.session(), w.operation(), w.id("select id from support_requests"),
	}
	return w
}

func (w *world) signIn(caller string) {
	b := w.people[caller]
	if b.user.ID != uuid.Nil {
		b.post("/auth/login", fields{"username": b.user.Username, "password": password}).want(200)
	}
}

// id returns the id that a query finds.
func (w *world) id(query string, arguments ...any) string {
	w.t.Helper()
	var id uuid.UUID
	require.NoError(w.t, w.owner.QueryRow(w.t.Context(), query, arguments...).Scan(&id))
	return id.String()
}

func (w *world) buyer() *browser  { return w.people["buyer"] }
func (w *world) seller() *browser { return w.people["seller"] }

// The following make what calls are about.

func (w *world) proposed() string { return w.seller().proposeToBuyer(w.buyer(), 1).ID.String() }

// offered is a deal that waits for the seller to accept it.
func (w *world) offered() string { return w.buyer().propose(w.seller(), 1).ID.String() }

func (w *world) active() string {
	w.open = w.buyer().active(w.seller(), 1)
	return w.open.ID.String()
}

func (w *world) delivered() string {
	id := w.active()
	w.seller().acts("deliver", w.open, "Seller has delivered the deal", "Delivered")
	return id
}

func (w *world) requested() string {
	id := w.active()
	w.buyer().acts("cancel", w.open, "Cancellation request sent", "Active")
	return id
}

func (w *world) completed() string {
	w.closed = w.buyer().trade(w.seller(), 1)
	return w.closed.ID.String()
}

func (w *world) deposit() string {
	var submitted api.DepositSubmitted
	w.transaction = strings.ToUpper(transactionID())
	w.buyer().post("/auth/deposit", fields{"amount": 1, "transactionId": w.transaction, "paymentMethod": "Bkash"}).want(201).into(&submitted)
	return submitted.Deposit.ID.String()
}

func (w *world) withdrawal() string {
	if len(w.withdrawals) == w.config.MaxPendingWithdrawals { // the oldest makes room
		w.people["admin"].post("/admin/withdrawals/"+w.withdrawals[0]+"/reject", nil)
		w.withdrawals = w.withdrawals[1:]
	}
	var submitted api.WithdrawalSubmitted
	w.buyer().post("/withdraw", fields{"amount": 1, "phonenumber": "01712345678", "paymentMethod": "Bkash"}).want(201).into(&submitted)
	w.withdrawals = append(w.withdrawals, submitted.Withdrawal.ID.String())
	return submitted.Withdrawal.ID.String()
}

func (w *world) supportRequest() string {
	w.active()
	w.buyer().support(w.open, "Help").want(201)
	return w.id("select id from support_requests where deal_id = $1", w.open.ID)
}

func (w *world) notification() string {
	return w.id("select id from notifications where user_id = $1 limit 1", w.buyer().user.ID)
}

func (w *world) operation() string {
	return w.id("select id from operations where actor_id = $1 limit 1", w.buyer().user.ID)
}

// session is that of another browser of the buyer.
func (w *world) session() string {
	w.visitor().post("/auth/login", fields{"username": "buyer", "password": password}).want(200)
	return w.id("select id from sessions where user_id = $1 order by created_at desc limit 1", w.buyer().user.ID)
}

func (w *world) post() string         { return w.seller().publish(nil).ID.String() }
func (w *world) conversation() string { return w.talk.String() }

func (w *world) image(conversation *uuid.UUID) string {
	address := w.saveImage(w.buyer().user.ID, conversation, pictureURL(w.t, color.White, 10, 10))
	return strings.TrimPrefix(address, "/images/")
}

func (w *world) publicImage() string  { return w.image(nil) }
func (w *world) privateImage() string { return w.image(&w.talk) }

func (w *world) username() string { return "seller" }

// target is a user whom nobody needs.
func (w *world) target() string {
	return w.member("target-" + uuid.NewString()[:8]).user.ID.String()
}

func (w *world) theTwo() string {
	return w.buyer().user.ID.String() + "/" + w.seller().user.ID.String()
}

// requireQuiet waits until workers have done what is to be done at once: those who are told of something may be told a moment later.
func (w *world) requireQuiet() {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		var busy int
		err := w.owner.QueryRow(w.t.Context(), `
			select count(*) from river.river_job where queue = any($1) and state in ('available', 'running')`,
			[]string{jobs.QueueMoney, jobs.QueueNotify}).Scan(&busy)
		return err == nil && busy == 0
	}, 10*time.Second, 10*time.Millisecond)
}

// contents sums up all that is kept, but for when sessions were seen and what periodic jobs keep for themselves.
func (w *world) contents() map[string]string {
	w.t.Helper()
	rows, err := w.owner.Query(w.t.Context(), `
		select format('%I.%I', schemaname, tablename) from pg_tables
		where schemaname in ('public', 'ledger') and tablename not like 'river%' and tablename not in ('rollups', 'books_checks')`)
	require.NoError(w.t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err)
	require.Subset(w.t, tables, []string{"public.deals", "public.sessions"})
	contents := map[string]string{}
	for _, table := range tables {
		var sum string
		kept := "row::text"
		if table == "public.sessions" {
			kept = "(to_jsonb(row) - 'last_seen_at')::text"
		}
		query := fmt.Sprintf("select coalesce(md5(string_agg(%[1]s, ' ' order by %[1]s)), '') from %[2]s row", kept, table)
		require.NoError(w.t, w.owner.QueryRow(w.t.Context(), query).Scan(&sum))
		contents[table] = sum
	}
	return contents
}

// requireDiscreet requires that strangers are told nothing of what is between the others.
func (w *world) requireDiscreet(e entry, caller string, r reply) {
	w.t.Helper()
	if caller != "anonymous" && caller != "stranger" {
		return
	}
	for _, secret := range w.secrets {
		require.NotContains(w.t, string(r.body), secret, "%s as %s", e.call, caller)
	}
}
