package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/migrations"
)

// Validate fails unless the database has the migrations and stored functions of this program and
// its cluster is the expected one. The api and the worker call it before they serve.
func Validate(ctx context.Context, pool *pgxpool.Pool) error {
	files, err := readMigrations(migrations.FS)
	if err != nil {
		return err
	}
	missing, err := missingMigrations(ctx, pool, files)
	if hasCode(err, codeUndefinedTable) {
		return errors.New("the database has no schema: run `amanat migrate`")
	}
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("migration %04d_%s is missing: run `amanat migrate`", missing[0].version, missing[0].name)
	}
	functions, err := readFunctions(migrations.FS)
	if err != nil {
		return err
	}
	if err := validateFunctions(ctx, pool, functions); err != nil {
		return err
	}
	if err := validateCluster(ctx, pool); err != nil {
		return err
	}
	migrator, err := riverMigrator(pool)
	if err != nil {
		return err
	}
	result, err := migrator.Validate(ctx, nil)
	if err != nil {
		return fmt.Errorf("job queue: %w", err)
	}
	if !result.OK {
		return fmt.Errorf("job queue: %v: run `amanat migrate`", result.Messages)
	}
	return nil
}

// A cluster never reuses transaction ids, so a higher id than the next one comes from another
// cluster.
const sqlMoved = `select exists (select from ledger.rollups where upto_xid > pg_snapshot_xmax(pg_current_snapshot()))`

// validateCluster fails if the database was restored from a dump of another cluster and moved.sql
// has not run since.
func validateCluster(ctx context.Context, pool *pgxpool.Pool) error {
	var moved bool
	if err := pool.QueryRow(ctx, sqlMoved).Scan(&moved); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if moved {
		return errors.New("the database was moved to another cluster: run `amanat migrate`")
	}
	return nil
}

const codeUndefinedTable = "42P01"
