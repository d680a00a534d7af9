package reports

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
	"amanat/internal/money/ledger"
)

// StatementKind is a kind of movements by which a statement can be filtered.
type StatementKind string

// Kinds of movements.
const (
	StatementDeals       StatementKind = "deals"
	StatementDeposits    StatementKind = "deposits"
	StatementWithdrawals StatementKind = "withdrawals"
	StatementRewards     StatementKind = "rewards"
	StatementCorrections StatementKind = "corrections"
)

// nouns are the beginnings of the keys of a kind's transfers.
var nouns = map[StatementKind]string{
	StatementDeals: "deal", StatementDeposits: "deposit", StatementWithdrawals: "withdrawal", StatementRewards: "reward",
	StatementCorrections: "correction",
}

// StatementFilter chooses the movements of a statement. The zero value chooses all of them.
type StatementFilter struct {
	Period Period
	Kind   StatementKind // "": all

	beyond *int64 // nil, or the version that the statement of a paper ends before
}

// Statement is what moved a user's wallet in a period, in the order of the ledger. The movements
// of all kinds lead from Opening to Closing.
type Statement struct {
	Opening, Closing money.Cents
	// Of the chosen kind, on all pages: the number of movements, and the sums of those that came in
	// and of those that went out, both above zero.
	Count   int
	In, Out money.Cents
	// Lines is a page of the movements of the chosen kind.
	Lines []StatementLine

	beyond int64 // see statementBounds; 0 without a wallet
}

// StatementLine is a movement and what it was for. What does not apply to its kind is nil.
type StatementLine struct {
	Movement
	Title     *string       // the first line of the deal's description; nil if that has been erased
	With      *string       // the deal's other party
	Method    *string       // of the deposit or withdrawal
	Reference *string       // the transaction ID of the deposit, or the number that the withdrawal goes to
	Taka      *money.Poisha // of the deposit or withdrawal
	Claimed   *money.Cents  // of a deposit that was credited with another amount: what the user reported
	Payout    *string       // the transaction ID of the payout of a withdrawal that was sent
}

// TracedLine is a line of a statement for operators.
type TracedLine struct {
	StatementLine
	RequestID *string // of the call that requested the operation; nil: none did, or its id was not kept
}

// An account's versions count its movements, and the order of their business times may differ by
// moments. A period therefore begins with the first version at or after its beginning, and ends
// before the first one at or after its end, so that periods that follow each other have no
// movement in common and leave none out.
const sqlStatementBounds = `
select a.id as account,
       coalesce((select e.version from ledger.entries e where e.account_id = a.id and e.at >= @from order by e.version limit 1),
                a.version + 1) as first,
       coalesce((select e.version from ledger.entries e where e.account_id = a.id and e.at >= @to order by e.version limit 1),
                a.version + 1) as beyond
  from ledger.accounts a
 where a.kind = 'wallet' and a.owner_id = @user and a.currency = 'USD'`

type statementBounds struct {
	Account       int64
	First, Beyond int64 // versions
}

const sqlStatementSums = `
select coalesce((select e.balance_after from ledger.entries e where e.account_id = @account and e.version = @first - 1),
                0)::bigint as opening,
       coalesce((select e.balance_after from ledger.entries e where e.account_id = @account and e.version = @beyond - 1),
                0)::bigint as closing,
       count(*)::int as count,
       coalesce(sum(e.amount) filter (where e.amount > 0), 0)::bigint as "in",
       coalesce(-sum(e.amount) filter (where e.amount < 0), 0)::bigint as out
  from ledger.entries e join ledger.transfers t on t.id = e.transfer_id
 where e.account_id = @account and e.version >= @first and e.version < @beyond
   and (@noun = '' or split_part(t.key, ':', 1) = @noun)`

type statementSums struct {
	Opening, Closing money.Cents
	Count            int
	In, Out          money.Cents
}

// sqlStatementLines reads a page of lines. A reward's deal is the friend's own business, so nothing
// is shown of it.
var (
	sqlStatementLines = sqlLines("", "")
	sqlTracedLines    = sqlLines(", o.request_id", `
  left join `+sqlOperation("p.noun || ':' || p.id", "p.kind")+` o on true`)
)

