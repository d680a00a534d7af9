package wallet

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

var takesCheckouts = postgres.Query[bool]("wallet.takes_checkouts", `
select exists (select from checkout_providers where seen_at > @since and (down_until <= @now) is not false)`)

const sqlInsertCheckout = `
insert into checkouts (id, user_id, deal_id, deal_terms, payment_method, amount, rate, converted_amount, created_at)
values (@id, @user, @deal, nullif(@terms::bigint, 0), 'Bkash', @amount, @rate, @converted, @now)`

func insertCheckout(
	ctx context.Context, tx *postgres.Tx, id, userID uuid.UUID, r Report, rate int64, converted money.Poisha, now time.Time,
) error {
	return postgres.Command("wallet.insert_checkout", sqlInsertCheckout).Run(ctx, tx, postgres.Args{
		"id": id, "user": userID, "deal": r.DealID, "terms": r.Terms, "amount": int64(r.Amount), "rate": rate,
		"converted": int64(converted), "now": now,
	})
}

const sqlGetCheckout = `
select id, user_id, deal_id, deal_terms, amount, rate, converted_amount, state, coalesce(failure, '') as failure, url, ref, created_at
  from checkouts where id = @id`

func getCheckout(ctx context.Context, q postgres.Querier, id uuid.UUID) (Checkout, error) {
	c, err := postgres.Query[Checkout]("wallet.get_checkout", sqlGetCheckout).One(ctx, q, postgres.Args{"id": id})
	return c, postgres.IfNoRows(err, errNoCheckout())
}

// The changes of a checkout find no row if another worker was faster.
var (
	setCheckoutOpen = postgres.Command("wallet.set_checkout_open",
		`update checkouts set state = 'open', url = @url, ref = @ref where id = @id and state = 'starting'`)
	setExecuting = postgres.Command("wallet.set_checkout_executing",
		`update checkouts set state = 'executing', looked_at = @now where id = @id and state = 'open'`)
	setCheckoutFailed = postgres.Command("wallet.set_checkout_failed",
		`update checkouts set state = 'failed', failure = @failure, code = @code where id = @id and state = @state`)
	setCheckoutPaid = postgres.Command("wallet.set_checkout_paid", `
update checkouts set state = 'paid', transaction_id = @transaction, paid_amount = @amount, payer = @payer, paid_at = @now
 where id = @id and state in ('open', 'executing')`)
	setLookedAt = postgres.Command("wallet.set_checkout_looked_at", `update checkouts set looked_at = @now where id = @id`)
)

// An executing checkout is ended only by an answer of the provider.
var expireCheckouts = postgres.Command("wallet.expire_checkouts", `
update checkouts set state = 'failed', failure = case state when 'starting' then 'unavailable' else 'expired' end
 where state = 'starting' and created_at < @starting or state = 'open' and created_at < @open`)

// dueCheckouts returns checkouts that nothing was heard of for a tenth of their age, and for a
// minute.
var dueCheckouts = postgres.Query[uuid.UUID]("wallet.due_checkouts", `
select id from checkouts
 where state in ('open', 'executing') and created_at < @before
   and (looked_at < @now::timestamptz - greatest(interval '1 minute', (@now::timestamptz - created_at) / 10)) is not false
 order by created_at limit @limit`)

const sqlSetProviderSeen = `
insert into checkout_providers (payment_method, seen_at) values ('Bkash', @now)
on conflict (payment_method) do update set seen_at = excluded.seen_at`

var (
	setProviderSeen = postgres.Command("wallet.set_provider_seen", sqlSetProviderSeen)
	setProviderDown = postgres.Command("wallet.set_provider_down", `
update checkout_providers
   set down_until = greatest(@until, case when (token_until > @until) is not true then asked_before + @hour::interval end)`)
	findToken = postgres.Query[string]("wallet.find_provider_token", `select token from checkout_providers where token_until > @at`)
	setToken  = postgres.Command("wallet.set_provider_token", `update checkout_providers set token = @token, token_until = @until`)
	dropToken = postgres.Command("wallet.drop_provider_token",
		`update checkout_providers set token = null, token_until = null where token = @token`)
)

// countTokenCall counts a call for a token, unless another one is running or there were two in the
// last hour.
var countTokenCall = postgres.Command("wallet.count_token_call", `
update checkout_providers set asked_before = asked_at, asked_at = @now
 where (asked_at <= @running) is not false and (asked_before <= @hour) is not false`)
