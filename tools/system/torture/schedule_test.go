package main

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A full run kills each kind of process as often as docs/reliability.md says, half of them around a
// commit.
func TestPlan_full_run(t *testing.T) {
	t.Parallel()
	n := &nemesis{system: &system{}, random: rand.New(rand.NewPCG(1, 0))}
	kills, places := map[string]int{}, 0
	for _, faults := range lanes() {
		for _, f := range plan(faults(n), full, n.random) {
			if !f.kills {
				continue
			}
			who, where, _ := strings.Cut(f.name, " killed")
			kills[who]++
			if where != "" {
				places++
			}
		}
	}
	require.Equal(t, map[string]int{"worker": 100, "api": 50, "PostgreSQL": 30, "Redis": 20}, kills)
	require.Equal(t, 100, places)
}

func TestPlan_short_run(t *testing.T) {
	t.Parallel()
	lane := []fault{{name: "often", often: 60}, {name: "rare", often: 1}}
	random := rand.New(rand.NewPCG(1, 0))
	require.Len(t, plan(lane, time.Minute, random), 7, "everything happens")
	require.Len(t, plan(lane, 20*time.Second, random), 2, "only what fits")
}

// The same seed gives the same faults in the same order.
func TestPlan_seed(t *testing.T) {
	t.Parallel()
	names := func(seed uint64) (names []string) {
		n := &nemesis{system: &system{}, random: rand.New(rand.NewPCG(seed, 0))}
		for _, f := range plan(n.processFaults(), full, n.random) {
			names = append(names, f.name)
		}
		return names
	}
	first := names(1)
	require.Equal(t, first, names(1))
	require.NotEqual(t, first, names(2))
}
