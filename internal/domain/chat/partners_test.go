package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/domain/chat"
	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/realtime"
	"amanat/internal/testing/dbtest"
)

// screens keeps what people are told.
type screens struct {
	told map[uuid.UUID][]realtime.Frame
}

func (s *screens) PublishFrame(userID uuid.UUID, frame realtime.Frame) {
	s.told[userID] = append(s.told[userID], frame)
}

func (s *screens) PublishAdmins(realtime.Frame) {}

func newPeople(t *testing.T, db *dbtest.DB, n int) []uuid.UUID {
	t.Helper()
	people := make([]uuid.UUID, n)
	for i := range people {
		people[i] = uuid.Must(uuid.NewV7())
		_, err := db.Owner().Exec(t.Context(), `
			insert into users (id, username, email, password_hash, referral_code, terms_accepted_at, created_at)
			values ($1, $2, $2, '', $2, now(), now())`, people[i], fmt.Sprintf("person%d", i))
		require.NoError(t, err)
	}
	return people
}

// talk makes a conversation of two people with so many messages, in turn, at the time.
func talk(t *testing.T, db *dbtest.DB, a, b uuid.UUID, messages int, at time.Time) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := db.Owner().Exec(t.Context(), `
		insert into conversations (id, user_a, user_b, started_by, last_seq, answered, created_at, updated_at)
		values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $2, $4::bigint, $4::bigint > 1, $5, $5)`, id, a, b, messages, at)
	require.NoError(t, err)
	return id
}

func TestPartnersAreWhoOneHasTalkedWith(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	people := newPeople(t, db, 5)
	now := clock.System{}.Now()
	talk(t, db, people[0], people[1], 3, now)
	talk(t, db, people[2], people[0], 2, now.Add(-time.Hour))
	talk(t, db, people[3], people[0], 0, now) // nobody has said anything
	talk(t, db, people[1], people[4], 2, now)
	talk(t, db, people[0], people[4], 1, now) // nobody has answered
	found, err := chat.Partners(db.API())(t.Context(), []uuid.UUID{people[0], people[1], people[3]})
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, []uuid.UUID{people[1], people[2]}, found[people[0]], "the latest first")
	slices.SortFunc(found[people[1]], func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	require.Equal(t, []uuid.UUID{people[0], people[4]}, found[people[1]])
}

func TestOnlyTheOtherHearsThatSomebodyWrites(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	heard := &screens{told: map[uuid.UUID][]realtime.Frame{}}
	service := &chat.Service{DB: db.API(), Clock: clock.System{}, Events: &realtime.Log{Clock: clock.System{}, Publish: heard}}
	people := newPeople(t, db, 3)
	conversation := talk(t, db, people[0], people[1], 1, clock.System{}.Now())
	for _, id := range []uuid.UUID{conversation, uuid.New(), {}} {
		require.Equal(t, fault.NotFound, fault.CodeOf(service.Type(t.Context(), people[2], id)))
	}
	require.Empty(t, heard.told)
	require.NoError(t, service.Type(t.Context(), people[1], conversation))
	require.Len(t, heard.told, 1)
	frame := heard.told[people[0]][0]
	require.Equal(t, "typing", frame.Type)
	require.Zero(t, frame.Seq)
	var typing chat.Typing
	require.NoError(t, json.Unmarshal(frame.Data, &typing))
	require.Equal(t, chat.Typing{ConversationID: conversation, UserID: people[1]}, typing)
}

// meetings keeps who was told that they have met.
type meetings struct{ met [][]uuid.UUID }

func (m *meetings) PartnersAdded(users ...uuid.UUID) { m.met = append(m.met, users) }

// The first answer makes two people see each other online; nothing before it and nothing after it does.
func TestSend_first_answer(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	presence := &meetings{}
	service := &chat.Service{
		DB: db.API(), Clock: clock.System{}, Presence: presence,
		Events: &realtime.Log{Clock: clock.System{}, Publish: &screens{told: map[uuid.UUID][]realtime.Frame{}}},
	}
	people := newPeople(t, db, 2)
	conversation := talk(t, db, people[0], people[1], 0, clock.System{}.Now())
	for _, step := range []struct {
		sender int
		met    int
	}{{0, 0}, {0, 0}, {1, 1}, {0, 1}, {1, 1}} {
		_, err := service.Send(t.Context(), people[step.sender], &conversation, chat.Draft{Text: "Hello"}, nil)
		require.NoError(t, err)
		require.Len(t, presence.met, step.met)
	}
	require.ElementsMatch(t, people, presence.met[0])
}
