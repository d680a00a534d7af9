// Package torture runs real processes on real servers under load, makes everything go wrong every
// few seconds, and checks that no money and no event is lost, doubled or seen in an impossible
// order (docs/reliability.md).
package torture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"amanat/internal/lib/postgres"
)

// Options configure a run.
type Options struct {
	Programs string        // folder with api, worker and amanat, built with the tag failpoints
	Duration time.Duration // of the load and the faults
	Seed     uint64        // of both
	Clients  int           // people who act at the same time
	Wallets  int
	History  string // file that the calls are written to if there is a violation
	Keep     bool   // the folder with the logs
	Log      io.Writer
}

func (o Options) logf(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Log, format+"\n", args...)
}

// ErrViolations says that the product has broken a promise. The report says which.
var ErrViolations = errors.New("the product has broken its promises")

const (
	// For everything that is under way at the end. A process whose clock is ahead may have planned
	// a retry that only one whose clock is behind is left to carry out.
	settleWait = 2*mostWrong + 2*time.Minute
	settleTick = 100 * time.Millisecond
)

// run is a run in progress.
type run struct {
	*system
	load     *load
	books    auditor
	audience audience
	report   Report
}

// Run makes a run and returns its report. It fails with ErrViolations if there are violations, and
// with other errors if there was no run. It leaves no process behind.
func Run(ctx context.Context, o Options) (report Report, err error) {
	o.logf("seed %d, %s, %d clients, %d wallets", o.Seed, o.Duration, o.Clients, o.Wallets)
	s, err := openSystem(ctx, o)
	if err != nil {
		return Report{}, err
	}
	if o.Keep {
		o.logf("logs: %s", s.dir)
	}
	r := &run{system: s}
	err = r.run(ctx)
	if closeErr := s.close(); closeErr != nil {
		err = errors.Join(err, closeErr)
	}
	if err == nil && len(r.report.Violations) > 0 {
		err = errors.Join(ErrViolations, r.save())
	}
	return r.report, err
}

func (r *run) run(ctx context.Context) error {
	o := r.options
	random := rand.New(rand.NewPCG(o.Seed, 0))
	if err := r.prepare(ctx, random); err != nil {
		return err
	}
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()
	var watchers sync.WaitGroup
	watchers.Go(func() { r.books.watch(watching, r.owner) })

	until, stop := context.WithTimeout(ctx, o.Duration)
	defer stop()
	settling, giveUp := context.WithTimeout(ctx, o.Duration+settleWait)
	defer giveUp()
	var faults *done
	var group sync.WaitGroup
	group.Go(func() { faults = r.injectFaults(ctx, until, o.Duration, random) })
	began := time.Now()
	r.load.run(settling, until, o.Clients, rand.New(rand.NewPCG(o.Seed, 1)))
	group.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	r.report.Elapsed = time.Since(began)
	r.report.faults(faults)
	r.report.Skewed = r.skewed.Load()
	o.logf("everything is repaired, and all calls are answered after %s", r.report.Elapsed.Round(time.Second))
	err := r.settle(settling)
	stopWatching()
	watchers.Wait()
	if err != nil {
		return err
	}
	return r.judge(ctx)
}

// prepare creates the people, with sockets and money.
func (r *run) prepare(ctx context.Context, random *rand.Rand) error {
	people, err := r.insertPeople(ctx, "trader", false, r.options.Wallets)
	if err != nil {
		return err
	}
	admins, err := r.insertPeople(ctx, "boss", true, adminCount)
	if err != nil {
		return err
	}
	r.load = &load{client: newClient(r.sites(), r.options.Clients), people: people, admins: admins}
	r.audience = openAudience(ctx, people, r.sites())
	for _, who := range people {
		r.load.deposit(ctx, who, startFunds, random)
	}
	r.report.describe(ctx, r)
	return ctx.Err()
}

// settle waits until no operation is pending and no job of the money queue is left.
func (r *run) settle(ctx context.Context) error {
	for {
		left, err := countUnsettled(ctx, r.owner)
		if err == nil && left == 0 {
			return nil
		}
		if !pause(ctx, settleTick) {
			if err != nil {
				return err
			}
			jobs, err := listUnsettled(context.WithoutCancel(ctx), r.owner)
			r.report.violate(fmt.Sprintf("%d operations and jobs are not settled %s after the last fault: %s",
				left, settleWait, strings.Join(jobs, "; ")))
			return err
		}
	}
}

// judge reads everything for the last time and checks it.
func (r *run) judge(ctx context.Context) error {
	for _, who := range r.load.people {
		r.load.readWallet(ctx, who)
	}
	if err := r.readEndings(ctx); err != nil {
		return err
	}
	gaps, err := countGaps(ctx, r.owner)
	if err != nil {
		return err
	}
	if gaps > 0 {
		r.report.violate(fmt.Sprintf("%d events have another number than their place in the log", gaps))
	}
	connects, lost, err := r.audience.close(ctx, r.owner)
	if err != nil {
		return err
	}
	r.report.Connects = connects
	r.report.violate(lost...)
	r.report.violate(r.books.violations...)
	r.report.Books = Reads{r.books.reads, r.books.failed}
	if err := stopAll(append(r.apis, r.workers...)); err != nil {
		return err
	}
	if err := r.inspect(ctx); err != nil {
		return err
	}
	r.report.check(r.load.history.Calls())
	return nil
}

// readEndings adds a last read of every deal to the history.
func (r *run) readEndings(ctx context.Context) error {
	began := time.Since(r.load.start)
	endings, err := listEndings(ctx, r.owner)
	if err != nil {
		return err
	}
	ended := time.Since(r.load.start)
	for _, e := range endings {
		r.load.history.add(Call{
			Kind: ReadDeal, Subject: e.ID, Invoked: began, Returned: ended, Outcome: OK, Saw: &Sight{Status: e.Status, Requested: e.Requested},
		})
	}
	return nil
}

// inspect has the operator's tool check the books and the chain, and amcheck the files.
func (r *run) inspect(ctx context.Context) error {
	worker := r.url(r.observing, postgres.WorkerRole, workerPassword)
	for _, command := range []string{"reconcile", "verify-chain"} {
		if out, err := r.amanat(ctx, worker, command); err != nil {
			r.report.violate(err.Error())
		} else {
			r.options.logf("amanat %s: %s", command, lastLine(out))
		}
	}
	indexes, wrong, err := checkFiles(ctx, r.owner)
	if err != nil {
		r.report.violate("amcheck: " + err.Error())
	}
	r.report.Indexes = indexes
	r.report.violate(wrong...)
	return ctx.Err()
}

// save writes the history of the calls.
func (r *run) save() error {
	file, err := os.Create(r.options.History)
	if err != nil {
		return err
	}
	r.options.logf("history: %s, seed %d", r.options.History, r.options.Seed)
	return errors.Join(r.load.history.Write(file), file.Close())
}

// Check checks the calls in a file that a run has written, and prints what is wrong with them.
func Check(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	history, err := ReadHistory(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var report Report
	report.check(history.Calls())
	for _, violation := range report.Violations {
		_, _ = fmt.Fprintf(out, "VIOLATION %s\n", violation)
	}
	if len(report.Violations) > 0 {
		return ErrViolations
	}
	_, _ = fmt.Fprintf(out, "%d deals and %d wallets are in order\n", report.Deals, report.Wallet)
	return nil
}
