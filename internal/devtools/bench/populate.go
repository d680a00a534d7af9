package bench

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/platform/postgres"
)

const (
	buyerCount    = 1000
	sellerCount   = 1000
	expectedRate  = 1500 // deals a second that nobody pays faster
	measuredTwice = 1.5  // of each round: at full and at half rate
)

// populate makes people with money and sessions, and enough deals for them to pay: rows as the api leaves them, without asking it two
// hundred thousand times.
func (m *market) populate(ctx context.Context) error {
	workerURL, err := m.login(marketDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	worker, err := postgres.Connect(ctx, workerURL, postgres.Options{MaxConns: ownerConns})
	if err != nil {
		return err
	}
	defer worker.Close()

	now := time.Now()
	buyers, sellers := newIDs(buyerCount), newIDs(sellerCount)
	m.buyers = buyers
	if err := insertUsers(ctx, m.owner, "seller", false, sellers, now); err != nil {
		return err
	}
	if m.sessions, err = m.addPeople(ctx, "buyer", false, buyers, now); err != nil {
		return err
	}
	if err := m.populateTown(ctx, now); err != nil {
		return err
	}
	deals := int(math.Ceil(expectedRate * measuredTwice * m.options.Duration.Seconds() * float64(m.options.Rounds)))
	for i, id := range newIDs(deals) {
		m.unpaid = append(m.unpaid, bill{id, i % buyerCount})
	}
	if err := insertDeals(ctx, m.owner, m.unpaid, buyers, sellers, now); err != nil {
		return err
	}
	m.wallets = newIDs(walletCount)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(m.options.Clients)
	deposits := newIDs(buyerCount)
	if err := insertDeposits(ctx, m.owner, deposits, buyers, sellers[0], now); err != nil {
		return err
	}
	for i, id := range buyers {
		group.Go(func() error { return credit(groupCtx, worker, deposits[i], id, sellers[0]) })
	}
	for _, id := range m.wallets {
		group.Go(func() error { return m.fill(groupCtx, m.ledger, id) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return analyze(ctx, m.owner)
}

// addPeople makes people who are signed in, and returns their sessions.
func (m *market) addPeople(ctx context.Context, name string, admin bool, ids []uuid.UUID, now time.Time) (sessions []string, err error) {
	if err := insertUsers(ctx, m.owner, name, admin, ids, now); err != nil {
		return nil, err
	}
	hashes := make([][]byte, len(ids))
	for i, id := range ids {
		token := base64.RawURLEncoding.EncodeToString(id[:])
		hash := sha256.Sum256([]byte(token))
		sessions, hashes[i] = append(sessions, token), hash[:]
	}
	return sessions, insertSessions(ctx, m.owner, ids, hashes, now)
}

func newIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	return ids
}
