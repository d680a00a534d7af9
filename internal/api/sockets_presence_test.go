package api_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// meetings records the users announced on rt:presence since the last take.
type meetings struct {
	mu   sync.Mutex
	told []uuid.UUID
}

func (m *meetings) note(channel string, payload any) {
	if channel != "rt:presence" {
		return
	}
	encoded, err := json.Marshal(payload)
	must(err)
	var announced struct{ Tell []uuid.UUID }
	must(json.Unmarshal(encoded, &announced))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = append(m.told, announced.Tell...)
}

func (m *meetings) take() []uuid.UUID {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := m.told
	m.told = nil
	return told
}

// Users see each other's presence from the first reply on, whichever call sends it, and not before.
func TestPresence_after_first_reply(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rahim, karim, nusrat := f.member("rahim"), f.member("karim"), f.member("nusrat")
	rahimAndKarim := []uuid.UUID{rahim.user.ID, karim.user.ID}

	id := rahim.opens(karim, nil).Conversation.ID // as the button of a profile does
	require.Empty(t, f.met.take(), "nobody has said anything")
	rahim.says(id, "Hello")
	rahim.says(id, "Are you there?")
	require.Empty(t, f.met.take(), "nobody has answered")
	karim.says(id, "Hello to you")
	require.ElementsMatch(t, rahimAndKarim, f.met.take())
	karim.opens(rahim, fields{"text": "How are you?"})
	require.Empty(t, f.met.take(), "they know each other")

	rahim.opens(nusrat, nil)
	key := []string{"Idempotency-Key", "one-click"}
	first := fields{"receiverId": rahim.user.ID, "text": "You looked for me?"}
	nusrat.post("/messages/send-or-start", first, key...).want(201)
	require.Empty(t, f.met.take(), "an empty conversation asks for nothing")
	rahim.opens(nusrat, fields{"text": "I did."})
	require.ElementsMatch(t, []uuid.UUID{rahim.user.ID, nusrat.user.ID}, f.met.take())
	nusrat.post("/messages/send-or-start", first, key...).want(201)
	require.Empty(t, f.met.take())

	karim.opens(nusrat, fields{"text": "Hello"})
	require.Empty(t, f.met.take())
}
