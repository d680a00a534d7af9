package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/migrations"
)

// Validate fails unless the database has every migration and stored function that this binary knows
// and its cluster is the expected one. Newer migrations are accepted, because binaries of two
// versions run side by side during a rolling deployment. The api and the worker call it before they
// serve.
func Validate(ctx context.Context, pool *pgxpool.Pool) error {
	files, err := readMigrations(migrations.FS)
	if err != nil {
		return err
	}
	// CollectRows returns the error of the query.
	rows, _ := pool.Query(ctx, "select version from public.schema_migrations")
	versions, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if hasCode(err, codeUndefinedTable) {
		return errors.New("the database has no schema: run `amanat migrate`")
	}
	if err != nil {
		return fmt.Errorf("schema_migrations: %w", err)
	}
	applied := make(map[int]bool, len(versions))
	for _, version := range versions {
		applied[version] = true
	}
	for _, file := range files {
		if !applied[file.version] {
			return fmt.Errorf("migration %04d_%s is missing: run `amanat migrate`", file.version, file.name)
		}
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
