package postgres

import "context"

// One, Exec and the rest of this file are for internal/money/idempotency until it uses statements.
func One[T any](ctx context.Context, q Querier, name, sql string, args Args) (T, error) {
	return Query[T](name, sql).One(ctx, q, args)
}

// Exec is Command(name, sql).Exec.
func Exec(ctx context.Context, q Querier, name, sql string, args Args) error {
	return Command(name, sql).Run(ctx, q, args)
}

// QueueExec is Command(name, sql).Queue.
func QueueExec(q Queue, name, sql string, args Args) { Command(name, sql).Queue(q, args) }

// QueueCount is Command(name, sql).QueueCount.
func QueueCount(q Queue, name, sql string, args Args, check func(n int64) error) {
	Command(name, sql).QueueCount(q, args, check)
}

// DeleteOldest is Command(name, sql).DeleteOldest.
func DeleteOldest(ctx context.Context, q Querier, name, sql string, args Args, limit int64) (int64, error) {
	return Command(name, sql).DeleteOldest(ctx, q, args, limit)
}

// Value is Query(name, sql).One.
func Value[T any](ctx context.Context, q Querier, name, sql string, args Args) (T, error) {
	return Query[T](name, sql).One(ctx, q, args)
}
