package chain

import (
	"context"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

type transferRow struct {
	ID          int64
	Key         string
	Kind        string
	RequestHash []byte
	EntryCount  int64
	ActorID     *uuid.UUID
	Reason      *string
	At          time.Time
	RecordedAt  time.Time
}

const sqlTransfers = `
select id, key, kind, request_hash, entry_count::bigint as entry_count, actor_id, reason, at, recorded_at
  from ledger.transfers where id = any(@ids)`

type entryRow struct {
	TransferID      int64
	AccountID       int64
	Currency        string
	Amount          int64
	BalanceAfter    *int64
	Version         *int64
	At              time.Time
	AccountKind     *string
	AccountOwner    *uuid.UUID
	AccountCurrency *string
}

const sqlEntries = `
select e.transfer_id, e.account_id, e.currency, e.amount, e.balance_after, e.version, e.at,
       a.kind as account_kind, a.owner_id as account_owner, a.currency as account_currency
  from ledger.entries e left join ledger.accounts a on a.id = e.account_id
 where e.transfer_id = any(@ids)
 order by e.transfer_id, e.account_id`

func loadTransfers(ctx context.Context, q postgres.Querier, ids []int64) (map[int64][]byte, error) {
	args := postgres.Args{"ids": ids}
	transfers, err := postgres.Query[transferRow]("chain.transfers", sqlTransfers).Many(ctx, q, args)
	if err != nil {
		return nil, err
	}
	entries, err := postgres.Query[entryRow]("chain.entries", sqlEntries).Many(ctx, q, args)
	if err != nil {
		return nil, err
	}
	forms := make(map[int64]canonical, len(transfers))
	for _, t := range transfers {
		forms[t.ID] = t.start()
	}
	for _, e := range entries {
		if form, found := forms[e.TransferID]; found {
			form.entry(e)
			forms[e.TransferID] = form
		}
	}
	rows := make(map[int64][]byte, len(forms))
	for id, form := range forms {
		rows[id] = form
	}
	return rows, nil
}

// sqlOrphans finds entries whose transfer does not exist.
const sqlOrphans = `
select e.transfer_id from ledger.entries e
 where (e.transfer_id > @above or @above = 0) and not exists (select from ledger.transfers t where t.id = e.transfer_id)
 limit @limit`

type auditRow struct {
	ID      int64
	At      time.Time
	ActorID *uuid.UUID
	Action  string
	Subject string
	Details string
}

const sqlAudit = `
select id, at, actor_id, action, subject, details::text as details from audit_log where id = any(@ids)`

func loadAudit(ctx context.Context, q postgres.Querier, ids []int64) (map[int64][]byte, error) {
	entries, err := postgres.Query[auditRow]("chain.audit", sqlAudit).Many(ctx, q, postgres.Args{"ids": ids})
	if err != nil {
		return nil, err
	}
	rows := make(map[int64][]byte, len(entries))
	for _, e := range entries {
		rows[e.ID] = e.canonical()
	}
	return rows, nil
}

// progress is how far a chain has come.
type progress struct {
	Settled      int64
	Reached      int64
	Sealed       int64
	Verified     int64
	VerifiedHash []byte
	VerifiedTo   int64
	WholeAt      *time.Time
	Broken       *int
	CheckedAt    *time.Time
}

const sqlProgress = `
select settled, reached, sealed, verified, verified_hash, verified_to, whole_at, broken, checked_at
  from chain.progress where chain = @chain`

func readProgress(ctx context.Context, q postgres.Querier, l log) (progress, error) {
	return postgres.Query[progress]("chain.progress", sqlProgress).One(ctx, q, postgres.Args{"chain": l.name})
}

// lockProgress excludes other sealers of the chain until the transaction ends.
func lockProgress(ctx context.Context, tx *postgres.Tx, l log) (progress, error) {
	return postgres.Query[progress]("chain.lock_progress", sqlProgress+` for update`).One(ctx, tx, postgres.Args{"chain": l.name})
}

// lastID returns the highest id that the sequence has given out.
func (l log) lastID(ctx context.Context, q postgres.Querier) (int64, error) {
	return postgres.Query[int64]("chain.last_id",
		`select case when is_called then last_value else last_value - 1 end from `+l.sequence).One(ctx, q, nil)
}

// Inserting takes this lock before it takes an id, and keeps it until the transaction ends.
const sqlInserters = `
select virtualtransaction from pg_locks
 where locktype = 'relation' and mode = 'RowExclusiveLock' and granted
   and database = (select oid from pg_database where datname = current_database())
   and relation = @table::text::regclass`

// inserters returns the transactions that may have inserted into the table and have not ended.
func (l log) inserters(ctx context.Context, q postgres.Querier) ([]string, error) {
	return postgres.Query[string]("chain.inserters", sqlInserters).Many(ctx, q, postgres.Args{"table": l.table})
}

// unsealed returns the rows above an id that have no seal, the lowest ids first.
func (l log) unsealed(ctx context.Context, q postgres.Querier, above int64, limit int) ([]int64, error) {
	return postgres.Query[int64]("chain.unsealed", `
		select r.id from `+l.table+` r
		 where r.id > @above and not exists (select from `+l.seals+` s where s.row_id = r.id)
		 order by r.id limit @limit`).Many(ctx, q, postgres.Args{"above": above, "limit": limit})
}

// inserted returns rows without a seal up to an id, to which there should be none.
func (l log) inserted(ctx context.Context, q postgres.Querier, above, settled int64, limit int) ([]int64, error) {
	return postgres.Query[int64]("chain.inserted", `
		select r.id from `+l.table+` r
		 where r.id <= @settled and (r.id > @above or @above = 0) and not exists (select from `+l.seals+` s where s.row_id = r.id)
		 order by r.id limit @limit`).Many(ctx, q, postgres.Args{"above": above, "settled": settled, "limit": limit})
}

func (l log) orphaned(ctx context.Context, q postgres.Querier, above int64, limit int) ([]int64, error) {
	return postgres.Query[int64]("chain.orphaned", l.orphans).Many(ctx, q, postgres.Args{"above": above, "limit": limit})
}

// waiting returns the number of rows above an id that have no seal.
func (l log) waiting(ctx context.Context, q postgres.Querier, settled int64) (int64, error) {
	return postgres.Query[int64]("chain.waiting", `
		select count(*) from `+l.table+` r
		 where r.id > @settled and not exists (select from `+l.seals+` s where s.row_id = r.id)`).One(ctx, q,
		postgres.Args{"settled": settled})
}

type sealRow struct {
	Seq     int64
	RowID   int64
	Version int
	Hash    []byte
}

// sealsAfter returns the seals after a number, in order.
func (l log) sealsAfter(ctx context.Context, q postgres.Querier, after int64, limit int) ([]sealRow, error) {
	return postgres.Query[sealRow]("chain.seals_after", `
		select seq, row_id, version, hash from `+l.seals+` where seq > @after order by seq limit @limit`).Many(ctx, q,
		postgres.Args{"after": after, "limit": limit})
}

func (l log) lastSeal(ctx context.Context, q postgres.Querier) (_ sealRow, found bool, _ error) {
	return postgres.Query[sealRow]("chain.last_seal", `
		select seq, row_id, version, hash from `+l.seals+` order by seq desc limit 1`).Find(ctx, q, nil)
}

func (l log) insertSeals(ctx context.Context, q postgres.Querier, seals []sealRow) error {
	seqs, ids, hashes := make([]int64, len(seals)), make([]int64, len(seals)), make([][]byte, len(seals))
	for i, s := range seals {
		seqs[i], ids[i], hashes[i] = s.Seq, s.RowID, s.Hash
	}
	return postgres.Command("chain.insert_seals", `
		insert into `+l.seals+` (seq, row_id, version, hash)
		select n.seq, n.row_id, @version, n.hash
		  from unnest(@seqs::bigint[], @ids::bigint[], @hashes::bytea[]) as n (seq, row_id, hash)`).Run(ctx, q,
		postgres.Args{"seqs": seqs, "ids": ids, "hashes": hashes, "version": canonicalVersion})
}

const sqlAdvance = `
update chain.progress
   set settled = greatest(settled, @settled), reached = greatest(reached, @reached), sealed = @sealed
 where chain = @chain`

func (l log) advance(ctx context.Context, q postgres.Querier, p progress) error {
	return postgres.Command("chain.advance", sqlAdvance).One(ctx, q, postgres.Args{
		"chain": l.name, "settled": p.Settled, "reached": p.Reached, "sealed": p.Sealed,
	})
}

const sqlKeepHead = `
insert into chain.heads (chain, day, seq, hash) values (@chain, @day, @seq, @hash) on conflict (chain, day) do nothing`

// keepHead stores the last seal as that of the day, unless the day has one.
func (l log) keepHead(ctx context.Context, q postgres.Querier, day time.Time, last sealRow) error {
	return postgres.Command("chain.keep_head", sqlKeepHead).Run(ctx, q, postgres.Args{
		"chain": l.name, "day": day.Format(time.DateOnly), "seq": last.Seq, "hash": last.Hash,
	})
}

type headRow struct {
	Day  string
	Seq  int64
	Hash []byte
}

const sqlHeads = `
select day::text as day, seq, hash from chain.heads where chain = @chain and seq > @after order by seq`

func (l log) headsAfter(ctx context.Context, q postgres.Querier, after int64) ([]headRow, error) {
	return postgres.Query[headRow]("chain.heads_after", sqlHeads).Many(ctx, q, postgres.Args{"chain": l.name, "after": after})
}

const sqlKeepResult = `
update chain.progress
   set broken = @broken, checked_at = @at,
       verified = case when @broken = 0 then @verified else verified end,
       verified_hash = case when @broken = 0 then @hash else verified_hash end,
       verified_to = case when @broken = 0 then @settled else verified_to end,
       whole_at = case when @broken = 0 and @whole then @at else whole_at end
 where chain = @chain`

func keepResult(ctx context.Context, q postgres.Querier, r Result, at time.Time) error {
	return postgres.Command("chain.keep_result", sqlKeepResult).One(ctx, q, postgres.Args{
		"chain": r.Chain, "broken": len(r.Findings), "at": at, "verified": r.Last, "hash": r.Head, "settled": r.settled, "whole": r.Whole,
	})
}

// liftTimeout is for reading everything, which takes longer than the timeout of requests.
var liftTimeout = postgres.Command("chain.lift_timeout", `set local statement_timeout = 0`)
