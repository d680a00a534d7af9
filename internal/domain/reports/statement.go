package reports

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/postgres"
	"amanat/internal/money"
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
	StatementCorrections: "adjustment",
}

// StatementFilter chooses the movements of a statement. The zero value chooses all of them.
type StatementFilter struct {
	Period Period
	Kind   StatementKind // "": all
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
}

// StatementLine is a movement and what it was for. What does not apply to its kind is nil.
type StatementLine struct {
	Movement
	Title     *string // the first line of the deal's description; nil if that has been erased
	With      *string // the deal's other party
	Method    *string // of the deposit or withdrawal
	Reference *string // the transaction ID of the deposit, or the number that the withdrawal goes to
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
       coalesce(i.transaction_id, w.phone_number) as reference, c.reason` + columns + `
  from page p
  left join deals d on p.noun = 'deal' and d.id = p.id
  left join users u on u.id = case when d.buyer_id = @user then d.seller_id else d.buyer_id end
  left join deposits i on p.noun = 'deposit' and i.id = p.id
  left join withdrawals w on p.noun = 'withdrawal' and w.id = p.id
  left join adjustments c on p.noun = 'adjustment' and c.id = p.id` + joins + `
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
	args      pgx.NamedArgs
}

// newStatementReader returns nil if the user has no wallet yet.
func newStatementReader(
	ctx context.Context, tx *postgres.Tx, userID uuid.UUID, filter StatementFilter, direction int,
) (*statementReader, error) {
	bounds, found, err := postgres.Optional(postgres.One[statementBounds](ctx, tx, "reports.statement_bounds", sqlStatementBounds,
		pgx.NamedArgs{"user": userID, "from": beginning(filter.Period.From), "to": end(filter.Period.To)}))
	if err != nil || !found {
		return nil, err
	}
	r := &statementReader{tx: tx, args: pgx.NamedArgs{
		"user": userID, "account": bounds.Account, "first": bounds.First, "beyond": max(bounds.First, bounds.Beyond),
		"noun": nouns[filter.Kind], "direction": direction,
	}}
	sums, err := postgres.One[statementSums](ctx, tx, "reports.statement_sums", sqlStatementSums, r.args)
	r.statement = Statement{Opening: sums.Opening, Closing: sums.Closing, Count: sums.Count, In: sums.In, Out: sums.Out}
	return r, err
}

func (r *statementReader) lines(ctx context.Context, page postgres.Page) ([]StatementLine, error) {
	r.args["limit"], r.args["offset"] = page.Limit, page.Offset
	return postgres.ManyAs(ctx, r.tx, "reports.statement_lines", sqlStatementLines, r.args, StatementLine.shortened)
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
	return postgres.ManyAs(ctx, r.tx, "reports.traced_lines", sqlTracedLines, r.args, func(l TracedLine) TracedLine {
		l.StatementLine = l.shortened()
		return l
	})
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
