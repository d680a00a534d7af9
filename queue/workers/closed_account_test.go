package workers

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/accounts"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/personal"
	"amanat/internal/domain/wallet"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
	"amanat/internal/testing/soak"
	"amanat/queue/jobs"
)

// rounds is how often closing an account races something else.
var rounds = soak.Rounds(4, 50)

// closer closes accounts as the api does.
type closer struct {
	*fixture
	accounts *accounts.Service
}

func newCloser(f *fixture) *closer {
	f.t.Helper()
	inserter, err := jobs.NewInserter(f.db.API(), f.dependencies().Logger)
	require.NoError(f.t, err)
	return &closer{f, accounts.New(accounts.Options{DB: f.db.API(), Clock: f.clock, Jobs: inserter})}
}

// close closes the account of a user whose name is the ID's.
func (c *closer) close(id uuid.UUID) error {
	name := "u" + id.String()
	return c.accounts.Close(c.t.Context(), accounts.User{ID: id, Username: name}, name)
}

func (c *closer) person() uuid.UUID {
	c.t.Helper()
	id := c.user(uuid.NewString())
	_, err := c.db.Owner().Exec(c.t.Context(), `update users set username = 'u' || id where id = $1`, id)
	require.NoError(c.t, err)
	return id
}

// races runs close beside another call, which may say when closing starts, and returns whether the
// account is closed. Whatever comes first, no closed account has or is owed money.
func (c *closer) races(id uuid.UUID, other func(start func())) (closed bool) {
	c.t.Helper()
	var both sync.WaitGroup
	started := make(chan struct{})
	start := sync.OnceFunc(func() { close(started) })
	both.Go(func() {
		defer start()
		other(start)
	})
	both.Go(func() {
		<-started
		err := c.close(id)
		closed = err == nil
		if err != nil && fault.CodeOf(err) != fault.Conflict {
			c.t.Errorf("close: %v", err)
		}
	})
	both.Wait()
	c.quiet()
	require.Equal(c.t, closed, c.count(`select count(*) from users where id = $1 and closed_at is not null`, id) == 1)
	if !closed {
		return false
	}
	require.Zero(c.t, c.balance(id))
	require.Zero(c.t, c.count(`
		select (select count(*) from deals where (buyer_id = $1 or seller_id = $1) and removed_at is null
		           and (status = 'Pending' or deal_is_open(status)))
		     + (select count(*) from deposits where user_id = $1 and status = 'pending')
		     + (select count(*) from withdrawals where user_id = $1 and status = 'pending')
		     + (select count(*) from referral_rewards where referrer_id = $1)`, id))
	return true
}

// moves requests a money operation, starts closing, and waits for the operation to be done.
func (c *closer) moves(request func() (operations.Operation, error), start func()) {
	op, err := request()
	start()
	if err == nil {
		op, err = c.waiter.Wait(c.t.Context(), op)
	}
	if err == nil {
		err = op.Err()
	}
	if err != nil {
		c.t.Errorf("move money: %v", err)
	}
}

// quiet waits until no operation is pending.
func (c *closer) quiet() {
	c.t.Helper()
	require.Eventually(c.t, func() bool { return c.count(`select count(*) from operations where status = 'pending'`) == 0 },
		20*time.Second, time.Millisecond)
}

func TestCloseAccount_races_with_new_deal(t *testing.T) {
	t.Parallel()
	c, closed := newCloser(newFixture(t)), 0
	buyer := c.person()
	for range rounds {
		seller := c.person()
		var made error
		if c.races(seller, func(start func()) {
			start()
			_, made = c.deals.Create(t.Context(), buyer,
				deals.Draft{
					BuyerID: &buyer, SellerID: &seller,
					Terms: deals.Terms{Price: 5_00, Description: "A channel", DeliveryDays: 7, InspectionDays: 3},
				}, nil)
		}) {
			closed++
			require.Contains(t, []fault.Code{"", fault.Invalid}, fault.CodeOf(made), "closing ends a deal that came first")
		} else {
			require.NoError(t, made)
		}
	}
	t.Logf("closed in %d of %d rounds", closed, rounds)
}

// A deal that is being paid or completed keeps both parties from closing, and then the money does.
func TestCloseAccount_races_with_payment(t *testing.T) {
	t.Parallel()
	c := newCloser(newFixture(t))
	c.start()
	admin := c.admin("admin")
	for range rounds {
		buyer, seller := c.person(), c.person()
		c.db.Fund(buyer, 5_00)
		d := c.deal(buyer, seller, 5_00)
		for _, request := range []func() (operations.Operation, error){
			func() (operations.Operation, error) {
				return c.deals.RequestPay(t.Context(), buyer, d.ID, deals.AnyTerms, nil)
			},
			func() (operations.Operation, error) { return c.deals.RequestComplete(t.Context(), buyer, d.ID, nil) },
		} {
			require.False(t, c.races(seller, func(start func()) { c.moves(request, start) }))
		}
		require.EqualValues(t, 4_90, c.balance(seller))
		require.NoError(t, c.close(buyer))
	}
	require.Zero(t, c.balance(admin))
	c.reconciled()
}

