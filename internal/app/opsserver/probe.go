package opsserver

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Bounds of a probe. A health check that waits longer is stopped by whoever runs it.
const (
	probeTimeout = 4 * time.Second
	maxProbeBody = 4 << 10
)

// Probe asks the process on this machine whose ops port is addr whether it is ready. It returns an
// error with the answer if it is not. It is for health checks of images without a shell.
func Probe(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without HTTP_PROXY
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode == http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxProbeBody))
	if err != nil {
		return fmt.Errorf("%s: %w", response.Status, err)
	}
	return fmt.Errorf("%s: %s", response.Status, strings.TrimSpace(string(body)))
}
