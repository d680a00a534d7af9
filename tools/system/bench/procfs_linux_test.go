package main

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	cpuWait  = 30 * time.Second
	cpuPause = 5 * time.Millisecond
)

func TestOwnCPU_of_busy_child_grows(t *testing.T) {
	t.Parallel()
	child := exec.CommandContext(t.Context(), "/bin/sh", "-c", "while :; do :; done")
	require.NoError(t, child.Start())
	t.Cleanup(func() {
		_ = child.Process.Kill()
		_ = child.Wait()
	})
	require.Eventually(t, func() bool {
		used, err := ownCPU(child.Process.Pid)
		return err == nil && used >= 5*tick
	}, cpuWait, cpuPause)
}

// The parent waits for three busy children in turn.
const busyChildren = `
for n in 1 2 3; do sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; done
echo done; read -r _`

func TestFamilyCPU_counts_exited_children_once(t *testing.T) {
	t.Parallel()
	parent := exec.CommandContext(t.Context(), "/bin/sh", "-c", busyChildren)
	stdin, err := parent.StdinPipe()
	require.NoError(t, err)
	stdout, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	childrenExited := make(chan struct{})
	go func() {
		defer close(childrenExited)
		_, _ = io.ReadFull(stdout, make([]byte, len("done")))
	}()

	var highest time.Duration
	for exited := false; !exited; {
		select {
		case <-childrenExited:
			exited = true
		case <-time.After(cpuPause):
		}
		used, err := familyCPU(parent.Process.Pid)
		require.NoError(t, err)
		require.GreaterOrEqual(t, used, highest, "the sum does not fall when a child exits")
		highest = used
	}
	require.NoError(t, stdin.Close())
	_ = parent.Wait() // read at the end of input fails
	state := parent.ProcessState
	require.InDelta(t, (state.UserTime() + state.SystemTime()).Seconds(), highest.Seconds(), (4 * tick).Seconds(),
		"the kernel's own total of the same processes")
	_, err = readStat(parent.Process.Pid)
	require.ErrorIs(t, err, os.ErrNotExist)
}
