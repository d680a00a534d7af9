package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"amanat/internal/localstack"
	"amanat/internal/postgres"
)

const (
	startWait  = 30 * time.Second
	stopWait   = 40 * time.Second
	startPause = 20 * time.Millisecond
)

// startPrograms starts one api and one worker, as they are deployed, with their default settings.
func (m *market) startPrograms(ctx context.Context) error {
	apiURL, err := m.login(marketDatabase, postgres.APIRole, apiPassword)
	if err != nil {
		return err
	}
	workerURL, err := m.login(marketDatabase, postgres.WorkerRole, workerPassword)
	if err != nil {
		return err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	m.site = "http://" + address
	api := []string{
		"ADDR=" + address, "DATABASE_URL=" + apiURL, "BKASH_NUMBER=01711000000", "NAGAD_NUMBER=01811000000",
		"LIMIT_SIGNUP=off",
	}
	worker := []string{
		"DATABASE_URL=" + workerURL, "SMTP_URL=" + m.mails.URL(), "MAIL_FROM=Amanat <no-reply@amanat.test>",
		"SUPPORT_EMAIL=support@amanat.test", "SOFT_STOP=5s",
	}
	return errors.Join(m.start(ctx, "api", api), m.start(ctx, "worker", worker))
}

func (m *market) start(ctx context.Context, program string, env []string) error {
	ops, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(m.dir, program+".log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), filepath.Join(m.options.Programs, program)) //nolint:gosec // our own
	cmd.Env = append([]string{"REDIS_URL=" + m.redis.URL(), "OPS_ADDR=" + ops, "LOG_LEVEL=warn"}, env...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's interrupt is for the bench
	running, err := localstack.StartProgram(cmd)
	if err != nil {
		return err
	}
	m.running = append(m.running, running)
	if err := awaitReady(ctx, "http://"+ops+"/readyz"); err != nil {
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("start %s: %w\n%s", program, err, said)
	}
	return nil
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

func (m *market) stopPrograms() error {
	var problems error
	for _, program := range m.running {
		problems = errors.Join(problems, program.Stop(stopWait, syscall.SIGTERM, syscall.SIGKILL))
	}
	return problems
}

func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String(), nil
}
