package postgres_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
)

// Each statement runs several times: the first run finds the names in its text.
func TestArguments_names(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t).Owner()
	const sql = `select @b || '@a' || @a || coalesce(@b, '-') -- @c`
	for _, run := range []struct {
		args pgx.NamedArgs
		want *string
	}{
		{pgx.NamedArgs{"b": "1"}, nil},
		{pgx.NamedArgs{"a": "2", "b": "1"}, new("1@a21")},
		{pgx.NamedArgs{"a": "4", "b": "3", "unused": 5}, new("3@a43")},
		{pgx.NamedArgs{"a": "4"}, nil},
		{pgx.NamedArgs{"a": nil, "b": "3"}, nil},
	} {
		got, err := postgres.Value[*string](ctx, db, "test.value", sql, run.args)
		require.NoError(t, err)
		require.Equal(t, run.want, got, run.args)
	}
}

func TestArguments_uuids(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), dbtest.New(t).Owner()
	type ids struct {
		One     uuid.UUID
		Many    []uuid.UUID
		Given   *uuid.UUID
		Missing *uuid.UUID
		Null    uuid.NullUUID
		Text    string
	}
	one, other := uuid.New(), uuid.New()
	got, err := postgres.One[ids](ctx, db, "test.one", `
		select @one::uuid as one, @many::uuid[] as many, @given::uuid as given, @missing::uuid as missing,
		       @null::uuid as null, @one::text as text`,
		pgx.NamedArgs{"one": one, "many": []uuid.UUID{one, other}, "given": &other, "missing": (*uuid.UUID)(nil), "null": uuid.NullUUID{}})
	require.NoError(t, err)
	require.Equal(t, ids{One: one, Many: []uuid.UUID{one, other}, Given: &other, Text: one.String()}, got)
}
