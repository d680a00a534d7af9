package torture

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"amanat/internal/devtools/localstack"
)

const (
	startWait  = 60 * time.Second // for a process to become ready
	stopWait   = 40 * time.Second // for a process that is asked to end
	startPause = 20 * time.Millisecond
	probeWait  = 2 * time.Second
)

// process is an api or a worker that is started again and again at the same addresses.
type process struct {
	name    string // such as "worker-2"
	program string // path
	args    []string
	env     []string
	site    string // address of the site, if it is an api
	ops     string // address of the ops port
	log     string // file

	busy sync.Mutex // held by the one fault that deals with it

	mu      sync.Mutex
	running *localstack.Program
}

// newProcess prepares a process. The caller starts it.
func newProcess(ctx context.Context, name, program, dir string, args, env []string) (*process, error) {
	site, err := localstack.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	ops, err := localstack.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	return &process{
		name: name, program: program, args: args, site: site, ops: ops, log: filepath.Join(dir, name+".log"),
		env: append([]string{"ADDR=" + site, "OPS_ADDR=" + ops, "LOG_LEVEL=warn"}, env...),
	}, nil
}

// start starts the process with additional settings and waits until it is ready. It tries again if
// the process ends, as it does while the database is down.
func (p *process) start(ctx context.Context, settings ...string) error {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		running, err := p.launch(ctx, settings...)
		if err != nil {
			return err
		}
		if p.awaitReady(ctx, running) {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s does not start:\n%s", p.name, tail(p.log))
		}
	}
}

// launch starts the process without waiting.
func (p *process) launch(ctx context.Context, settings ...string) (*localstack.Program, error) {
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.program, p.args...) //nolint:gosec // our own
	cmd.Env = append(append([]string{}, p.env...), settings...)
	cmd.Stdout, cmd.Stderr = log, log
	// Only the run itself receives the terminal's interrupt.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	running, err := localstack.StartProgram(cmd)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = running
	return running, nil
}

// awaitReady returns false if the process ends or ctx does.
func (p *process) awaitReady(ctx context.Context, running *localstack.Program) bool {
	for !p.ready(ctx) {
		select {
		case <-running.Done():
			return false
		case <-ctx.Done():
			return false
		case <-time.After(startPause):
		}
	}
	return true
}

func (p *process) ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, probeWait)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.ops+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (p *process) current() *localstack.Program {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running
}

// kill kills the process with SIGKILL, whatever it is doing.
func (p *process) kill() error { return p.stop(syscall.SIGKILL) }

// stop sends the signals one after the other until the process has ended.
func (p *process) stop(signals ...os.Signal) error {
	running := p.current()
	if running == nil {
		return nil
	}
	if err := running.Stop(stopWait, signals...); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// dies waits until the process has ended by itself, and returns false if it does not in time.
func (p *process) dies(ctx context.Context, within time.Duration) bool {
	select {
	case <-p.current().Done():
		return true
	case <-ctx.Done():
	case <-time.After(within):
	}
	return false
}

const logTail = 4 << 10

func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-logTail):]))
}

// amanat runs a command of the operator's tool and returns its output.
func (s *system) amanat(ctx context.Context, databaseURL string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, operatorWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(s.options.Programs, "amanat"), args...) //nolint:gosec // our own
	cmd.Env = []string{"DATABASE_URL=" + databaseURL}
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("amanat %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), err
}

// stopAll ends the processes, gracefully where they do.
func stopAll(processes []*process) error {
	problems := make([]error, len(processes))
	var group sync.WaitGroup
	for i, p := range processes {
		group.Go(func() {
			if running := p.current(); running != nil {
				_ = running.Signal(syscall.SIGCONT) // it may be frozen
			}
			problems[i] = p.stop(syscall.SIGTERM, syscall.SIGKILL)
		})
	}
	group.Wait()
	return errors.Join(problems...)
}
