package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeDocker stands for docker: a file for each service lists its containers. It writes each call
// to the file calls, and how many healthy containers there are after it.
const fakeDocker = `#!/usr/bin/env bash
set -eu
cd "$STATE"
case "$1 ${2:-}" in
"compose build" | "compose run") ;;
"compose ps") cat "$4" ;;
"compose up")
  service=${!#}
  scale=${8#*=}
  while (($(wc -l <"$service") < scale)); do echo "new-$service-$(wc -l <calls)" >>"$service"; done
  ;;
"inspect --format") [[ $4 == *"$SICK"* ]] && echo unhealthy || echo healthy ;;
"logs --tail") echo "cannot connect" ;;
"stop "*) echo "$2" >>stopped ;;
"rm "*) sed -i "/^${!#}\$/d" api worker ;;
*) exit 99 ;;
esac
echo "$* | $(grep -vxFf stopped api | grep -vc "$SICK" || true) $(grep -vxFf stopped worker | grep -vc "$SICK" || true)" >>calls
`

// roll runs roll.sh with two apis and two workers, where containers whose name contains sick do not
// become healthy. It returns the calls and the containers that are left.
func roll(t *testing.T, sick string) (calls []string, left map[string][]string, output string, err error) {
	t.Helper()
	state := t.TempDir()
	for name, content := range map[string]string{
		"api": "old-api-1\nold-api-2\n", "worker": "old-worker-1\nold-worker-2\n", "calls": "", "stopped": "none\n", "docker": fakeDocker,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(state, name), []byte(content), 0o700))
	}
	cmd := exec.CommandContext(t.Context(), "bash", "roll.sh")
	cmd.Dir = filepath.Join(repositoryRoot, "deploy")
	cmd.Env = append(os.Environ(), "DOCKER="+filepath.Join(state, "docker"), "STATE="+state, "SICK="+sick, "HEALTH_WAIT=0")
	out, err := cmd.CombinedOutput()
	lines := func(name string) []string {
		content, err := os.ReadFile(filepath.Join(state, name))
		require.NoError(t, err)
		return strings.Split(strings.TrimSpace(string(content)), "\n")
	}
	return lines("calls"), map[string][]string{"api": lines("api"), "worker": lines("worker")}, string(out), err
}

func TestRoll(t *testing.T) {
	t.Parallel()
	calls, left, output, err := roll(t, "nobody")
	require.NoError(t, err, output)
	require.True(t, strings.HasPrefix(calls[0], "compose build"))
	require.True(t, strings.HasPrefix(calls[1], "compose run --rm --no-deps migrate"), "the schema comes first")
	var stopped []string
	for _, call := range calls {
		if id, is := strings.CutPrefix(call, "stop "); is {
			stopped = append(stopped, strings.Fields(id)[0])
		}
		counts := strings.Fields(call[strings.LastIndex(call, "|")+1:])
		require.Contains(t, []string{"2", "3"}, counts[0], "apis after %s", call)
		require.Contains(t, []string{"2", "3"}, counts[1], "workers after %s", call)
	}
	require.Equal(t, []string{"old-worker-1", "old-worker-2", "old-api-1", "old-api-2"}, stopped, "workers before apis")
	for service, ids := range left {
		require.Len(t, ids, 2)
		require.NotContains(t, strings.Join(ids, " "), "old", service)
	}
}

// A version that does not start leaves the old one serving.
func TestRoll_unhealthy(t *testing.T) {
	t.Parallel()
	for _, service := range []string{"worker", "api"} {
		calls, left, output, err := roll(t, "new-"+service)
		require.Error(t, err)
		require.Contains(t, output, "cannot connect", "the log of what does not start")
		require.Equal(t, []string{"old-" + service + "-1", "old-" + service + "-2"}, left[service])
		require.NotContains(t, strings.Join(calls, "\n"), "stop old-"+service)
	}
}
