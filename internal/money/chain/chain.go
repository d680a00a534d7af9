// Package chain seals the ledger and the audit log: it keeps a hash of each row and of the seal
// before it, so that a row that was changed, removed or inserted later can be found. Rows are
// sealed after they are committed, so posting neither waits for the chain nor knows of it. See
// docs/decisions/0027-hash-chain.md.
package chain

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

// log is a table whose rows are sealed, in a chain of its own.
type log struct {
	name     string // of the chain
	row      string // what a row is called in findings
	table    string
	sequence string // that the rows' ids are taken from
	seals    string // the table of the seals
	// load returns the canonical form of the rows that exist, by id.
	load func(ctx context.Context, q postgres.Querier, ids []int64) (map[int64][]byte, error)
	// orphans finds rows that belong to no row of the table; empty if there can be none.
	orphans string
}

// The names of the chains.
const (
	Transfers = "transfers" // the transfers of the ledger with their entries
	Audit     = "audit"     // the audit log
)

func logs() []log {
	return []log{
		{
			name: Transfers, row: "transfer", table: "ledger.transfers", sequence: "ledger.transfers_id_seq",
			seals: "chain.transfer_seals", load: loadTransfers, orphans: sqlOrphans,
		},
		{
			name: Audit, row: "entry of the audit log", table: "audit_log", sequence: "audit_log_id_seq",
			seals: "chain.audit_seals", load: loadAudit,
		},
	}
}

// Names returns the names of the chains.
func Names() []string { return []string{Transfers, Audit} }

// hashOf returns the hash of a seal: of the hash before it, the seal's number and the row.
func hashOf(before []byte, seq int64, row []byte) []byte {
	h := sha256.New()
	h.Write(before)
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(seq)))
	h.Write(row)
	return h.Sum(nil)
}

// genesis stands for the hash before the first seal.
func genesis() []byte { return make([]byte, sha256.Size) }

// canonicalVersion is the version of the canonical form. It is stored with each seal. A new column
// of a sealed table requires a new version; the seals of earlier versions remain valid in theirs.
const canonicalVersion = 1

// canonical is the canonical form of a row: the name of its chain and the version, then every
// column in the order of its table. A value is a byte, 0 for null and 1 otherwise, and then 8 bytes
// for an integer, 8 bytes for a time in microseconds since 1970 in UTC, 16 bytes for a UUID, or the
// length in 4 bytes and the bytes of a text in UTF-8. Integers are big-endian. No two rows have the
// same form.
type canonical []byte

func newCanonical(chain string) canonical {
	c := make(canonical, 0, 512)
	c.text(&chain)
	c.integer(ptr(int64(canonicalVersion)))
	return c
}

func ptr[T any](value T) *T { return &value }

// begin writes whether there is a value.
func (c *canonical) begin(present bool) bool {
	if !present {
		*c = append(*c, 0)
		return false
	}
	*c = append(*c, 1)
	return true
}

func (c *canonical) integer(v *int64) {
	if c.begin(v != nil) {
		*c = binary.BigEndian.AppendUint64(*c, uint64(*v))
	}
}

func (c *canonical) text(v *string) {
	if c.begin(v != nil) {
		*c = binary.BigEndian.AppendUint32(*c, uint32(len(*v)))
		*c = append(*c, *v...)
	}
}

func (c *canonical) bytes(v []byte) {
	if c.begin(v != nil) {
		*c = binary.BigEndian.AppendUint32(*c, uint32(len(v)))
		*c = append(*c, v...)
	}
}

func (c *canonical) uuid(v *uuid.UUID) {
	if c.begin(v != nil) {
		*c = append(*c, v[:]...)
	}
}

func (c *canonical) time(v time.Time) { c.integer(ptr(v.UnixMicro())) }

// start begins the form of a transfer; its entries follow.
func (t transferRow) start() canonical {
	c := newCanonical(Transfers)
	c.integer(&t.ID)
	c.text(&t.Key)
	c.text(&t.Kind)
	c.bytes(t.RequestHash)
	c.integer(&t.EntryCount)
	c.uuid(t.ActorID)
	c.text(t.Reason)
	c.time(t.At)
	c.time(t.RecordedAt)
	return c
}

// entry adds an entry with the account it is of. The account's kind, owner and currency never
// change; whoever changed them would give its money to somebody else. The entry's transaction ID is
// not part of what was posted, and moved.sql resets it.
func (c *canonical) entry(e entryRow) {
	c.integer(&e.AccountID)
	c.text(&e.Currency)
	c.integer(&e.Amount)
	c.integer(e.BalanceAfter)
	c.integer(e.Version)
	c.time(e.At)
	c.text(e.AccountKind)
	c.uuid(e.AccountOwner)
	c.text(e.AccountCurrency)
}

