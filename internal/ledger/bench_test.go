package ledger_test

import (
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"amanat/internal/dbtest"
	"amanat/internal/ledger"
	"amanat/internal/money"
	"amanat/internal/postgres"
)

// BenchmarkPost measures one posting a transaction, spread over many wallets and with every posting touching the fee account, which must
// cost the same. -cpu 16 gives sixteen connections.
func BenchmarkPost(b *testing.B) {
	for name, legs := range map[string]func(from, to uuid.UUID) []ledger.Leg{
		"spread": func(from, to uuid.UUID) []ledger.Leg {
			return []ledger.Leg{ledger.Move(ledger.Wallet(from), ledger.Wallet(to), 100)}
		},
		"one fee account": func(from, to uuid.UUID) []ledger.Leg {
			return []ledger.Leg{
				ledger.Move(ledger.Wallet(from), ledger.Wallet(to), 98), ledger.Move(ledger.Wallet(from), ledger.Fees(), 2),
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			db, err := postgres.Connect(b.Context(), dbtest.New(b).WorkerURL, postgres.Options{MaxConns: 16})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(db.Close)
			post := func(legs []ledger.Leg) error {
				return postgres.WithTx(b.Context(), db, func(tx *postgres.Tx) error {
					return ledger.Post(b.Context(), tx, ledger.Transfer{Key: uuid.NewString(), Kind: "bench", At: at, Legs: legs})
				})
			}
			wallets := make([]uuid.UUID, 1000)
			for i := range wallets {
				wallets[i] = uuid.New()
				if err := post([]ledger.Leg{ledger.Move(ledger.ExchangeUSD(), ledger.Wallet(wallets[i]), money.MaxPrice)}); err != nil {
					b.Fatal(err)
				}
			}
			var next atomic.Int64
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					i := int(next.Add(1))
					if err := post(legs(wallets[i%1000], wallets[(i*7+1)%1000])); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