func TestCloseAccount_races_with_deposit(t *testing.T) {
	t.Parallel()
	c, closed := newCloser(newFixture(t)), 0
	c.start()
	admin := c.admin("admin")
	for range rounds {
		user := c.person()
		var reported wallet.Deposit
		var refused error
		if c.races(user, func(start func()) {
			start()
			reported, refused = c.wallet.ReportDeposit(t.Context(), user,
				wallet.Report{Amount: 5_00, TransactionID: uuid.NewString()[24:], Method: wallet.Bkash}, nil)
		}) {
			closed++
			require.Equal(t, fault.Unauthenticated, fault.CodeOf(refused))
			continue
		}
		require.NoError(t, refused)
		require.False(t, c.races(user, func(start func()) {
			c.moves(func() (operations.Operation, error) { return c.approve(admin, reported, 5_00, "") }, start)
		}), "the deposit, or the balance, comes first")
		require.EqualValues(t, 5_00, c.balance(user))
	}
	t.Logf("closed in %d of %d rounds", closed, rounds)
	c.reconciled()
}

// Those who have closed their account earn nothing: the fee stays whole.
func TestCloseAccount_races_with_reward(t *testing.T) {
	t.Parallel()
	c, closed := newCloser(newFixture(t)), 0
	c.start()
	for range rounds {
		buyer, seller, referrer := c.person(), c.person(), c.person()
		_, err := c.db.Owner().Exec(t.Context(), `update users set referred_by = $1 where id = $2`, referrer, buyer)
		require.NoError(t, err)
		c.db.Fund(buyer, 100_00)
		d := c.deal(buyer, seller, 100_00)
		c.settled(c.deals.RequestPay(t.Context(), buyer, d.ID, deals.AnyTerms, nil))
		reward := money.Cents(1_00)
		if c.races(referrer, func(start func()) {
			c.moves(func() (operations.Operation, error) { return c.deals.RequestComplete(t.Context(), buyer, d.ID, nil) }, start)
		}) {
			closed++
			reward = 0
		}
		require.Equal(t, reward, c.balance(referrer))
	}
	t.Logf("closed in %d of %d rounds", closed, rounds)
	c.reconciled()
}

// A delivery, the completion of the deal, and the end of the buyer's account at once: the delivery
// comes first, or is refused, and nothing that the buyer has said is left.
func TestCloseAccount_races_with_delivery(t *testing.T) {
	t.Parallel()
	c, closed, told := newCloser(newFixture(t)), 0, 0
	c.start()
	eraser := &personal.Eraser{DB: c.db.Worker(), Clock: c.clock}
	for round := range rounds {
		buyer, seller := c.person(), c.person()
		c.db.Fund(buyer, 5_00)
		d := c.deal(buyer, seller, 5_00)
		c.settled(c.deals.RequestPay(t.Context(), buyer, d.ID, deals.AnyTerms, nil))
		_, err := c.deals.Deliver(t.Context(), seller, d.ID, deals.Words{Text: "Here"})
		require.NoError(t, err)
		_, err = c.deals.ResetDelivery(t.Context(), buyer, d.ID, "Secret")
		require.NoError(t, err)
		var delivered error
		if c.races(buyer, func(start func()) {
			var running sync.WaitGroup
			deliver := func() { _, delivered = c.deals.Deliver(t.Context(), seller, d.ID, deals.Words{Text: "Again"}) }
			if round%2 == 0 {
				running.Go(deliver)
			}
			c.moves(func() (operations.Operation, error) { return c.deals.RequestComplete(t.Context(), buyer, d.ID, nil) }, func() {})
			if round%2 != 0 {
				running.Go(deliver)
			}
			start()
			running.Wait()
		}) {
			closed++
			require.NoError(t, eraser.Erase(t.Context(), buyer))
			require.Zero(t, c.count(`
				select (select count(*) from messages where sender_id = $1 and (text <> '' or deal_event_id is not null))
				     + (select count(*) from deal_events where actor_id = $1 and params ? 'note')
				     + (select count(*) from notifications where params ->> 'note' = 'Secret')`, buyer))
		}
		lines := c.count(`select count(*) from deal_events where deal_id = $1 and kind = 'line_delivered' and params ->> 'note' = 'Again'`, d.ID)
		require.Equal(t, lines, c.count(`select count(*) from messages where sender_id = $1 and text = 'Again'`, seller))
		if delivered == nil {
			told++
			require.Equal(t, 1, lines)
			continue
		}
		require.Equal(t, fault.Conflict, fault.CodeOf(delivered))
		require.Zero(t, lines)
	}
	t.Logf("closed %d times, delivered %d times in %d rounds", closed, told, rounds)
	c.reconciled()
}