// sqlLines returns the SQL for a page of lines (p) with further columns and joins.
func sqlLines(columns, joins string) string {
	return `
with page as (
  select e.version, t.kind, split_part(t.key, ':', 1) as noun, split_part(t.key, ':', 2)::uuid as id, e.amount, e.balance_after, e.at
    from ledger.entries e join ledger.transfers t on t.id = e.transfer_id
   where e.account_id = @account and e.version >= @first and e.version < @beyond
     and (@noun = '' or split_part(t.key, ':', 1) = @noun)
   order by e.version * @direction::int
   limit @limit offset @offset
)
select p.kind, p.noun || ':' || p.id as subject, p.amount, p.balance_after, p.at,
       case when not d.description_erased then left(split_part(d.description, E'\n', 1), 201) end as title,
       u.username as "with",
       coalesce(i.payment_method, w.payment_method) as method,
       coalesce(i.transaction_id, w.phone_number) as reference,
       coalesce(i.converted_amount, w.converted_amount) as taka, w.transaction_id as payout,
       case when i.claimed_amount <> i.amount then i.claimed_amount end as claimed,
       coalesce(c.reason, case when i.claimed_amount <> i.amount then i.reason end) as reason` + columns + `
  from page p
  left join deals d on p.noun = 'deal' and d.id = p.id
  left join users u on u.id = case when d.buyer_id = @user then d.seller_id else d.buyer_id end
  left join deposits i on p.noun = 'deposit' and i.id = p.id
  left join withdrawals w on p.noun = 'withdrawal' and w.id = p.id
  left join corrections c on p.noun = 'correction' and c.id = p.id` + joins + `
 order by p.version * @direction::int`
}

// Statement returns a page of a user's statement, the latest movements first. The caller has
// checked that the reader is that user.
func (s *Service) Statement(ctx context.Context, userID uuid.UUID, filter StatementFilter, page postgres.Page) (Statement, error) {
	var statement Statement
	err := postgres.Snapshot(ctx, s.DB, func(tx *postgres.Tx) error {
		reader, err := newStatementReader(ctx, tx, userID, filter, latestFirst)
		if err != nil || reader == nil {
			return err
		}
		statement = reader.statement
		statement.Lines, err = reader.lines(ctx, page)
		return err
	})
	return statement, err
}

// statementPart is how many lines are read at a time.
const statementPart = 500

// StatementParts reads a user's whole statement from one snapshot, the oldest movements first: use
// is called with the sums and no lines, then with each part of the lines, until it fails or at most
// lines have been read. The caller has checked that the reader is that user.
func (s *Service) StatementParts(
	ctx context.Context, userID uuid.UUID, filter StatementFilter, most int, use func(sums Statement, lines []StatementLine) error,
) error {
	return statementParts(ctx, s.DB, userID, filter, most, (*statementReader).lines, use)
}

// TracedStatementParts is StatementParts with the calls and without a bound. It is for operators.
func (s *Service) TracedStatementParts(
	ctx context.Context, userID uuid.UUID, filter StatementFilter, use func(sums Statement, lines []TracedLine) error,
) error {
	return statementParts(ctx, s.DB, userID, filter, math.MaxInt, (*statementReader).tracedLines, use)
}

func statementParts[L any](
	ctx context.Context, db postgres.DB, userID uuid.UUID, filter StatementFilter, most int,
	read func(*statementReader, context.Context, postgres.Page) ([]L, error), use func(sums Statement, lines []L) error,
) error {
	return postgres.Snapshot(ctx, db, func(tx *postgres.Tx) error {
		reader, err := newStatementReader(ctx, tx, userID, filter, oldestFirst)
		if err != nil {
			return err
		}
		if reader == nil {
			return use(Statement{}, nil)
		}
		if err := use(reader.statement, nil); err != nil {
			return err
		}
		count := min(reader.statement.Count, most)
		for done := 0; done < count; done += statementPart {
			lines, err := read(reader, ctx, postgres.Page{Limit: min(statementPart, count-done), Offset: done})
			if err != nil {
				return err
			}
			if err := use(reader.statement, lines); err != nil {
				return err
			}
		}
		return nil
	})
}

// Directions of a statement's lines.
const (
	oldestFirst = 1
	latestFirst = -1
)

// statementReader reads the lines of a statement.
type statementReader struct {
	tx        *postgres.Tx
	statement Statement // without lines
	args      postgres.Args
}

