package trust

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestStanding(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	aged := func(age time.Duration, r record) record {
		r.CreatedAt = now.Add(-age)
		return r
	}
	for name, tc := range map[string]struct {
		record record
		level  Level
		next   Level
		needs  []Need
	}{
		"just signed up": {aged(0, record{}), New, Basic, []Need{{AccountAge, 0, 1}}},
		"almost a day":   {aged(day-1, record{}), New, Basic, []Need{{AccountAge, 0, 1}}},
		"a day": {
			aged(day, record{}), Basic, Established,
			[]Need{{AccountAge, 1, 30}, {CompletedDeals, 0, 3}, {Partners, 0, 2}},
		},
		"many deals with one partner": {
			aged(40*day, record{Completed: 10, Partners: 1}), Basic, Established, []Need{{Partners, 1, 2}},
		},
		"established": {
			aged(30*day, record{Completed: 3, Partners: 2}), Established, Trusted,
			[]Need{{AccountAge, 30, 90}, {CompletedDeals, 3, 10}, {Partners, 2, 5}, {SecondFactor, 0, 1}},
		},
		"all but the second factor": {
			aged(90*day, record{Completed: 10, Partners: 5}), Established, Trusted, []Need{{SecondFactor, 0, 1}},
		},
		"trusted": {aged(90*day, record{Completed: 10, Partners: 5, SecondFactor: true}), Trusted, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			level, next := tc.record.standing(now)
			require.Equal(t, tc.level, level)
			if tc.next == "" {
				require.Nil(t, next)
				return
			}
			require.Equal(t, &Next{Level: tc.next, Needs: tc.needs}, next)
		})
	}
}
