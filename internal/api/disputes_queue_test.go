package api_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/realtime"
)

// worklists records what admins are told of changed rows of their lists.
type worklists struct {
	mu      sync.Mutex
	changes []realtime.QueueChanged
}

func (w *worklists) note(frame realtime.Frame) {
	if w == nil {
		return
	}
	var change realtime.QueueChanged
	must(json.Unmarshal(frame.Data, &change))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changes = append(w.changes, change)
}

// of returns how often a row of a list has changed.
func (w *worklists) of(queue realtime.Queue, id uuid.UUID) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, change := range w.changes {
		if change == (realtime.QueueChanged{Queue: queue, ID: id}) {
			n++
		}
	}
	return n
}

// Admins learn of every change of a dispute.
func TestDisputes_told_to_admins(t *testing.T) {
	t.Parallel()
	f, boss, buyer, seller := newFixtureWithUsers(t)
	second := f.admin("second")
	x := buyer.disputed(seller, 100)
	require.Equal(t, 1, f.worklists.of(realtime.QueueDisputes, x.ID), "opened")
	for _, act := range []func(){
		func() { seller.post(dispute(x, "answer"), fields{"text": "It is mine."}).want(200) },
		func() { seller.offersSplit(x, 10) },
		func() { boss.post("/admin"+dispute(x, "claim"), nil).want(200) },
		func() { boss.rulesOn(x, 50).want(200) },
		func() { buyer.post(dispute(x, "appeal"), fields{"text": "No."}).want(200) },
		func() { second.post("/admin"+dispute(x, "appeal/decide"), ruling(60)).want(200) },
	} {
		before := f.worklists.of(realtime.QueueDisputes, x.ID)
		act()
		require.Greater(t, f.worklists.of(realtime.QueueDisputes, x.ID), before)
	}
}
