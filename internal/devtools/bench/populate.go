package bench

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"amanat/internal/lib/postgres"
)

const (
	buyerCount   = 1000
	sellerCount  = 1000
	expectedRate = 1500 // deals per second, more than any machine pays
	fullRates    = 2    // each round pays once at full rate and twice at half rate
)

// populate inserts users with money and sessions, and enough deals for them to pay. It inserts the
// rows that the api would, instead of making two hundred thousand requests.
func (e *environment) populate(ctx context.Context) error {
	workerURL, err := e.login(mainDatabase, postgres.WorkerRole, workerPassword)
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
	e.buyers = buyers
	if err := insertUsers(ctx, e.owner, "seller", false, sellers, now); err != nil {
		return err
	}
	if e.sessions, err = e.createUsers(ctx, "buyer", false, buyers, now); err != nil {
		return err
	}
	if err := e.insertListeners(ctx, now); err != nil {
		return err
	}
	seconds := e.warmUp().Seconds() + fullRates*e.options.Duration.Seconds()*float64(e.options.Rounds)
	deals := int(math.Ceil(expectedRate * seconds))
	for i, id := range newIDs(deals) {
		e.unpaid = append(e.unpaid, payment{id, i % buyerCount})
	}
	if err := insertDeals(ctx, e.owner, e.unpaid, buyers, sellers, now); err != nil {
		return err
	}
	e.wallets = newIDs(walletCount)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(e.options.Clients)
	deposits := newIDs(buyerCount)
	if err := insertDeposits(ctx, e.owner, deposits, buyers, sellers[0], now); err != nil {
		return err
	}
	for i, id := range buyers {
		group.Go(func() error { return postDeposit(groupCtx, worker, deposits[i], id, sellers[0]) })
	}
	for _, id := range e.wallets {
		group.Go(func() error { return e.fillWallet(groupCtx, e.ledger, id) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return vacuum(ctx, e.owner)
}

// createUsers inserts users with a session each, and returns the session tokens.
func (e *environment) createUsers(
	ctx context.Context, name string, admin bool, ids []uuid.UUID, now time.Time,
) (sessions []string, err error) {
	if err := insertUsers(ctx, e.owner, name, admin, ids, now); err != nil {
		return nil, err
	}
	hashes := make([][]byte, len(ids))
	for i, id := range ids {
		token := base64.RawURLEncoding.EncodeToString(id[:])
		hash := sha256.Sum256([]byte(token))
		sessions, hashes[i] = append(sessions, token), hash[:]
	}
	return sessions, insertSessions(ctx, e.owner, ids, hashes, now)
}

func newIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	return ids
}
