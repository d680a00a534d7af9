package workers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/config"
	"amanat/queue/jobs"
)

func TestQueueConfigs(t *testing.T) {
	t.Parallel()
	configs, err := queueConfigs(jobs.Queues(), nil, 16)
	require.NoError(t, err)
	require.Len(t, configs, len(jobs.Queues()))
	require.Equal(t, moneyJobs, configs[jobs.QueueMoney].MaxWorkers)
	require.Equal(t, otherWorkers, configs[jobs.QueueMail].MaxWorkers)
	require.Equal(t, maintenanceWorkers, configs[jobs.QueueMaintenance].MaxWorkers)
	require.Equal(t, moneyWorkers, moneyWorkersOf(nil, 16))
	require.Equal(t, 3, moneyWorkersOf(nil, 4), "a connection stays free")

	counts := config.Queues{jobs.QueueMoney: 16, jobs.QueueMail: 64}
	configs, err = queueConfigs([]string{jobs.QueueMoney, jobs.QueueMail}, counts, 16)
	require.NoError(t, err)
	require.Len(t, configs, 2)
	require.Equal(t, 64, configs[jobs.QueueMail].MaxWorkers)
	require.Equal(t, moneyJobs, configs[jobs.QueueMoney].MaxWorkers, "members of groups need no connection of their own")
	require.Equal(t, 16, moneyWorkersOf(counts, 16))

	for name, tc := range map[string]struct {
		names   []string
		counts  config.Queues
		message string
	}{
		"none":             {nil, nil, "no queue to serve"},
		"unknown":          {[]string{"monye"}, nil, `unknown queue "monye"`},
		"unknown count":    {[]string{jobs.QueueMail}, config.Queues{"mial": 3}, `unknown queue "mial"`},
		"too many of mail": {[]string{jobs.QueueMail}, config.Queues{jobs.QueueMail: 65}, "with 16, at most 64"},
		"too much money":   {[]string{jobs.QueueMoney}, config.Queues{jobs.QueueMoney: 17}, "with 16, at most 16"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := queueConfigs(tc.names, tc.counts, 16)
			require.ErrorContains(t, err, tc.message)
		})
	}
}
