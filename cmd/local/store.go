package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"amanat/internal/lib/postgres"
	"amanat/internal/money"
)

func dropDatabase(ctx context.Context, conn *pgx.Conn) error {
	return postgres.Command("local.drop_database", `drop database if exists `+database+` with (force)`).Run(ctx, conn, nil)
}

// anyPendingOfClock reports whether an operation requested by the deadline sweep is pending.
func anyPendingOfClock(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.Query[bool]("local.any_pending_of_clock",
		`select exists (select 1 from operations where status = 'pending' and actor_id is null)`).One(ctx, db, nil)
}

// anyUser reports whether any user exists.
func anyUser(ctx context.Context, db postgres.Querier) (bool, error) {
	return postgres.Query[bool]("local.any_user", `select exists (select 1 from users)`).One(ctx, db, nil)
}

// lastBalance returns the balance of an account of the simulated phone, nil for a new one.
func lastBalance(ctx context.Context, db postgres.Querier, method string) (*money.Poisha, error) {
	balance, _, err := postgres.Query[*money.Poisha]("local.last_balance",
		`select balance from receivers where phone = @phone and payment_method = @method`).Find(ctx, db,
		postgres.Args{"phone": phoneName, "method": method})
	return balance, err
}

// createReceiver creates an account of the simulated phone, whose balance is known.
func createReceiver(ctx context.Context, db postgres.Querier, method string, now time.Time) error {
	err := postgres.Command("local.create_receiver", `
		insert into receivers (id, phone, sim, payment_method, balance, heard_at) values (gen_random_uuid(), @phone, 1, @method, @balance, @now)
		on conflict on constraint receivers_key do update set balance = excluded.balance, broken_at = null`).Run(ctx, db,
		postgres.Args{"phone": phoneName, "method": method, "balance": firstTaka, "now": now})
	if err != nil {
		return err
	}
	return postgres.Command("local.open_receiver", `
		update receivers r set opening = coalesce(r.opening, 0) + d.unexplained from payment_drift() d
		 where r.phone = @phone and r.payment_method = @method and d.payment_method = @method`).Run(ctx, db,
		postgres.Args{"phone": phoneName, "method": method})
}
