package chain_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"amanat/internal/money/chain"
)

// begin returns a transaction that ends with the test.
func (f *fixture) begin(db *pgxpool.Pool) pgx.Tx {
	f.Helper()
	tx, err := db.Begin(f.Context())
	require.NoError(f, err)
	f.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(f.Context())) })
	return tx
}

const post = `select ledger.post($1, 'test', now(), null, null, array['exchange', 'fees'], array[null, null]::uuid[],
	array['USD', 'USD'], array[-1, 1]::bigint[])`

// A transaction that took its id before others commits after them. Its row is sealed then, and
// until then no verification takes it for one that was inserted later.
func TestSeal_late_commit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	late := f.begin(f.db.Worker())
	_, err := late.Exec(t.Context(), post, "late")
	require.NoError(t, err)
	f.add(2)
	impatient := &chain.Sealer{DB: f.db.Worker()}
	n, err := impatient.Seal(t.Context(), noon)
	require.NoError(t, err)
	require.EqualValues(t, 4, n, "nobody waits for the late one")
	const settled = `select settled from chain.progress where chain = 'transfers'`
	require.EqualValues(t, 2, f.value(settled))
	require.Empty(t, findings(f.verify(chain.Options{})))
	require.NoError(t, late.Commit(t.Context()))
	require.EqualValues(t, 1, f.seal())
	require.EqualValues(t, 5, f.value(settled))
	require.EqualValues(t, 5, f.value(`select seq from chain.transfer_seals where row_id = 3`), "in the order of sealing")
	require.Empty(t, findings(f.verify(chain.Options{})))
}

// An id is taken before the transaction has an xid, so no snapshot shows the transaction. The lock
// on the table does.
func TestSeal_id_without_xid(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	late := f.begin(f.db.Owner())
	_, err := late.Exec(t.Context(), `lock table ledger.transfers in row exclusive mode`) // as an insert does
	require.NoError(t, err)
	var id int64
	require.NoError(t, late.QueryRow(t.Context(), `select nextval('ledger.transfers_id_seq')`).Scan(&id))
	f.add(1)
	_, err = (&chain.Sealer{DB: f.db.Worker()}).Seal(t.Context(), noon)
	require.NoError(t, err)
	require.Less(t, f.value(`select settled from chain.progress where chain = 'transfers'`), id)
	require.NoError(t, late.Rollback(t.Context()))
	f.seal()
	require.Greater(t, f.value(`select settled from chain.progress where chain = 'transfers'`), id, "nor does it wait for what never comes")
}

var errAbort = errors.New("abort")

// Sealers race with each other and with posters, some of which commit late or not at all. Every
// row is sealed once, and no verification in between finds anything.
func TestSeal_races(t *testing.T) {
	t.Parallel()
	const posters, rounds = 4, 50
	f := newFixture(t)
	config, err := pgxpool.ParseConfig(f.db.WorkerURL)
	require.NoError(t, err)
	config.MaxConns = 2*posters + 3 // each poster holds two
	db, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(t.Context(), post, "first") // creates the accounts, for which others would wait
	require.NoError(t, err)
	done := make(chan struct{})
	var posting, watching sync.WaitGroup
	for p := range posters {
		posting.Go(func() {
			var held []pgx.Tx
			for i := range rounds {
				tx, err := db.Begin(t.Context())
				if err == nil {
					_, err = tx.Exec(t.Context(), post, fmt.Sprintf("race:%d:%d", p, i))
				}
				if err != nil {
					t.Error(err)
					return
				}
				switch rand.IntN(5) {
				case 0:
					_ = tx.Rollback(t.Context())
				case 1:
					held = append(held, tx) // commits after later ids
				default:
					if err := tx.Commit(t.Context()); err != nil {
						t.Error(err)
					}
				}
				if len(held) > 1 || i == rounds-1 {
					for _, late := range held {
						if err := late.Commit(t.Context()); err != nil {
							t.Error(err)
						}
					}
					held = nil
				}
			}
		})
	}
	watch := func(do func() error) {
		watching.Go(func() {
			for {
				if err := do(); err != nil {
					t.Error(err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for range 2 {
		sealer := &chain.Sealer{DB: db, Patience: 20 * time.Millisecond}
		watch(func() error {
			_, err := sealer.Seal(t.Context(), noon)
			return err
		})
	}
	watch(func() error {
		results, err := chain.Verify(t.Context(), db, chain.Options{})
		if err == nil && len(findings(results)) > 0 {
			err = fmt.Errorf("%w: %v", errAbort, findings(results))
		}
		return err
	})
	posting.Wait()
	close(done)
	watching.Wait()
	f.seal()
	results := f.verify(chain.Options{})
	require.Empty(t, findings(results))
	require.Equal(t, f.value(`select count(*) from ledger.transfers`), results[0].Checked)
	require.Zero(t, results[0].Waiting)
	require.Equal(t, f.value(`select last_value from ledger.transfers_id_seq`),
		f.value(`select settled from chain.progress where chain = 'transfers'`))
}
