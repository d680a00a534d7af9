package workers

import (
	"fmt"
	"slices"

	"github.com/riverqueue/river"

	"amanat/internal/app/config"
	"amanat/queue/jobs"
)

// connShare is how many workers of a queue other than money may share one connection of the pool:
// they wait for mail servers and browsers' push services most of the time.
const connShare = 4

// queueConfigs returns River's configuration of the queues to serve. counts has the numbers of
// workers that differ from the defaults. It fails if they would wait for conns, the connections of
// the pool, longer than their jobs may take.
func queueConfigs(names []string, counts config.Queues, conns int) (map[string]river.QueueConfig, error) {
	for name := range counts {
		if err := knownQueue(name); err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no queue to serve; choose of %v", jobs.Queues())
	}
	configs := map[string]river.QueueConfig{}
	for _, name := range names {
		if err := knownQueue(name); err != nil {
			return nil, err
		}
		if err := checkCount(name, counts[name], conns); err != nil {
			return nil, err
		}
		configs[name] = queueConfig(name, counts[name])
	}
	return configs, nil
}

func knownQueue(name string) error {
	if !slices.Contains(jobs.Queues(), name) {
		return fmt.Errorf("unknown queue %q; choose of %v", name, jobs.Queues())
	}
	return nil
}

func checkCount(name string, count, conns int) error {
	most := conns * connShare
	if name == jobs.QueueMoney {
		most = conns
	}
	if count > most {
		return fmt.Errorf("QUEUES: %d workers of queue %s need more connections than DATABASE_MAX_CONNS allows: "+
			"with %d, at most %d", count, name, conns, most)
	}
	return nil
}

func queueConfig(name string, count int) river.QueueConfig {
	c := river.QueueConfig{MaxWorkers: otherWorkers, FetchCooldown: otherCooldown, FetchPollInterval: otherPoll}
	switch name {
	case jobs.QueueMoney: // the number of workers is that of MoneyWorkers; others wait in groups
		return river.QueueConfig{MaxWorkers: moneyJobs, FetchCooldown: fetchCooldown, FetchPollInterval: moneyPoll}
	case jobs.QueueMaintenance:
		c.MaxWorkers = maintenanceWorkers
	case jobs.QueueData:
		c.MaxWorkers = dataWorkers
	}
	if count > 0 {
		c.MaxWorkers = count
	}
	return c
}

// moneyWorkersOf returns how many operations are settled by themselves at the same time. The
// default leaves connections of a small pool to other jobs.
func moneyWorkersOf(counts config.Queues, conns int) int {
	if count := counts[jobs.QueueMoney]; count > 0 {
		return count
	}
	return max(1, min(moneyWorkers, conns-1))
}