// newStatementReader returns nil if the user has no wallet yet.
func newStatementReader(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, filter StatementFilter, direction int,
) (*statementReader, error) {
	bounds, found, err := postgres.Query[statementBounds]("reports.statement_bounds", sqlStatementBounds).Find(ctx, tx,
		postgres.Args{"user": userID, "from": beginning(filter.Period.From), "to": end(filter.Period.To)})
	if err != nil || !found {
		return nil, err
	}
	if filter.beyond != nil {
		bounds.Beyond = *filter.beyond
	}
	r := &statementReader{tx: tx, args: postgres.Args{
		"user": userID, "account": bounds.Account, "first": bounds.First, "beyond": max(bounds.First, bounds.Beyond),
		"noun": nouns[filter.Kind], "direction": direction,
	}}
	sums, err := postgres.Query[statementSums]("reports.statement_sums", sqlStatementSums).One(ctx, tx, r.args)
	r.statement = Statement{
		Opening: sums.Opening, Closing: sums.Closing, Count: sums.Count, In: sums.In, Out: sums.Out, beyond: bounds.Beyond,
	}
	return r, err
}

func (r *statementReader) lines(ctx context.Context, page postgres.Page) ([]StatementLine, error) {
	r.args["limit"], r.args["offset"] = page.Limit, page.Offset
	return postgres.QueryAs("reports.statement_lines", sqlStatementLines, StatementLine.shortened).Many(ctx, r.tx, r.args)
}

// titleLetters is the length of the title of a line. SQL reads one more.
const titleLetters = 200

func (l StatementLine) shortened() StatementLine {
	if l.Title != nil {
		*l.Title = catalog.Shorten(*l.Title, titleLetters)
	}
	return l
}

func (r *statementReader) tracedLines(ctx context.Context, page postgres.Page) ([]TracedLine, error) {
	r.args["limit"], r.args["offset"] = page.Limit, page.Offset
	return postgres.QueryAs("reports.traced_lines", sqlTracedLines, func(l TracedLine) TracedLine {
		l.StatementLine = l.shortened()
		return l
	}).Many(ctx, r.tx, r.args)
}

// beginning returns the first moment of a period.
func beginning(from *time.Time) time.Time {
	if from == nil {
		return time.Unix(0, 0)
	}
	return *from
}

// end returns the moment after a period.
func end(to *time.Time) time.Time {
	if to == nil {
		return time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	return *to
}

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
	return postgres.Query[DealLine]("reports.deal_lines", sqlDealLines).Many(ctx, s.DB, postgres.Args{"deal": dealID})
}

// Movement is money that came into a user's wallet or left it.
type Movement struct {
	Kind         string      // of the money operation, such as deal_pay
	Subject      string      // of the money operation, such as deal:{id}
	Amount       money.Cents // negative if it left
	BalanceAfter money.Cents
	At           time.Time
	Reason       *string // an admin's words: of a correction, and in a statement of a deposit with another amount
}

// WalletHistory is the list of movements that led to a user's balance.
type WalletHistory struct {
	Opening   money.Cents // before the first movement
	Movements []Movement  // oldest first
	Complete  bool        // false: there were more; the oldest are left out
}

// maxMovements limits the size of a response, and of the chart drawn from it.
const maxMovements = 1_000

// A key begins with its subject: deal:{id}:close.
const sqlMovements = `
select t.kind, split_part(t.key, ':', 1) || ':' || split_part(t.key, ':', 2) as subject, e.amount, e.balance_after, e.at,
       c.reason
  from ledger.accounts a
  join ledger.entries e on e.account_id = a.id
  join ledger.transfers t on t.id = e.transfer_id
  left join corrections c on t.kind = 'balance_adjust' and c.id = split_part(t.key, ':', 2)::uuid
 where a.kind = 'wallet' and a.owner_id = @user and a.currency = 'USD' and e.at >= @since
 order by e.version desc
 limit @limit`

// WalletHistory returns the movements of a user's wallet since a business time, at most the latest
// 1,000. The caller has checked that the reader is that user.
func (s *Service) WalletHistory(ctx context.Context, userID uuid.UUID, since time.Time) (WalletHistory, error) {
	found, err := postgres.Query[Movement]("reports.wallet_movements", sqlMovements).Many(ctx, s.DB,
		postgres.Args{"user": userID, "since": since, "limit": maxMovements + 1})
	if err != nil {
		return WalletHistory{}, err
	}
	history := WalletHistory{Movements: found, Complete: len(found) <= maxMovements}
	if !history.Complete {
		history.Movements = found[:maxMovements]
	}
	slices.Reverse(history.Movements)
	if len(found) == 0 {
		history.Opening, err = ledger.WalletBalance(ctx, s.DB, userID)
		return history, err
	}
	first := history.Movements[0]
	history.Opening = first.BalanceAfter - first.Amount
	return history, nil
}
