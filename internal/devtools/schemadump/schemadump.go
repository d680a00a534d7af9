// Package schemadump writes down what the migrations make of a database, for readers: tables, indexes, triggers and the signatures of
// functions, in an order that depends on nothing but their names. pg_dump, which would say more, is not among the binaries of the embedded
// server.
package schemadump

import (
	"context"
	"fmt"
	"strings"

	"amanat/internal/platform/postgres"
)

const header = `-- What migrations/NNNN_name.sql and migrations/functions/*.sql make, without River's schema. For readers: nothing runs this file.
-- Written by make generate, checked by make verify. What each login may do: migrations/grants.sql.
`

// Dump returns the schema of a database. It fails on objects of a kind that it does not know, which would be missing.
func Dump(ctx context.Context, db postgres.Querier) (string, error) {
	unknown, err := listUnknown(ctx, db)
	if err != nil {
		return "", err
	}
	if len(unknown) > 0 {
		return "", fmt.Errorf("schemadump: cannot write %s", strings.Join(unknown, ", "))
	}
	var out strings.Builder
	out.WriteString(header)
	extensions, err := listExtensions(ctx, db)
	if err != nil {
		return "", err
	}
	section(&out, "", extensions)
	if err := dumpTables(ctx, db, &out); err != nil {
		return "", err
	}
	functions, err := listFunctions(ctx, db)
	if err != nil {
		return "", err
	}
	section(&out, "-- Functions; what they do stands in migrations/functions.", prefixed("-- ", functions))
	return out.String(), nil
}

// parts are the lines of SQL that belong to tables, by the table's id.
type parts map[int64][]string

func partsOf(rows []partRow, err error) (parts, error) {
	lines := parts{}
	for _, row := range rows {
		lines[row.TableID] = append(lines[row.TableID], row.Line)
	}
	return lines, err
}

func dumpTables(ctx context.Context, db postgres.Querier, out *strings.Builder) error {
	tables, err := listTables(ctx, db)
	if err != nil {
		return err
	}
	columns, err := partsOf(listColumns(ctx, db))
	if err != nil {
		return err
	}
	constraints, err := partsOf(listConstraints(ctx, db))
	if err != nil {
		return err
	}
	indexes, err := partsOf(listIndexes(ctx, db))
	if err != nil {
		return err
	}
	triggers, err := partsOf(listTriggers(ctx, db))
	if err != nil {
		return err
	}
	for _, table := range tables {
		options := ""
		if table.Options != "" {
			options = " with (" + table.Options + ")"
		}
		inside := append(columns[table.ID], constraints[table.ID]...)
		fmt.Fprintf(out, "\ncreate table %s (\n  %s\n)%s;\n", table.Name, strings.Join(inside, ",\n  "), options)
		for _, line := range append(indexes[table.ID], triggers[table.ID]...) {
			fmt.Fprintln(out, line)
		}
	}
	return nil
}

func section(out *strings.Builder, title string, lines []string) {
	out.WriteString("\n")
	if title != "" {
		out.WriteString(title + "\n")
	}
	for _, line := range lines {
		out.WriteString(line + "\n")
	}
}

func prefixed(prefix string, lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = prefix + line
	}
	return list
}
