package chain

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"amanat/internal/lib/postgres"
)

// maxFindings limits the findings of each chain.
const maxFindings = 20

// Options says what to verify.
type Options struct {
	// Short begins where the latest verification without a finding ended, instead of at the first
	// row. A chain that has had none, or whose latest one had findings, is verified whole.
	Short bool
	// Head is the hash of a seal, stored outside of the database, to look for; nil for none.
	Head []byte
}

// Result is the result of the verification of a chain.
type Result struct {
	Chain    string
	Whole    bool
	Checked  int64  // how many seals
	Last     int64  // the number of the last seal; 0 for none
	Head     []byte // the hash of the last seal
	Waiting  int64  // rows that are not sealed yet
	HasHead  bool   // Options.Head is the hash of a seal
	Findings []string

	settled int64
}

// Verify computes every hash again, in one snapshot of the database, and returns a result for each
// chain. The first finding is the first broken row; there are none if the chains are whole. It
// needs the role of the worker or of the owner.
func Verify(ctx context.Context, db postgres.Beginner, o Options) ([]Result, error) {
	var results []Result
	err := postgres.Snapshot(ctx, db, func(tx *postgres.Tx) error {
		results = nil
		if err := liftTimeout.Run(ctx, tx, nil); err != nil {
			return err
		}
		for _, l := range logs() {
			result, err := verify(ctx, tx, l, o)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			results = append(results, result)
		}
		return nil
	})
	return results, err
}

// Keep stores results for the metrics, and where a short verification may begin. Only the worker's
// role may call it.
func Keep(ctx context.Context, q postgres.Querier, results []Result, at time.Time) error {
	for _, r := range results {
		if err := keepResult(ctx, q, r, at); err != nil {
			return err
		}
	}
	return nil
}

// State says when the chains were verified. Only the worker's role and the owner may read it.
type State struct {
	Checked time.Time // the chain that was verified first; zero if one has not been
	Whole   time.Time // the same, of whole verifications without a finding
}

// Verified returns when the chains were verified.
func Verified(ctx context.Context, q postgres.Querier) (State, error) {
	var s State
	for i, l := range logs() {
		p, err := readProgress(ctx, q, l)
		if err != nil {
			return State{}, err
		}
		checked, whole := timeOf(p.CheckedAt), timeOf(p.WholeAt)
		if i == 0 || checked.Before(s.Checked) {
			s.Checked = checked
		}
		if i == 0 || whole.Before(s.Whole) {
			s.Whole = whole
		}
	}
	return s, nil
}

func timeOf(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}

// verifier verifies one chain.
type verifier struct {
	log
	q     postgres.Querier
	o     Options
	heads []headRow // of days, not reached yet
	Result
}

func verify(ctx context.Context, q postgres.Querier, l log, o Options) (Result, error) {
	p, err := readProgress(ctx, q, l)
	if err != nil {
		return Result{}, err
	}
	o.Short = o.Short && p.WholeAt != nil && p.Broken != nil && *p.Broken == 0
	v := &verifier{log: l, q: q, o: o, Result: Result{Chain: l.name, Whole: !o.Short, Head: genesis(), settled: p.Settled}}
	above := int64(0)
	if o.Short {
		above = p.VerifiedTo
		if err := v.resume(ctx, p); err != nil {
			return Result{}, err
		}
	}
	if v.heads, err = l.headsAfter(ctx, q, v.Last); err != nil {
		return Result{}, err
	}
	if err := v.seals(ctx); err != nil {
		return Result{}, err
	}
	for _, head := range v.heads {
		v.find("seal %d, the last one when %s began, is missing", head.Seq, head.Day)
	}
	if v.Last < p.Sealed {
		v.find("seals %d to %d, the last ones, are missing", v.Last+1, p.Sealed)
	}
	if err := v.unsealedRows(ctx, above); err != nil {
		return Result{}, err
	}
	v.Waiting, err = l.waiting(ctx, q, p.Settled)
	return v.Result, err
}

func (v *verifier) find(format string, args ...any) {
	if len(v.Findings) < maxFindings {
		v.Findings = append(v.Findings, fmt.Sprintf(format, args...))
	}
}

// resume begins at the last seal of the latest verification, which must still be there.
func (v *verifier) resume(ctx context.Context, p progress) error {
	v.Last, v.Head = p.Verified, p.VerifiedHash
	if p.Verified == 0 {
		v.Head = genesis()
		return nil
	}
	seals, err := v.sealsAfter(ctx, v.q, p.Verified-1, 1)
	if err != nil {
		return err
	}
	if len(seals) == 0 || seals[0].Seq != p.Verified || !bytes.Equal(seals[0].Hash, p.VerifiedHash) {
		v.find("seal %d, which was verified before, is missing or was changed", p.Verified)
	}
	return nil
}

// seals verifies the seals from v.Last on.
func (v *verifier) seals(ctx context.Context) error {
	for {
		seals, err := v.sealsAfter(ctx, v.q, v.Last, batchSize)
		if err != nil || len(seals) == 0 {
			return err
		}
		ids := make([]int64, len(seals))
		for i, seal := range seals {
			ids[i] = seal.RowID
		}
		rows, err := v.load(ctx, v.q, ids)
		if err != nil {
			return err
		}
		for _, seal := range seals {
			row, found := rows[seal.RowID]
			v.seal(seal, row, found)
		}
	}
}

func (v *verifier) seal(seal sealRow, row []byte, found bool) {
	switch {
	case seal.Seq != v.Last+1:
		v.find("seals %d to %d are missing before %s %d", v.Last+1, seal.Seq-1, v.row, seal.RowID)
	case seal.Version != canonicalVersion:
		v.find("seal %d of %s %d has the unknown version %d", seal.Seq, v.row, seal.RowID, seal.Version)
	case !found:
		v.find("%s %d was removed (seal %d)", v.row, seal.RowID, seal.Seq)
	case !bytes.Equal(hashOf(v.Head, seal.Seq, row), seal.Hash):
		v.find("%s %d or its seal %d was changed", v.row, seal.RowID, seal.Seq)
	}
	for len(v.heads) > 0 && v.heads[0].Seq <= seal.Seq {
		if head := v.heads[0]; head.Seq != seal.Seq || !bytes.Equal(head.Hash, seal.Hash) {
			v.find("seal %d is not the one that %s began with", head.Seq, head.Day)
		}
		v.heads = v.heads[1:]
	}
	v.HasHead = v.HasHead || v.o.Head != nil && bytes.Equal(v.o.Head, seal.Hash)
	v.Checked++
	v.Last, v.Head = seal.Seq, seal.Hash
}

// unsealedRows finds rows that were inserted after all rows up to their ids had been sealed.
func (v *verifier) unsealedRows(ctx context.Context, above int64) error {
	ids, err := v.inserted(ctx, v.q, above, v.settled, maxFindings)
	if err != nil {
		return err
	}
	for _, id := range ids {
		v.find("%s %d has no seal: it was inserted later, or its seal was removed", v.row, id)
	}
	if v.orphans == "" {
		return nil
	}
	ids, err = v.orphaned(ctx, v.q, above, maxFindings)
	for _, id := range ids {
		v.find("an entry belongs to %s %d, which does not exist", v.row, id)
	}
	return err
}
