package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// arguments returns args as pgx takes them: none for nil, since pgx would look for names in the
// statement otherwise.
func arguments(args pgx.NamedArgs) []any {
	if args == nil {
		return nil
	}
	return []any{positionalArgs(args)}
}

// positionalArgs are pgx.NamedArgs for statements that are run often: the text is parsed for names
// once instead of on each call.
type positionalArgs pgx.NamedArgs

// positional is a statement with $1, $2, … instead of names, which are in this order.
type positional struct {
	sql   string
	names []string
}

// rewritten has the positional of each text that has run. The texts are constants of the program,
// so their number is bounded.
var rewritten sync.Map

// RewriteQuery implements pgx.QueryRewriter. As with pgx.NamedArgs, a missing argument is null.
func (a positionalArgs) RewriteQuery(ctx context.Context, conn *pgx.Conn, sql string, args []any) (string, []any, error) {
	known, ok := rewritten.Load(sql)
	if !ok {
		var err error
		if known, ok, err = a.rewrite(ctx, conn, sql); err != nil {
			return "", nil, err
		}
		if !ok {
			return pgx.NamedArgs(a).RewriteQuery(ctx, conn, sql, args)
		}
		rewritten.Store(sql, known)
	}
	statement, _ := known.(positional) // the only type stored
	values := make([]any, len(statement.names))
	for i, name := range statement.names {
		values[i] = a[name]
	}
	return statement.sql, values, nil
}

// rewrite lets pgx replace the names, each of which stands for its own value meanwhile. It reports
// false if an argument is missing, whose name is therefore unknown.
func (a positionalArgs) rewrite(ctx context.Context, conn *pgx.Conn, sql string) (positional, bool, error) {
	own := make(pgx.NamedArgs, len(a))
	for name := range a {
		own[name] = name
	}
	text, values, err := own.RewriteQuery(ctx, conn, sql, nil)
	if err != nil {
		return positional{}, false, err
	}
	names := make([]string, len(values))
	for i, value := range values {
		name, found := value.(string)
		if !found {
			return positional{}, false, nil
		}
		names[i] = name
	}
	return positional{text, names}, true, nil
}