// Of a message that is sent while the account is closed and erased nothing is left.
func TestCloseAccount_races_with_message(t *testing.T) {
	t.Parallel()
	c, closed := newCloser(newFixture(t)), 0
	events := &realtime.Log{Clock: c.clock, Publish: direct{c.waiter, c.queues}}
	talks := &chat.Service{DB: c.db.API(), Clock: c.clock, Events: events, Presence: nobody{}, Pushes: nobody{}}
	eraser := &personal.Eraser{DB: c.db.Worker(), Clock: c.clock}
	other, refused := c.person(), 0
	for range rounds {
		user := c.person()
		var sent error
		var erased sync.WaitGroup
		require.True(t, c.races(user, func(start func()) {
			start()
			erased.Go(func() {
				for range 5 {
					if err := eraser.Erase(t.Context(), user); err != nil {
						t.Errorf("erase: %v", err)
					}
				}
			})
			_, sent = talks.Start(t.Context(), user, chat.Opening{ReceiverID: &other, Draft: chat.Draft{Text: "Hello"}}, nil)
			erased.Wait()
		}))
		closed++
		require.NoError(t, eraser.Erase(t.Context(), user))
		require.Zero(t, c.count(`select count(*) from messages where sender_id = $1 and text <> ''`, user))
		if sent != nil {
			refused++
			require.Equal(t, fault.Unauthenticated, fault.CodeOf(sent))
		}
		_, err := talks.Start(t.Context(), user, chat.Opening{ReceiverID: &other, Draft: chat.Draft{Text: "Hello again"}}, nil)
		require.Equal(t, fault.Unauthenticated, fault.CodeOf(err))
	}
	t.Logf("refused %d of %d messages", refused, closed)
}

// nobody is online.
type nobody struct{}

func (nobody) PartnersChanged(...uuid.UUID)                              {}
func (nobody) PushMessage(*postgres.Tx, uuid.UUID, uuid.UUID, uuid.UUID) {}

// Closing waits for a transaction that is bringing money to the user, and then sees it.
func TestCloseAccount_waits_for_reward(t *testing.T) {
	t.Parallel()
	c := newCloser(newFixture(t))
	buyer, seller, referrer := c.person(), c.person(), c.person()
	d := c.deal(buyer, seller, 100_00)
	rewarding, err := c.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	_, err = rewarding.Exec(t.Context(), `
		insert into referral_rewards (id, deal_id, referred_id, referrer_id, amount, created_at)
		values (gen_random_uuid(), $1, $2, $3, 100, now())`, d.ID, buyer, referrer)
	require.NoError(t, err)
	closed := make(chan error)
	go func() { closed <- c.close(referrer) }()
	require.Eventually(t, func() bool {
		return c.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) == 1
	}, 20*time.Second, time.Millisecond)
	require.NoError(t, rewarding.Commit(t.Context()))
	require.ErrorContains(t, <-closed, "Withdraw your balance")
}

// Whoever has the api's login can close any account. What has money is not erased.
func TestErase_refuses_accounts_with_money(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.start()
	rich, admin := f.user("rich"), f.admin("boss")
	f.fund(rich, admin, 5_00)
	_, err := f.db.Owner().Exec(t.Context(), `update users set closed_at = now(), disabled_at = now() where id = $1`, rich)
	require.NoError(t, err)
	err = (&personal.Eraser{DB: f.db.Worker(), Clock: f.clock}).Erase(t.Context(), rich)
	require.ErrorContains(t, err, "the account has money")
	require.Zero(t, f.count(`select count(*) from users where erased_at is not null`))
}

