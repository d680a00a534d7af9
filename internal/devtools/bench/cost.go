package bench

import (
	"context"
	"math"
	"os"
	"time"
)

// Cost is what one call takes besides time, including the work that it leaves to others, such as
// mails.
type Cost struct {
	CPU      CPU     `json:"cpuMillis,omitzero"` // zero if the system has no /proc
	WALBytes float64 `json:"walBytes"`
	// Transactions that changed or locked rows, so that their commits are logged.
	Commits float64 `json:"commits"`
}

// CPU is CPU time in milliseconds, by group of processes.
type CPU struct {
	Postgres float64 `json:"postgres"`
	API      float64 `json:"api,omitempty"` // both nodes
	Worker   float64 `json:"worker,omitempty"`
	Client   float64 `json:"client"` // this process, which also receives the mails, or pgbench
}

func (c CPU) total() float64 { return c.Postgres + c.API + c.Worker + c.Client }

// meter has the totals since the processes started.
type meter struct {
	postgres, api, worker, client time.Duration // CPU time
	wal                           int64         // bytes
	transactions                  int64
}

// metered runs a measurement and adds what each of its calls cost. The meter is read again when the
// jobs of the calls are done and their mails sent, but before the checkpoint that follows.
func (e *environment) metered(ctx context.Context, run func(context.Context) (Sample, error)) (Sample, error) {
	before, err := e.readMeter(ctx)
	if err != nil {
		return Sample{}, err
	}
	sample, err := run(ctx)
	if err != nil {
		return Sample{}, err
	}
	if err := e.drain(ctx); err != nil {
		return Sample{}, err
	}
	after, err := e.readMeter(ctx)
	if err != nil {
		return Sample{}, err
	}
	sample.Cost = after.since(before).each(sample.Calls)
	return sample, nil
}

func (e *environment) readMeter(ctx context.Context) (m meter, err error) {
	if m.wal, m.transactions, err = writtenSoFar(ctx, e.owner); err != nil {
		return meter{}, err
	}
	if !procAvailable() {
		return m, nil
	}
	if m.postgres, err = familyCPU(e.postmaster); err != nil {
		return meter{}, err
	}
	if m.worker, err = ownCPU(e.worker); err != nil {
		return meter{}, err
	}
	for _, api := range e.apis {
		used, err := ownCPU(api)
		if err != nil {
			return meter{}, err
		}
		m.api += used
	}
	m.client, err = ownCPU(os.Getpid())
	return m, err
}

func (m meter) since(before meter) meter {
	return meter{
		postgres: m.postgres - before.postgres, api: m.api - before.api,
		worker: m.worker - before.worker, client: m.client - before.client,
		wal: m.wal - before.wal, transactions: m.transactions - before.transactions,
	}
}

func (m meter) each(calls int) Cost {
	if calls == 0 {
		return Cost{}
	}
	n := float64(calls)
	return Cost{
		CPU: CPU{
			Postgres: millis(m.postgres) / n, API: millis(m.api) / n, Worker: millis(m.worker) / n, Client: millis(m.client) / n,
		},
		WALBytes: float64(m.wal) / n,
		Commits:  float64(m.transactions) / n,
	}
}

// medianCost returns the medians of the parts. Their sum may differ from the median of the sums.
func medianCost(rounds []round, of sampleOf) Cost {
	part := func(get func(c Cost) float64) float64 {
		return median(rounds, func(r round) float64 { return get(of(r).Cost) })
	}
	return Cost{
		CPU: CPU{
			Postgres: part(func(c Cost) float64 { return c.CPU.Postgres }),
			API:      part(func(c Cost) float64 { return c.CPU.API }),
			Worker:   part(func(c Cost) float64 { return c.CPU.Worker }),
			Client:   part(func(c Cost) float64 { return c.CPU.Client }),
		},
		WALBytes: part(func(c Cost) float64 { return c.WALBytes }),
		Commits:  part(func(c Cost) float64 { return c.Commits }),
	}
}

func (c Cost) rounded() Cost {
	return Cost{
		CPU: CPU{
			Postgres: round3(c.CPU.Postgres), API: round3(c.CPU.API), Worker: round3(c.CPU.Worker), Client: round3(c.CPU.Client),
		},
		WALBytes: math.Round(c.WALBytes),
		Commits:  round3(c.Commits),
	}
}
