package wallet

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

const sqlInsertDelivery = `
insert into phone_deliveries (id, phone, body, stamp, signature, received_at) values (@id, @phone, @body, @stamp, @signature, @now)`

func insertDelivery(ctx context.Context, tx *postgres.Tx, id uuid.UUID, d Delivery, now time.Time) error {
	return postgres.Command("wallet.insert_delivery", sqlInsertDelivery).Run(ctx, tx, postgres.Args{
		"id": id, "phone": d.Phone, "body": d.Body, "stamp": d.Stamp, "signature": d.Signature, "now": now,
	})
}

// takeDelivery deletes a delivery and returns it.
var takeDelivery = postgres.Query[Delivery]("wallet.take_delivery",
	`delete from phone_deliveries where id = @id returning phone, body, stamp, signature`)

// setHeard notes that a phone is alive.
var setHeard = postgres.Command("wallet.set_heard", `update receivers set heard_at = @now where phone = @phone`)

// A new account has no balance yet, so it is broken until an admin enters one.
const sqlLockReceiver = `
insert into receivers (id, phone, sim, payment_method, heard_at, broken_at)
values (@id, @phone, @sim, @method, @now, @now)
on conflict on constraint receivers_key do update set heard_at = excluded.heard_at
returning ` + sqlReceiverColumns

const sqlReceiverColumns = `id, phone, sim, payment_method as method, balance, heard_at, broken_at`

// lockReceiver returns the account of a method on a SIM, and lets no other SMS to it be read before
// the transaction ends.
func lockReceiver(ctx context.Context, tx *postgres.Tx, phone string, sim int16, method string, now time.Time) (Receiver, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Receiver{}, err
	}
	return postgres.Query[Receiver]("wallet.lock_receiver_of", sqlLockReceiver).One(ctx, tx, postgres.Args{
		"id": id, "phone": phone, "sim": sim, "method": method, "now": now,
	})
}

func getReceiver(ctx context.Context, q postgres.Querier, id uuid.UUID) (Receiver, error) {
	r, err := postgres.Query[Receiver]("wallet.get_receiver", `select `+sqlReceiverColumns+` from receivers where id = @id`).One(ctx, q,
		postgres.Args{"id": id})
	return r, postgres.IfNoRows(err, errNoReceiver())
}

var listReceivers = postgres.Query[Receiver]("wallet.list_receivers",
	`select `+sqlReceiverColumns+` from receivers order by phone, sim, payment_method`)

var automaticMethods = postgres.Query[string]("wallet.automatic_methods",
	`select distinct payment_method from receivers where broken_at is null and heard_at > @since order by payment_method`)

var sqlPaymentRows = `
  from payments p
  left join deposits d on d.payment_id = p.id and d.status = 'completed'
  left join withdrawals w on w.payment_id = p.id
 where case @show
         when 'unclaimed' then not p.outgoing and d.id is null and (p.state <> 'chained' or p.id in (select id from unbooked_payments))
         when 'left' then p.id in (select id from unbooked_payments where outgoing)
         when 'unread' then p.state = 'unread'
         else true end`

var sqlListPayments = `
select p.id, (select row(r.id, r.phone, r.sim, r.payment_method, r.balance, r.heard_at, r.broken_at)
                from receivers r where r.id = p.receiver_id) as receiver,
       case when d.id is not null then 'credited'
            when w.id is not null then 'sent'
            when p.state <> 'chained' then p.state
            when not exists (select from unbooked_payments b where b.id = p.id) then 'own'
            when p.outgoing then 'left'
            else 'unclaimed' end as state,
       p.forwarded_at, p.unread_text as text, p.outgoing, p.amount, p.party, p.made_at as at,
       (select ` + user.SQLRef("u") + ` from users u where u.id = coalesce(d.user_id, w.user_id)) as user` + sqlPaymentRows + `
 order by p.forwarded_at desc, p.id desc limit @limit offset @offset`

func listPayments(ctx context.Context, q postgres.Querier, query PaymentQuery, page postgres.Page) ([]ListedPayment, int, error) {
	args := postgres.Args{"show": string(query), "limit": page.Limit, "offset": page.Offset}
	list, err := postgres.Query[ListedPayment]("wallet.list_payments", sqlListPayments).Many(ctx, q, args)
	if err != nil {
		return nil, 0, err
	}
	total, err := postgres.Query[int]("wallet.count_payments", `select count(*)`+sqlPaymentRows).One(ctx, q, args)
	return list, total, err
}

