//go:build soak

package system

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/postgres"
)

const (
	slowReaders = 12
	heldBound   = 32 << 20 // bytes that they may add to an api's memory
	longText    = 20 << 10 // bytes of a description
	// The kernel's buffers fill at once; an api's memory beyond them grows within this time.
	watchTime = 5 * time.Second
)

// sqlLongTexts insert 400 posts, deals and reviews with long texts.
var sqlLongTexts = []string{
	`insert into posts (id, created_by, title, description, price, category, subcategory, tags, created_at, updated_at, place, document)
	 select gen_random_uuid(), @seller, 'A logo', repeat('x', @long), 100, 'Online Asset', 'Other', '{}', @now, @now, n, 'a logo'
	   from generate_series(1, 400) n`,
	`insert into deals (id, buyer_id, seller_id, created_by, price, fee, description, delivery_days, status, created_at, due_at, activated_at,
	                    closed_at, close_reason)
	 select gen_random_uuid(), @buyer, @seller, @buyer, 100, 2, repeat('x', @long), 7, 'Completed', @now, @now, @now, @now, 'completed'
	   from generate_series(1, 400) n`,
	`insert into reviews (id, deal_id, reviewer_id, reviewed_id, rating, comment, created_at)
	 select gen_random_uuid(), id, @buyer, @seller, 5, repeat('x', @long), @now from deals`,
}

// Clients that request the longest lists and read almost nothing of the responses use little of an
// api's memory.
func TestAPI_memory_slow_readers(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	api := s.startAPI()
	s.serve(api)
	buyer, seller := s.member("buyer"), s.member("seller")
	for _, sql := range sqlLongTexts {
		_, err := s.db.Owner().Exec(t.Context(), sql,
			postgres.Args{"buyer": buyer.ID, "seller": seller.ID, "long": longText, "now": time.Now()})
		require.NoError(t, err)
	}
	var cookies []string
	site, err := url.Parse(api.site)
	require.NoError(t, err)
	for _, cookie := range buyer.http.Jar.Cookies(site) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	for _, path := range []string{"/posts/user/seller", "/reviews?user=" + seller.ID.String(), "/deals/my-deals"} {
		// What the first request leaves in memory does not count.
		buyer.get(path).want(200)
		before := api.memory()
		for range slowReaders {
			connection := requestSlowly(t, site.Host, path, strings.Join(cookies, "; "))
			defer func() { _ = connection.Close() }()
		}
		most := before
		for watched := time.Now(); time.Since(watched) < watchTime; time.Sleep(pause) {
			most = max(most, api.memory())
		}
		t.Logf("%s: %d slow readers hold %.1f MiB", path, slowReaders, float64(most-before)/(1<<20))
		require.Less(t, most-before, heldBound, path)
	}
}

// smallWindow sets a small receive buffer, so that the kernel does not buffer the response.
func smallWindow(_, _ string, connection syscall.RawConn) error {
	var failed error
	err := connection.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10)
	})
	return errors.Join(err, failed)
}

// requestSlowly makes a request and reads only the beginning of the response.
func requestSlowly(t *testing.T, host, path, cookies string) net.Conn {
	t.Helper()
	dialer := net.Dialer{Control: smallWindow}
	connection, err := dialer.DialContext(context.WithoutCancel(t.Context()), "tcp", host)
	require.NoError(t, err)
	_, err = fmt.Fprintf(connection, "GET /api%s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", path, host, cookies)
	require.NoError(t, err)
	beginning := make([]byte, len("HTTP/1.1 200"))
	require.NoError(t, connection.SetReadDeadline(time.Now().Add(answerWait)))
	_, err = io.ReadFull(connection, beginning)
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200", string(beginning))
	return connection
}

// memory returns the resident memory of the process in bytes.
func (p *process) memory() int {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid))
	require.NoError(p.t, err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[1]) // resident
	require.NoError(p.t, err)
	return pages * os.Getpagesize()
}
