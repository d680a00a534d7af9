package reports

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
)

// DealLine is what an account received by a transfer of a deal's money.
type DealLine struct {
	At               time.Time
	Kind             string // of the money operation, such as deal_pay
	From, To         string // kinds of accounts, such as wallet, escrow and fees
	FromUser, ToUser *string
	Amount           money.Cents
	EscrowAfter      *money.Cents // after the whole transfer; nil: it did not touch the escrow
	Actor            *string      // username; nil: the system
	Operation        *uuid.UUID   // nil: none, which the reconciliation reports
	RequestID        *string      // of the call that requested the operation; nil: none did, or its id was not kept
}

// sqlOperation returns SQL for a lateral table of the operation that posted a transfer of a kind
// for a subject. Only a done operation has posted, and another one of its kind cannot be done after
// it, since the key is taken. It is read by the index operations_subject.
func sqlOperation(subject, kind string) string {
	return `lateral (
    select id, request_id from operations
     where subject = ` + subject + ` and kind = ` + kind + ` and status = 'done'
     order by created_at limit 1)`
}

// sqlDealLines reads the transfers under the keys that a deal and its rewards can have. Each takes
// the money from one account, so that an entry below zero stands opposite to each above zero.
var sqlDealLines = `
with own as (
  select ` + ledger.DealPay.SQL("@deal::uuid") + ` as key
  union all
  select ` + ledger.DealClose.SQL("@deal::uuid") + `
  union all
  select ` + ledger.RewardCredit.SQL("r.id") + ` from referral_rewards r where r.deal_id = @deal::uuid
)
select t.at, t.kind, g.kind as "from", giver.username as from_user, h.kind as "to", getter.username as to_user, e.amount,
       case when g.kind = 'escrow' then f.balance_after when h.kind = 'escrow' then e.balance_after end as escrow_after,
       who.username as actor, o.id as operation, o.request_id
  from own
  join ledger.transfers t on t.key = own.key
  join ledger.entries f on f.transfer_id = t.id and f.amount < 0
  join ledger.accounts g on g.id = f.account_id
  join ledger.entries e on e.transfer_id = t.id and e.amount > 0
  join ledger.accounts h on h.id = e.account_id
  left join users giver on g.kind = 'wallet' and giver.id = g.owner_id
  left join users getter on h.kind = 'wallet' and getter.id = h.owner_id
  left join users who on who.id = t.actor_id
  left join ` + sqlOperation("split_part(t.key, ':', 1) || ':' || split_part(t.key, ':', 2)", "t.kind") + ` o on true
 order by t.id, e.amount desc, e.account_id`

// DealStatement returns what moved a deal's money, up to the credits of its rewards, in the order
// of the ledger. It is for operators.
func (s *Service) DealStatement(ctx context.Context, dealID uuid.UUID) ([]DealLine, error) {
	return postgres.Many[DealLine](ctx, s.DB, "reports.deal_lines", sqlDealLines, pgx.NamedArgs{"deal": dealID})
}