const sqlInsertPayment = `
insert into payments (id, receiver_id, digest, text, state, forwarded_at, outgoing, amount, fee, balance, transaction_id, party,
                      reference, made_at)
values (@id, @receiver, @digest, @text, @state, @now, @outgoing, @amount, @fee, @balance, @transaction, @party, @reference, @at)
on conflict do nothing`

// insertPayment stores an SMS and what it states, and reports whether it is new.
func insertPayment(
	ctx context.Context, tx *postgres.Tx, id, receiver uuid.UUID, text string, s statement, understood bool, now time.Time,
) (bool, error) {
	digest := sha256.Sum256([]byte(text))
	args := postgres.Args{
		"id": id, "receiver": receiver, "digest": digest[:], "text": text, "state": PaymentUnread, "now": now, "outgoing": nil,
		"amount": nil, "fee": nil, "balance": nil, "transaction": nil, "party": nil, "reference": nil, "at": nil,
	}
	if understood {
		args["state"], args["outgoing"], args["amount"], args["fee"] = PaymentHeld, s.Outgoing, int64(s.Amount), int64(s.Fee)
		args["balance"], args["transaction"], args["party"] = int64(s.Balance), s.TransactionID, s.Party
		args["reference"], args["at"] = s.Reference, s.At
	}
	return postgres.Command("wallet.insert_payment", sqlInsertPayment).Any(ctx, tx, args)
}

// heldPayment is a movement that does not continue the balance of its account, so far.
type heldPayment struct {
	ID       uuid.UUID
	Outgoing bool
	Amount   money.Poisha
	Fee      money.Poisha
	Balance  money.Poisha
}

func (p heldPayment) statement() statement {
	return statement{Outgoing: p.Outgoing, Amount: p.Amount, Fee: p.Fee, Balance: p.Balance}
}

var listHeld = postgres.Query[heldPayment]("wallet.list_held",
	`select id, outgoing, amount, fee, balance from payments where receiver_id = @receiver and state = 'held' order by made_at, id`)

const sqlSetChained = `
with chained as (update payments set state = 'chained' where id = any (@chained::uuid[]))
update receivers set balance = @balance, broken_at = @broken where id = @id`

// setChained stores the balance of an account and whether it is broken, and believes the payments.
func setChained(ctx context.Context, tx *postgres.Tx, r Receiver, chained []uuid.UUID) error {
	return postgres.Command("wallet.set_chained", sqlSetChained).One(ctx, tx, postgres.Args{
		"id": r.ID, "balance": r.Balance, "broken": r.BrokenAt, "chained": chained,
	})
}

var ignoreHeld = postgres.Command("wallet.ignore_held",
	`update payments set state = 'ignored' where receiver_id = @receiver and state = 'held'`)

// withPayment returns the deposits that report one of the payments to the account, or any of all,
// and have not noted it yet or wait for it.
var withPayment = postgres.Query[uuid.UUID]("wallet.with_payment", `
select d.id from deposits d
  join payments p on p.transaction_id = d.transaction_id and not p.outgoing
 where (d.status = 'pending' or d.status = 'completed' and d.payment_id is null)
   and p.receiver_id = @receiver and p.state in ('held', 'chained')
   and (@all or p.id = any (@payments::uuid[]))
 order by d.id`)

const sqlFindPayment = `
select p.id, p.state, r.payment_method as method, p.outgoing, p.amount, p.transaction_id, p.party, p.made_at as at,
       r.broken_at is not null as broken, (select c.user_id from payment_codes c where c.code = ` + sqlCodeOf + `) as payer_id,
       null::record as checkout
  from payments p join receivers r on r.id = p.receiver_id
 where p.transaction_id = @transaction and not p.outgoing and not exists (select from checkouts c where c.transaction_id = @transaction)
union all
select c.id, 'paid', c.payment_method, false, c.paid_amount, c.transaction_id, c.payer, c.paid_at, false, null,
       row(c.user_id, c.converted_amount)
  from checkouts c where c.transaction_id = @transaction`

// sqlCodeOf is the code that the reference of a payment may be.
const sqlCodeOf = `upper(btrim(p.reference))`

// findPayment returns the payment to one of our accounts with the transaction ID: what the provider
// says of a checkout before what an SMS says. Only workers may read the IDs of SMS.
func findPayment(ctx context.Context, q postgres.Querier, transaction string) (Payment, bool, error) {
	return postgres.Query[Payment]("wallet.find_payment", sqlFindPayment).Find(ctx, q, postgres.Args{"transaction": transaction})
}