func (r auditRow) canonical() canonical {
	c := newCanonical(Audit)
	c.integer(&r.ID)
	c.time(r.At)
	c.uuid(r.ActorID)
	c.text(&r.Action)
	c.text(&r.Subject)
	c.text(&r.Details)
	return c
}

// Sealer seals rows. Any number may run at the same time: one waits for the other's batch.
type Sealer struct {
	DB postgres.DB // with the worker's role
	// Patience is how long to wait for transactions that are inserting. Rows are sealed without
	// them, too, but the next run then looks again at the same ids.
	Patience time.Duration
}

const (
	batchSize = 2000
	// pollEvery is how often to look whether the inserting transactions have ended.
	pollEvery = 10 * time.Millisecond
)

// Seal seals the rows that are committed and have no seal, in batches until none is left, and
// returns how many. now is the real time: the first run of a day in Dhaka stores the day's heads.
func (s *Sealer) Seal(ctx context.Context, now time.Time) (int64, error) {
	var sealed int64
	for _, l := range logs() {
		n, err := s.seal(ctx, l, now)
		sealed += n
		if err != nil {
			return sealed, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return sealed, nil
}

func (s *Sealer) seal(ctx context.Context, l log, now time.Time) (int64, error) {
	horizon, err := s.horizon(ctx, l)
	if err != nil {
		return 0, err
	}
	var sealed int64
	for more := true; more; {
		n := 0
		err := postgres.WithTx(ctx, s.DB, func(tx *postgres.Tx) (err error) {
			n, err = sealBatch(ctx, tx, l, horizon, now)
			return err
		})
		if err != nil {
			return sealed, err
		}
		sealed += int64(n)
		more = n == batchSize
	}
	return sealed, nil
}

// horizon returns an id up to which no further row will appear: every transaction that took one of
// these ids has ended. It is 0, which says nothing, if they do not end in time.
//
// It is the last id that was taken before it looks for the transactions that are inserting. Each
// takes its lock on the table before its ids, and keeps it until its end.
func (s *Sealer) horizon(ctx context.Context, l log) (int64, error) {
	last, err := l.lastID(ctx, s.DB)
	if err != nil {
		return 0, err
	}
	before, err := l.inserters(ctx, s.DB)
	if err != nil {
		return 0, err
	}
	patience := time.NewTimer(s.Patience)
	defer patience.Stop()
	for len(before) > 0 {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-patience.C:
			return 0, nil
		case <-time.After(pollEvery):
		}
		now, err := l.inserters(ctx, s.DB)
		if err != nil {
			return 0, err
		}
		before = slices.DeleteFunc(before, func(tx string) bool { return !slices.Contains(now, tx) })
	}
	return last, nil
}

// sealBatch seals up to batchSize rows. Rows are found by what has no seal, not by their ids: a row
// that was committed late is sealed by a later run.
func sealBatch(ctx context.Context, tx *postgres.Tx, l log, horizon int64, now time.Time) (int, error) {
	p, err := lockProgress(ctx, tx, l)
	if err != nil {
		return 0, err
	}
	last, found, err := l.lastSeal(ctx, tx)
	if err != nil {
		return 0, err
	}
	if !found {
		last.Hash = genesis()
	}
	ids, err := l.unsealed(ctx, tx, p.Settled, batchSize)
	if err != nil {
		return 0, err
	}
	p.Settled = horizon
	if len(ids) == batchSize {
		p.Settled = min(horizon, ids[len(ids)-1])
	}
	// A chain whose end was cut off continues after the gap, so that the gap remains visible.
	p.Sealed = max(p.Sealed, last.Seq)
	if len(ids) > 0 {
		p.Reached = ids[len(ids)-1]
		if last, err = sealRows(ctx, tx, l, p.Sealed, last.Hash, ids); err != nil {
			return 0, err
		}
		p.Sealed = last.Seq
	}
	if err := l.advance(ctx, tx, p); err != nil {
		return 0, err
	}
	if last.Seq > 0 {
		if err := l.keepHead(ctx, tx, now.In(clock.Dhaka), last); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// sealRows seals the rows, which exist, after the seal with the given number and hash. It returns
// the last seal.
func sealRows(ctx context.Context, tx *postgres.Tx, l log, seq int64, hash []byte, ids []int64) (sealRow, error) {
	rows, err := l.load(ctx, tx, ids)
	if err != nil {
		return sealRow{}, err
	}
	seals := make([]sealRow, len(ids))
	for i, id := range ids {
		seq++
		hash = hashOf(hash, seq, rows[id])
		seals[i] = sealRow{Seq: seq, RowID: id, Version: canonicalVersion, Hash: hash}
	}
	return seals[len(seals)-1], l.insertSeals(ctx, tx, seals)
}
