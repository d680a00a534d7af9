package workers

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"amanat/internal/domain/deals"
	"amanat/internal/lib/clock"
	"amanat/internal/money"
	"amanat/internal/testing/soak"
)

var modelActions = []string{
	"pay", "deliver", "remove", "complete", "force complete", "force cancel", "cancel", "accept", "decline", "reset", "support", "agree",
	"dispute", "counter", "take", "drop",
}

// modelStories are the names of playStory.
var modelStories = []string{"accept late", "no answer", "hold at the deadline", "no new delivery"}

// scope runs its cleanups at the end of one check instead of the whole test, since each check has
// its own database.
type scope struct {
	testing.TB
	cleanups []func()
}

// Cleanup registers f to run at the end of the check.
func (s *scope) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *scope) end() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
}

func newModelFixture(t testing.TB, counts map[string]int) *modelFixture {
	t.Helper()
	base := newFixtureAt(t, clock.NewStopped()) // so that no deadline passes between a step and its check
	f := &modelFixture{fixture: base, counts: counts, admin: base.admin("admin")}
	onWorker, ops := *base.deals, *base.ops
	ops.DB = base.db.Worker()
	onWorker.DB, onWorker.Operations = base.db.Worker(), &ops
	f.sweeper = &deals.Settler{Service: &onWorker, Rewards: base.rewards}
	services := f.services()
	services.Deals, services.Referrals = f.sweeper, f.rewards
	f.groups, f.kinds = newGroups(services), operationKinds(services)
	f.second = base.admin("second")
	f.names = map[uuid.UUID]string{}
	f.model = &model{
		now: base.clock.Now(), wallets: map[uuid.UUID]money.Cents{}, brought: map[uuid.UUID]uuid.UUID{},
		disabled: map[uuid.UUID]bool{}, held: map[uuid.UUID]bool{}, counts: counts,
	}
	for i := range 5 {
		id := base.withFunds(fmt.Sprintf("user%d", i), 900_00)
		f.users = append(f.users, id)
		f.names[id] = fmt.Sprintf("user%d", i)
		f.model.wallets[id] = 900_00
	}
	// User 0 referred users 1 and 2, and user 1 referred user 3. So a deal may reward one referrer
	// for both parties, two referrers, or none, and a referrer may be a party.
	for referred, referrer := range map[int]int{1: 0, 2: 0, 3: 1} {
		_, err := base.db.Owner().Exec(t.Context(), `update users set referred_by = $2 where id = $1`, f.users[referred], f.users[referrer])
		require.NoError(t, err)
		f.model.brought[f.users[referred]] = f.users[referrer]
	}
	return f
}

const (
	modelHits  = 100 // how often each case of modelMust occurs in a full run
	modelSteps = 90  // of one check
)

// modelMust lists the cases that a full run must cover. Paying conflicts only while a party is
// disabled or a counter-offer is open: only the buyer may pay, and a repeated payment returns the
// first outcome.
var modelMust = []string{
	"pay done", "pay conflict", "pay not_found", "pay forbidden", "pay insufficient_balance",
	"deliver done", "deliver not_found", "deliver forbidden", "deliver conflict", "remove done", "remove not_found", "remove conflict",
	"complete done", "complete not_found", "complete forbidden", "complete conflict", "force complete done", "force complete conflict",
	"force cancel done", "force cancel conflict", "cancel done", "cancel not_found", "cancel conflict",
	"accept done", "accept not_found", "accept forbidden", "accept conflict", "decline done", "decline not_found", "decline forbidden",
	"decline conflict", "reset done", "reset not_found", "reset forbidden", "reset conflict", "support done", "support not_found",
	"support conflict", "close support done",
	"agree done", "agree not_found", "agree forbidden", "agree conflict", "decline paid done",
	"clock expire", "clock complete", "clock refund", "clock refund_unanswered", "clock escalate", "clock held", "reminded",
	"suspended", "resumed", "cancel disabled seller", "accept past the exit", "complete held", "support again",
	"dispute done", "dispute not_found", "dispute conflict", "dispute again", "close dispute done", "offer done", "offer held",
	"counter done", "counter not_found", "counter conflict", "take done", "take not_found", "take forbidden", "take conflict", "drop done",
	"drop conflict", "pay countered",
	"decide done", "accept decision done", "decide appeal done", "clock decision",
	"decision put off",
}

// The number of checks, each on its own database. The flag -rapid.checks overrides it.
func init() {
	if err := flag.Set("rapid.checks", strconv.Itoa(soak.Rounds(3, 30))); err != nil {
		panic(err)
	}
}

// modelCounts counts how often each case occurred, in all checks together.
type modelCounts struct {
	mu    sync.Mutex
	times map[string]int
}

func (c *modelCounts) add(times map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, n := range times {
		c.times[name] += n
	}
}

// rarest returns the case of modelMust that occurred least often, and how often.
func (c *modelCounts) rarest() (string, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := slices.MinFunc(modelMust, func(a, b string) int { return cmp.Compare(c.times[a], c.times[b]) })
	return name, c.times[name]
}

// checkModel runs random actions on the services and the model and compares them.
func checkModel(t *testing.T, counts *modelCounts) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		s := &scope{TB: t}
		defer s.end()
		times := map[string]int{}
		f := newModelFixture(s, times)
		for range modelSteps {
			f.step(rt)
			f.check(rt)
		}
		f.finish(rt)
		counts.add(times)
	})
}

// TestModel compares the services with the model. At night (make soak) it continues, on all cores,
// until every case of modelMust has occurred modelHits times.
func TestModel(t *testing.T) {
	t.Parallel()
	counts := &modelCounts{times: map[string]int{}}
	for least := -1; least < soak.Rounds(0, modelHits) && !t.Failed(); {
		t.Run("round", func(t *testing.T) {
			for range soak.Rounds(1, runtime.GOMAXPROCS(0)) {
				t.Run("", func(t *testing.T) {
					t.Parallel()
					checkModel(t, counts)
				})
			}
		})
		name, times := counts.rarest()
		t.Logf("the rarest case occurred %d of %d times: %s", times, modelHits, name)
		least = times
	}
	for _, name := range slices.Sorted(maps.Keys(counts.times)) {
		t.Logf("%6d  %s", counts.times[name], name)
	}
}
