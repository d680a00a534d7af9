package chain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

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