// sqlReceiverNumber is the number in an SMS about a payout, in the form of withdrawals.
const sqlReceiverNumber = `right(regexp_replace(p.party, '\D', '', 'g'), 11)`

const sqlSelectPayout = `
select p.id, p.state, r.payment_method as method, p.outgoing, p.amount, p.transaction_id, p.party, p.made_at as at,
       r.broken_at is not null as broken, null::uuid as payer_id, null::record as checkout, ` + sqlReceiverNumber + ` as number
  from payments p join receivers r on r.id = p.receiver_id
 where p.outgoing`

func getPayout(ctx context.Context, q postgres.Querier, id uuid.UUID) (payout, error) {
	p, err := postgres.Query[payout]("wallet.get_payout", sqlSelectPayout+` and p.id = @id`).One(ctx, q, postgres.Args{"id": id})
	return p, postgres.IfNoRows(err, errUnproven())
}

func findPayout(ctx context.Context, q postgres.Querier, transaction string) (payout, bool, error) {
	return postgres.Query[payout]("wallet.find_payout", sqlSelectPayout+` and p.transaction_id = @transaction`).Find(ctx, q,
		postgres.Args{"transaction": transaction})
}

// sqlPayouts joins payments that left our accounts, and that no withdrawal explains, with the
// withdrawals that they may have paid out: those booked with the transaction ID, and those without
// one that an admin has claimed, up to the time until when the admin may be sending the money.
const sqlPayouts = `
  from payments p
  join receivers r on r.id = p.receiver_id
  join withdrawals w on w.payment_method = r.payment_method and w.converted_amount = p.amount and w.phone_number = ` + sqlReceiverNumber + `
 where p.outgoing and p.state = 'chained' and w.status <> 'failed' and w.payment_id is null
   and not exists (select from withdrawals o where o.payment_id = p.id or o.transaction_id = p.transaction_id and o.id <> w.id)
   and (w.transaction_id = p.transaction_id
        or w.transaction_id is null and w.claimed_by is not null and p.made_at >= w.requested_at - interval '2 minutes'
           and p.made_at < coalesce(w.handled_at, w.claimed_until) + interval '10 minutes')`

// payoutMatch returns the withdrawal that a payment has paid out. Of several, which have the same
// number and amount, it is the one that was claimed first.
var payoutMatch = postgres.Query[uuid.UUID]("wallet.payout_match", `
select w.id`+sqlPayouts+` and p.id = @payment and (@withdrawal::uuid is null or w.id = @withdrawal)
 order by w.transaction_id is null, w.claimed_at, w.id limit 1`)

// matchOfWithdrawal returns the first payment that has paid out a withdrawal, other than @except.
var matchOfWithdrawal = postgres.Query[uuid.UUID]("wallet.match_of_withdrawal", `
select p.id`+sqlPayouts+` and w.id = @withdrawal and p.id is distinct from @except order by p.made_at, p.id limit 1`)

// releasePayout takes a payment from the withdrawal that it is noted for, if that was booked
// without a transaction ID.
var releasePayout = postgres.Query[uuid.UUID]("wallet.release_payout",
	`update withdrawals set payment_id = null where payment_id = @payment and transaction_id is null returning id`)

// setPayout notes the payment of a withdrawal that is booked.
var setPayout = postgres.Command("wallet.set_payout",
	`update withdrawals set payment_id = @payment where id = @id and status = 'completed' and payment_id is null`)

var isUnbooked = postgres.Query[bool]("wallet.is_unbooked", `select exists (select from unbooked_payments where id = @payment)`)

// unmatched returns those of the payments that have a user's code or have left the account, and all
// that may have paid out a withdrawal.
var unmatched = postgres.Query[uuid.UUID]("wallet.unmatched", `
select p.id from payments p
 where p.receiver_id = @receiver and p.state = 'chained'
   and (p.id = any (@payments::uuid[]) and (p.outgoing or exists (select from payment_codes c where c.code = `+sqlCodeOf+`))
        or @all and p.id in (select p.id`+sqlPayouts+` and p.receiver_id = @receiver))
 order by p.made_at, p.id`)

var isOutgoing = postgres.Query[bool]("wallet.is_outgoing", `select coalesce(outgoing, false) from payments where id = @payment`)

var listDrift = postgres.Query[Drift]("wallet.list_drift", `
select payment_method as method, unknown, works, balance, booked, opening, entered, unclaimed, sent, fees, other, held, unexplained
  from payment_drift() order by payment_method`)

