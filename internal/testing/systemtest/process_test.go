package systemtest

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	startWait     = 60 * time.Second // on a busy machine; nothing waits longer than it must
	startAttempts = 5
	pause         = 10 * time.Millisecond // between two looks at something that is going to happen
	logTail       = 4 << 10
)

// process is one run of a program.
type process struct {
	t    *testing.T
	name string // such as "worker-3"
	cmd  *exec.Cmd
	log  string // a file with all that it printed

	site  string // URL of an api's site
	ops   string // URL of the ops port
	ended chan struct{}
}

// spec says what to run. ADDR and OPS_ADDR are added to the environment at each start.
type spec struct {
	program string
	args    []string
	env     []string
}

// launch starts an api or a worker on free ports and waits until it is ready.
func launch(t *testing.T, name string, s spec) *process {
	t.Helper()
	for attempt := 1; ; attempt++ {
		site, ops := freeAddress(t), freeAddress(t)
		p := begin(t, name, s.program, s.args, append([]string{"ADDR=" + site, "OPS_ADDR=" + ops}, s.env...))
		p.site, p.ops = "http://"+site, "http://"+ops
		if p.awaitReady() {
			return p
		}
		// Somebody may take a port between the look and the use of it.
		p.kill()
		require.True(t, attempt < startAttempts && strings.Contains(p.output(), "address already in use"),
			"%s does not start:\n%s", name, p.output())
	}
}

// begin starts a program. Whatever happens, it has ended when the test has.
func begin(t *testing.T, name, program string, args, env []string) *process {
	t.Helper()
	dir := t.ArtifactDir() // kept by go test -artifacts
	p := &process{t: t, name: name, log: filepath.Join(dir, name+".log"), ended: make(chan struct{})}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	defer func() { _ = log.Close() }()
	p.cmd = exec.Command(program, args...)
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...) // nothing of the developer's own
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's interrupt is for the tests
	endWithParent(p.cmd.SysProcAttr)
	started := make(chan error)
	go func() {
		// Linux takes the end of the thread that started a process for the end of its parent.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.ended)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // how it ended stands in its ProcessState
		}
	}()
	require.NoError(t, <-started)
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s (%s):\n%s", p.name, p.cmd.ProcessState, p.output())
		}
	})
	return p
}

func (p *process) awaitReady() bool {
	deadline := time.After(startWait)
	for {
		if status, _ := p.look("/readyz"); status == http.StatusOK {
			return true
		}
		select {
		case <-p.ended:
			return p.killed() // an armed one may find work, and die, before anybody has seen it ready
		case <-deadline:
			return false
		case <-time.After(pause):
		}
	}
}

// look reads a page of the ops port; status 0: there was no answer.
func (p *process) look(path string) (status int, body string) {
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Get(p.ops + path)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	return response.StatusCode, string(content)
}

// metrics reads the ops port's metrics: a series, such as name{label="value"}, to its value.
func (p *process) metrics() map[string]float64 {
	p.t.Helper()
	status, body := p.look("/metrics")
	require.Equal(p.t, http.StatusOK, status, body)
	values := map[string]float64{}
	for line := range strings.Lines(body) {
		at := strings.LastIndexByte(line, ' ')
		if at < 0 || strings.HasPrefix(line, "#") {
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at:]), 64)
		require.NoError(p.t, err, line)
		values[line[:at]] = value
	}
	return values
}

func (p *process) signal(signal syscall.Signal) {
	p.t.Helper()
	require.NoError(p.t, p.cmd.Process.Signal(signal), p.name)
}

// kill ends the process without a warning.
func (p *process) kill() {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Errorf("kill %s: %v", p.name, err)
		return
	}
	<-p.ended
}

// requireKilled waits until the process has died as SIGKILL kills.
func (p *process) requireKilled() {
	p.t.Helper()
	p.awaitEnd(startWait)
	require.True(p.t, p.killed(), "%s: %s", p.name, p.cmd.ProcessState)
}

// killed tells whether the process, which has ended, died as SIGKILL kills.
func (p *process) killed() bool {
	state, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && state.Signaled() && state.Signal() == syscall.SIGKILL
}

// stop asks the process to end, as an operator does, and wants it to end well within the time.
func (p *process) stop(within time.Duration) {
	p.t.Helper()
	asked := time.Now()
	p.signal(syscall.SIGTERM)
	p.awaitStopped(within)
	p.t.Logf("%s stopped in %s", p.name, time.Since(asked).Round(time.Millisecond))
}

func (p *process) awaitStopped(within time.Duration) {
	p.t.Helper()
	p.awaitEnd(within)
	require.Zero(p.t, p.cmd.ProcessState.ExitCode(), "%s: %s", p.name, p.cmd.ProcessState)
}

func (p *process) awaitEnd(within time.Duration) {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(within):
		require.FailNow(p.t, p.name+" does not end", "within %s", within)
	}
}

func (p *process) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// output returns the end of what the process printed.
func (p *process) output() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(text[max(0, len(text)-logTail):]))
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// await waits for something that is going to happen.
func await(t *testing.T, within time.Duration, what string, happened func() bool) {
	t.Helper()
	deadline := time.After(within)
	for !happened() {
		select {
		case <-deadline:
			require.FailNow(t, "not "+what, "within %s", within)
		case <-time.After(pause):
		}
	}
}
