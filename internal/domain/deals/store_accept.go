package deals

import (
	"bytes"
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
)

const sqlLockOffers = `select pg_advisory_xact_lock(hashtextextended(@key, 0))`

// lockOffers serializes the creation of deals by a buyer and between two users. All transactions
// take the buyer's lock first.
func lockOffers(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) error {
	low, high := buyer, seller
	if bytes.Compare(low[:], high[:]) > 0 {
		low, high = high, low
	}
	for _, key := range []string{"deals.offer:" + buyer.String(), "deals.pair:" + low.String() + ":" + high.String()} {
		if err := postgres.Exec(ctx, tx, "deals.lock_offers", sqlLockOffers, pgx.NamedArgs{"key": key}); err != nil {
			return err
		}
	}
	return nil
}

// A deal that the seller has not accepted was created by its buyer.
const sqlUnaccepted = `
select (select count(*) from deals
         where (buyer_id = @buyer and seller_id = @seller or buyer_id = @seller and seller_id = @buyer)
           and accepted_at is null and removed_at is null and closed_at is null),
       (select count(*) from deals
         where buyer_id = @buyer and accepted_at is null and removed_at is null and closed_at is null)`

// countUnaccepted returns the number of open unaccepted deals between the two users, in either
// role, and of all those with the buyer.
func countUnaccepted(ctx context.Context, tx *postgres.Tx, buyer, seller uuid.UUID) (ofPair, ofBuyer int, err error) {
	args := pgx.NamedArgs{"buyer": buyer, "seller": seller}
	err = postgres.Scan(ctx, tx, "deals.count_unaccepted", sqlUnaccepted, args, &ofPair, &ofBuyer)
	return ofPair, ofBuyer, err
}

const sqlFindPending = `
select id from deals where (buyer_id = @user or seller_id = @user) and status = 'Pending' and removed_at is null order by id`

// findPending returns the Pending deals of a user.
func findPending(ctx context.Context, q postgres.Querier, userID uuid.UUID) ([]uuid.UUID, error) {
	return postgres.Values[uuid.UUID](ctx, q, "deals.find_pending", sqlFindPending, pgx.NamedArgs{"user": userID})
}