// setEntered notes what the balance that an admin has entered leaves unexplained.
var setEntered = postgres.Command("wallet.set_entered", `
update receivers r
   set opening = coalesce(r.opening, d.unexplained), entered = r.entered + case when r.opening is null then 0 else d.unexplained end
  from payment_drift() d where r.id = @id and d.payment_method = r.payment_method`)

// shareReceiver lets no SMS to the account of a payment be read before the transaction ends.
var shareReceiver = postgres.Command("wallet.share_receiver", `
select from receivers where id in (select receiver_id from payments where transaction_id = @transaction) for share`)

// setPayment notes the payment that a deposit reports, unless it is noted.
var setPayment = postgres.Command("wallet.set_payment",
	`update deposits set payment_id = @payment where id = @id and payment_id is distinct from @payment`)

// depositorFacts is what decides whether a user's deposit is credited without an admin.
type depositorFacts struct {
	Stopped  bool
	Credited money.Cents // for SMS without an admin, since the time
}

var depositor = postgres.Query[depositorFacts]("wallet.depositor", `
select coalesce(u.disabled_at, u.closed_at) is not null as stopped,
       coalesce((select sum(d.amount) from deposits d
                  where d.user_id = u.id and d.status = 'completed' and d.handled_by is null and d.payment_id is not null
                    and d.handled_at > @since), 0)::bigint as credited
  from users u where u.id = @user`)

// anyReceiver reports whether phones forward SMS.
var anyReceiver = postgres.Query[bool]("wallet.any_receiver", `select exists (select from receivers)`)

// setAim returns a user's code, and notes what their payments are for and the numbers that they are
// shown.
var setAim = postgres.Query[string]("wallet.set_aim", `
update payment_codes set deal_id = @deal, deal_terms = nullif(@terms::bigint, 0), aimed_at = @now, receivers = @receivers
 where user_id = @user returning code`)

// insertPaymentCode inserts a code unless it is taken, the user has one, or the account is closed.
var insertPaymentCode = postgres.Command("wallet.insert_payment_code", `
insert into payment_codes (code, user_id, created_at)
select @code, u.id, @now from users u where u.id = @user and u.closed_at is null for key share
on conflict do nothing`)

// referred is a payment with a user's code.
type referred struct {
	UserID        uuid.UUID
	Method        string
	Amount        money.Poisha
	TransactionID string
	DealID        *uuid.UUID // that it is for
	Terms         int        // of the deal, which it pays; 0: it does not
	Receiver      string     // that the user was shown for the method; "": none, as the api does not say
}

// findReferred returns a believed payment with the code of a user who may have it.
var findReferred = postgres.Query[referred]("wallet.find_referred", `
select c.user_id, r.payment_method as method, p.amount, p.transaction_id,
       case when c.aimed_at > @since then c.deal_id end as deal_id,
       case when c.aimed_at > @since then coalesce(c.deal_terms, 0) else 0 end as terms,
       coalesce(substring(c.receivers->>r.payment_method from '^01[0-9]{9}$'), '') as receiver
  from payments p
  join receivers r on r.id = p.receiver_id
  join payment_codes c on c.code = `+sqlCodeOf+`
  join users u on u.id = c.user_id
 where p.id = @payment and p.state = 'chained' and not p.outgoing and u.disabled_at is null`)

// isClaimed reports whether a user has reported a payment, whatever became of that, or it is one of
// our payouts.
var isClaimed = postgres.Query[bool]("wallet.is_claimed", `
select exists (select from deposits where user_id = @user and transaction_id = @transaction)
    or exists (select from withdrawals where transaction_id = @transaction)`)

var setUnreported = postgres.Command("wallet.set_unreported", `update deposits set unreported = true where id = @id`)

// findUnreported returns the deposit that a worker has made of a user's payment.
var findUnreported = postgres.Query[uuid.UUID]("wallet.find_unreported", `
select id from deposits where user_id = @user and transaction_id = @transaction and unreported and status <> 'Failed'`)

var findDealPayment = postgres.Query[DealPayment]("wallet.find_deal_payment", `
select id as deposit_id, user_id, deal_id, deal_terms as terms from deposits
 where id = @id and status = 'completed' and deal_terms is not null`)

var dropTerms = postgres.Command("wallet.drop_deal_terms",
	`update deposits set deal_terms = null where id = @id and deal_terms is not null`)
