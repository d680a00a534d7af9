package main

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/dbtest"
	"amanat/tools/system/listener"
)

// site is a site whose sockets send the events with these numbers.
func site(t *testing.T, numbers ...int) string {
	t.Helper()
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"hello","data":{"recovered":true,"seq":0}}`))
		for _, n := range numbers {
			_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"type":"walletUpdated","seq":`+strconv.Itoa(n)+`}`))
		}
		_, _, _ = conn.ReadMessage() // until the client goes
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestAudience(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		numbers []int
		want    string
	}{
		"in order": {[]int{1, 2, 3}, ""},
		"lost":     {[]int{1, 3}, ": 1 lost"},
		"repeated": {[]int{1, 2, 2, 3}, ": 1 repeated"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			who := person{id: uuid.New()}
			sockets := openAudience(t.Context(), []person{who}, []string{site(t, tc.numbers...)})
			last := []position{{who.id, 3}}
			require.Eventually(t, func() bool { return sockets.heard(last) }, 5*time.Second, time.Millisecond)
			violations := socketViolations(who.id, sockets[who.id].Close())
			if tc.want == "" {
				require.Empty(t, violations)
				return
			}
			require.Len(t, violations, 1)
			require.Contains(t, violations[0], tc.want)
		})
	}
	require.Len(t, socketViolations(uuid.New(), listener.Report{Unrecovered: 1}), 1)
}

func TestAudience_misses_the_end(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	who := insertOne(t, db)
	_, err := db.Owner().Exec(t.Context(), `insert into user_seq (user_id, seq) values ($1, 3)`, who.id)
	require.NoError(t, err)
	last, err := listPositions(t.Context(), db.Owner())
	require.NoError(t, err)
	sockets := openAudience(t.Context(), []person{who}, []string{site(t, 1, 2)})
	defer sockets[who.id].Close()
	require.False(t, sockets.heard(last))
	require.Len(t, sockets.behind(last), 1)
}

func insertOne(t *testing.T, db *dbtest.DB) person {
	t.Helper()
	s := system{owner: db.Owner()}
	people, err := s.insertPeople(t.Context(), "trader", false, 1)
	require.NoError(t, err)
	return people[0]
}

func TestAuditor(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault string
		want  []string
	}{
		"in order": {`select`, nil},
		"a balance without a posting": {
			`update ledger.accounts set balance = balance + 1 where kind = 'wallet'`, []string{
				"balances: the USD do not add up to zero, but to 1 cents",
				"balances: 1 accounts have another balance than their entries say",
				"entries: 1 accounts have another balance than their entries say",
			},
		},
		"a posting that is lost": {
			`alter table ledger.entries disable trigger user;
			 delete from ledger.entries e using ledger.accounts a where a.id = e.account_id and a.kind = 'wallet'`, []string{
				"entries: the USD do not add up to zero, but to -500 cents",
				"entries: 1 accounts have another balance than their entries say",
			},
		},
		"a negative balance": {
			`alter table ledger.accounts drop constraint accounts_floor;
			 alter table ledger.entries disable trigger user;
			 update ledger.accounts set balance = -500 where kind = 'wallet';
			 update ledger.entries e set amount = -500, balance_after = -500
			   from ledger.accounts a where a.id = e.account_id and a.kind = 'wallet';
			 update ledger.entries e set amount = 500 from ledger.accounts a
			  where a.id = e.account_id and a.kind = 'exchange' and a.currency = 'USD'`, []string{
				"balances: 1 accounts are below zero", "entries: 1 accounts are below zero",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.New(t)
			db.Fund(insertOne(t, db).id, 5_00)
			_, err := db.Owner().Exec(t.Context(), tc.fault)
			require.NoError(t, err)
			var a auditor
			a.look(t.Context(), db.Owner(), true)
			require.Equal(t, 1, a.reads)
			require.Equal(t, tc.want, a.violations)
		})
	}
}

func TestCountGaps(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	who := insertOne(t, db)
	for _, seq := range []int{1, 2, 4} {
		_, err := db.Owner().Exec(t.Context(), `
			insert into user_events (user_id, seq, id, type, payload, at) values ($1, $2, $3, 'walletUpdated', '{}', now())`,
			who.id, seq, uuid.New())
		require.NoError(t, err)
	}
	gaps, err := countGaps(t.Context(), db.Owner())
	require.NoError(t, err)
	require.EqualValues(t, 1, gaps)
}

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
