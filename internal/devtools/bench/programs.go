package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"amanat/internal/devtools/localstack"
	"amanat/internal/lib/postgres"
)

const (
	startWait  = 30 * time.Second
	stopWait   = 40 * time.Second
	startPause = 20 * time.Millisecond
	nodes      = 2 // apis; the first receives the requests, both have sockets
)

// startPrograms starts the apis and one worker with their default settings, as they are deployed.
func (e *environment) startPrograms(ctx context.Context) error {
	workerURL, err := e.login(mainDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	for range nodes {
		api, err := e.startAPI(ctx)
		if err != nil {
			return err
		}
		e.sites, e.apis = append(e.sites, api.site), append(e.apis, api.program.pid)
	}
	e.site = e.sites[0]
	worker := []string{
		"DATABASE_URL=" + workerURL, "SMTP_URL=" + e.mails.URL(), "MAIL_FROM=Amanat <no-reply@amanat.test>",
		"SUPPORT_EMAIL=support@amanat.test", "SOFT_STOP=5s", largeCredits,
	}
	ops, err := localstack.FreeAddress(ctx)
	if err != nil {
		return err
	}
	running, err := e.start(ctx, "worker", ops, worker)
	if err != nil {
		return err
	}
	e.worker = running.pid
	return nil
}

// largeCredits lets a single admin approve the deposits that the load users start with.
const largeCredits = "CREDIT_SECOND_ADMIN=0"

// node is a running api.
type node struct {
	site, ops string // URLs
	program   *program
}

// program is a running api or worker.
type program struct {
	*localstack.Program
	pid int
}

func (e *environment) startAPI(ctx context.Context) (node, error) {
	databaseURL, err := e.login(mainDatabase, postgres.APIRole, apiPassword)
	if err != nil {
		return node{}, err
	}
	address, err := localstack.FreeAddress(ctx)
	if err != nil {
		return node{}, err
	}
	ops, err := localstack.FreeAddress(ctx)
	if err != nil {
		return node{}, err
	}
	running, err := e.start(ctx, "api", ops, []string{
		"ADDR=" + address, "DATABASE_URL=" + databaseURL, "BKASH_NUMBER=01711000000", "NAGAD_NUMBER=01811000000",
		// The load comes from a few new users who make many requests.
		"ADMIN_SECOND_FACTOR=false", "LIMIT_SIGNUP=off", "LIMIT_ANONYMOUS_READS=off", "LIMIT_MESSAGES=off",
		"LIMIT_CONVERSATIONS=off", "LIMIT_CONVERSATIONS_DAY=off",
		"LIMIT_DEALS=off", "LIMIT_DEALS_DAY=off", "LIMIT_WITHDRAWALS=off", "TRUST_LIMITS=off", largeCredits,
	})
	return node{site: "http://" + address, ops: "http://" + ops, program: running}, err
}

func (e *environment) start(ctx context.Context, name, ops string, env []string) (*program, error) {
	log, err := os.Create(filepath.Join(e.dir, fmt.Sprintf("%s-%d.log", name, len(e.running)+1)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(e.options.Programs, name)) //nolint:gosec // our own
	cmd.Env = append([]string{"REDIS_URL=" + e.redis.URL(), "OPS_ADDR=" + ops, "LOG_LEVEL=warn"}, env...)
	cmd.Stdout, cmd.Stderr = log, log
	// Only the bench itself receives the terminal's interrupt.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	running, err := localstack.StartProgram(cmd)
	if err != nil {
		return nil, err
	}
	e.running = append(e.running, running)
	if err := awaitReady(ctx, "http://"+ops+"/readyz"); err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("start %s: %w\n%s", name, err, said)
	}
	return &program{Program: running, pid: cmd.Process.Pid}, nil
}

func awaitReady(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(startPause):
		}
	}
}

// readMetric returns the value of one series of a metrics page.
func readMetric(request *http.Request, name string) (float64, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	for scanner := bufio.NewScanner(response.Body); scanner.Scan(); {
		if value, found := strings.CutPrefix(scanner.Text(), name+" "); found {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("no metric %s", name)
}

func (e *environment) stopPrograms() error {
	var problems error
	for _, program := range e.running {
		problems = errors.Join(problems, program.Stop(stopWait, syscall.SIGTERM, syscall.SIGKILL))
	}
	return problems
}
