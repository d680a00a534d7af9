package actor_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/actor"
	"amanat/internal/testing/dbtest"
)

func TestActor(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	tests := map[string]struct {
		actor  actor.Actor
		isUser bool
		text   string
	}{
		"user":                {actor.User(id), true, "user:" + id.String()},
		"user of the zero id": {actor.User(uuid.UUID{}), true, "user:00000000-0000-0000-0000-000000000000"},
		"system":              {actor.System(), false, "system"},
		"operator":            {actor.Operator(), false, "operator"},
		"zero value":          {actor.Actor{}, false, "system"},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, isUser := c.actor.UserID()
			require.Equal(t, c.isUser, isUser)
			require.Equal(t, c.isUser, c.actor.Is(got), "Is is false for other actors")
			require.Equal(t, c.text, c.actor.String())
		})
	}
}

func TestActor_in_the_database(t *testing.T) {
	t.Parallel()
	db, id := dbtest.New(t), uuid.New()
	tests := map[string]struct{ wrote, read actor.Actor }{
		"user":     {actor.User(id), actor.User(id)},
		"system":   {actor.System(), actor.System()},
		"operator": {actor.Operator(), actor.System()}, // both are null
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var read actor.Actor
			var null bool
			require.NoError(t, db.Owner().QueryRow(t.Context(), `select $1::uuid, $1::uuid is null`, c.wrote).Scan(&read, &null))
			require.Equal(t, c.read, read)
			_, isUser := c.wrote.UserID()
			require.Equal(t, !isUser, null)
		})
	}
}
