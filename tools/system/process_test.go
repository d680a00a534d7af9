package system

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	startWait = 60 * time.Second      // generous, for busy machines
	pause     = 10 * time.Millisecond // between two checks of a condition
	logTail   = 4 << 10
)

// process is a running program.
type process struct {
	t    *testing.T
	name string // for example "worker-3"
	cmd  *exec.Cmd
	log  string // file with its output

	site  string // URL of the site, if it is an api
	ops   string // URL of the ops port
	ended chan struct{}
}

// spec is a program with its arguments and environment, besides ADDR and OPS_ADDR.
type spec struct {
	program string
	env     []string
}

// launch starts an api or a worker on free ports and waits until it is ready.
func launch(t *testing.T, name string, s spec) *process {
	t.Helper()
	p := startProcess(t, name, s.program, append([]string{"ADDR=127.0.0.1:0", "OPS_ADDR=127.0.0.1:0"}, s.env...))
	require.True(t, p.awaitReady(), "%s does not start:\n%s", name, p.output())
	return p
}

// startProcess starts a program. It is killed when the test ends.
func startProcess(t *testing.T, name, program string, env []string, args ...string) *process {
	t.Helper()
	dir := t.ArtifactDir() // kept by go test -artifacts
	p := &process{t: t, name: name, log: filepath.Join(dir, name+".log"), ended: make(chan struct{})}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	defer func() { _ = log.Close() }()
	p.cmd = exec.Command(program, args...)
	p.cmd.Dir = dir
	// The developer's environment must not influence the tests.
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	// Only the tests receive the terminal's interrupt.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(p.cmd.SysProcAttr)
	started := make(chan error)
	go func() {
		// Linux sends the parent-death signal when the thread that started the process ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.ended)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // how it ended is in its ProcessState
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
		if p.readAddresses(); p.ops != "" {
			if status, _ := p.opsPage("/readyz"); status == http.StatusOK {
				return true
			}
		}
		select {
		case <-p.ended:
			// A process with a failpoint may find work, and die, before it was seen ready.
			return p.killed()
		case <-deadline:
			return false
		case <-time.After(pause):
		}
	}
}

// readAddresses reads from the log where the process listens. It picks its ports itself: one that
// the test found free could be taken by another process before this one listens.
func (p *process) readAddresses() {
	log, err := os.ReadFile(p.log)
	require.NoError(p.t, err)
	for line := range bytes.Lines(log) {
		var entry struct{ Msg, Address string }
		if json.Unmarshal(line, &entry) != nil { // its last line may be incomplete
			continue
		}
		switch entry.Msg {
		case "serving":
			p.site = "http://" + entry.Address
		case "serving operators":
			p.ops = "http://" + entry.Address
		}
	}
}

// opsPage reads a page of the ops port; status is 0 if there is no response.
func (p *process) opsPage(path string) (status int, body string) {
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

// ask runs the program of the process with a flag and its environment, and returns the output. The
// port of OPS_ADDR is the one that the process picked.
func (p *process) ask(flag string) (string, error) {
	cmd := exec.CommandContext(p.t.Context(), p.cmd.Path, flag)
	cmd.Env = append(slices.Clone(p.cmd.Env), "OPS_ADDR="+strings.TrimPrefix(p.ops, "http://"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// metrics returns the values of the process's metrics by series, such as name{label="value"}.
func (p *process) metrics() map[string]float64 {
	p.t.Helper()
	status, body := p.opsPage("/metrics")
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

// kill kills the process and waits until it has ended.
func (p *process) kill() {
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Errorf("kill %s: %v", p.name, err)
		return
	}
	<-p.ended
}

// requireKilled waits until the process has ended, and requires that it was killed by SIGKILL.
func (p *process) requireKilled() {
	p.t.Helper()
	p.awaitEnd(startWait)
	require.True(p.t, p.killed(), "%s: %s", p.name, p.cmd.ProcessState)
}

// killed reports whether the ended process was killed by SIGKILL.
func (p *process) killed() bool {
	state, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && state.Signaled() && state.Signal() == syscall.SIGKILL
}

// stop sends SIGTERM and requires that the process exits with 0 within the time.
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

// output returns the end of the process's output.
func (p *process) output() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(text[max(0, len(text)-logTail):]))
}

// await waits until happened returns true, and fails the test if that takes too long.
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