// After an hour without workers many deadlines are due. Three workers sweep at once, twice, and
// again a day later. Everything happens once, and money moves a day after the warning.
func TestSweep_concurrent_after_outage(t *testing.T) {
	t.Parallel()
	f := newClockFixture(t)
	ctx := t.Context()
	ids := []uuid.UUID{f.id}
	for range 7 {
		ids = append(ids, f.paid())
	}
	var delivered []uuid.UUID
	for _, id := range ids[:4] {
		f.do(f.deals.Deliver(ctx, f.seller, id, deals.Words{}))
		delivered = append(delivered, id)
	}
	unpaid := f.deal(f.buyer, f.seller, price)
	f.clock.Advance(7*day - 30*time.Minute)
	f.clock.Advance(time.Hour) // without a sweep
	for round := range 4 {
		if round == 2 {
			require.Zero(t, f.count(`select count(*) from deals where status = 'Completed'`), "nobody was warned")
			require.Equal(t, 2*len(delivered), f.count(`select count(*) from notifications where kind = 'deal_completes_soon'`))
			f.clock.Advance(day)
		}
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if _, err := f.sweeper.Sweep(ctx); err != nil {
					t.Errorf("sweep: %v", err)
				}
			})
		}
		group.Wait()
	}
	require.Eventually(t, func() bool { return f.count(`select count(*) from operations where status = 'pending'`) == 0 },
		20*time.Second, 5*time.Millisecond)
	require.Equal(t, len(delivered), f.count(`select count(*) from deals where status = 'Completed'`))
	require.Equal(t, len(ids)-len(delivered), f.count(`select count(*) from deals where status = 'Late'`))
	require.Equal(t, 1, f.count(`select count(*) from deals where id = $1 and removed_at is not null`, unpaid.ID))
	require.Equal(t, len(delivered), f.count(`select count(*) from ledger.transfers where kind = 'deal_complete'`))
	require.Equal(t, 2*(len(ids)-len(delivered)), f.count(`select count(*) from notifications where kind = 'deal_late'`))
	require.Equal(t, 2, f.count(`select count(*) from notifications where kind = 'deal_expired'`))
	f.reconciled()
}

// All actors that can close a deal try at once. One succeeds, the others get a conflict.
func TestCloseDeal_concurrent(t *testing.T) {
	t.Parallel()
	rounds := soak.Rounds(4, 200)
	f := newClockFixture(t)
	ctx := t.Context()
	ids := []uuid.UUID{f.id}
	f.fund(f.buyer, f.admin, money.Cents(rounds)*price)
	for range rounds - 1 {
		ids = append(ids, f.paid())
	}
	f.clock.Advance(8*day + time.Minute)
	for _, id := range ids { // a request is open and the buyer may leave
		_, err := f.db.Owner().Exec(ctx, `
			update deals set cancellation_requested = true, cancellation_asked_at = $2, next_action = 'refund_unanswered', next_action_at = $2,
			       warned_at = $2::timestamptz - interval '1 day'
			 where id = $1`, id, f.clock.Now())
		require.NoError(t, err)
	}
	closed := map[deals.Reason]int{}
	for _, id := range ids {
		f.id = id
		attempts := []func() (operations.Operation, error){
			func() (operations.Operation, error) { return f.deals.RequestComplete(ctx, f.buyer, id, nil) },
			func() (operations.Operation, error) { return f.deals.RequestAcceptCancellation(ctx, f.seller, id, nil) },
			func() (operations.Operation, error) { return cancelOperation(f.deals.Cancel(ctx, f.seller, id, nil)) },
			func() (operations.Operation, error) { return cancelOperation(f.deals.Cancel(ctx, f.buyer, id, nil)) },
			func() (operations.Operation, error) { return f.deals.RequestForceComplete(ctx, f.admin, id, nil) },
			func() (operations.Operation, error) { return f.deals.RequestForceCancel(ctx, f.admin, id, nil) },
			func() (operations.Operation, error) {
				_, err := f.sweeper.Sweep(ctx)
				return operations.Operation{Status: operations.Rejected}, err
			},
		}
		var mu sync.Mutex
		winners := map[uuid.UUID]bool{}
		var group sync.WaitGroup
		for _, attempt := range attempts {
			group.Go(func() {
				op, err := attempt()
				if err == nil && op.Status == operations.Pending {
					op, err = f.waiter.Wait(ctx, op)
				}
				if err == nil && op.Status == operations.Rejected && op.ErrorCode != nil {
					err = op.Err()
				}
				if err != nil && fault.CodeOf(err) != fault.Conflict {
					t.Errorf("neither done nor a conflict: %v", err)
				}
				if err == nil && op.Status == operations.Done {
					mu.Lock()
					defer mu.Unlock()
					winners[op.ID] = true
				}
			})
		}
		group.Wait()
		require.Eventually(t, func() bool { return !f.now().Status.Open() }, 10*time.Second, time.Millisecond)
		require.LessOrEqual(t, len(winners), 1)
		closed[f.now().CloseReason]++
	}
	require.Equal(t, rounds, f.count(`select count(*) from ledger.transfers where key like 'deal:%:close'`))
	t.Logf("closed by: %v", closed)
	f.reconciled()
}

func cancelOperation(c deals.Cancellation, err error) (operations.Operation, error) {
	if c.Operation == nil {
		return operations.Operation{Status: operations.Rejected}, err
	}
	return *c.Operation, err
}
