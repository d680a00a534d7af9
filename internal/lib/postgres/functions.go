package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const functionsDir = "functions"

// storedFunction is a file of migrations/functions, which creates or replaces a function.
type storedFunction struct {
	file string
	name string // schema-qualified, such as ledger.post
	sql  string
}

var functionName = regexp.MustCompile(`(?m)^create or replace function ([a-z_]+\.[a-z_]+)\s*\(`)

// readFunctions returns the files of the stored functions, sorted by name. Each file creates one
// function and is named after it. There may be none.
func readFunctions(fsys fs.FS) ([]storedFunction, error) {
	entries, err := fs.ReadDir(fsys, functionsDir) // sorted by name
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]storedFunction, len(entries))
	for i, entry := range entries {
		file := path.Join(functionsDir, entry.Name())
		sql, err := fs.ReadFile(fsys, file)
		if err != nil {
			return nil, err
		}
		made := functionName.FindAllStringSubmatch(string(sql), -1)
		if len(made) != 1 {
			return nil, fmt.Errorf("%s: has %d times `create or replace function schema.name(`, not once", file, len(made))
		}
		list[i] = storedFunction{file: file, name: made[0][1], sql: string(sql)}
	}
	return list, nil
}

// replaceFunctions creates or replaces all functions in one transaction. A function keeps its owner
// and its privileges.
func replaceFunctions(ctx context.Context, conn *pgxpool.Conn, functions []storedFunction) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		for _, f := range functions {
			if _, err := tx.Exec(ctx, f.sql); err != nil {
				return fmt.Errorf("%s: %w", f.file, err)
			}
		}
		return nil
	})
}

const sqlMissingFunctions = `
select n.name from unnest($1::text[]) as n (name)
 where not exists (select from pg_proc p join pg_namespace s on s.oid = p.pronamespace where s.nspname || '.' || p.proname = n.name)
 order by n.name`

// validateFunctions fails if a function that this binary knows does not exist. It cannot tell
// whether the function has this version: a change that a binary relies on needs a new name.
func validateFunctions(ctx context.Context, pool *pgxpool.Pool, functions []storedFunction) error {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.name
	}
	rows, _ := pool.Query(ctx, sqlMissingFunctions, names) // CollectRows returns its error
	missing, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("functions: %w", err)
	}
	if len(missing) > 0 {
		return fmt.Errorf("function %s is missing: run `amanat migrate`", missing[0])
	}
	return nil
}
