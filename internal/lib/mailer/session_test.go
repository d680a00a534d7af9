package mailer_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"amanat/internal/lib/mailer"
)

func (s *server) sender(t *testing.T) *mailer.SMTP {
	t.Helper()
	sender, err := mailer.NewSMTP("smtp://"+s.listener.Addr().String(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	return sender
}

func message() mailer.Message {
	return mailer.Message{To: "nusrat@example.com", Subject: "s", Text: "t", HTML: "h"}
}

func TestSend_connection_kept(t *testing.T) {
	t.Parallel()
	s := serve(t, nil)
	sender := s.sender(t)
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		require.NoError(t, sender.Send(ctx, message()))
		cancel() // does not end the connection
	}
	require.EqualValues(t, 1, s.connections.Load())
	require.Equal(t, []string{"EHLO", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "DATA", "MAIL", "RCPT", "DATA"}, s.received(10),
		"nothing else is said between emails")
}

// received returns the first commands that the server has received.
func (s *server) received(n int) []string {
	var commands []string
	for range n {
		command, _, _ := strings.Cut(<-s.commands, " ")
		commands = append(commands, command)
	}
	return commands
}

// A server may close an idle connection. The next email is sent over a new one.
func TestSend_stale_connection(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, func(s *server) { s.mails = 1 })
	sender := s.sender(t)
	for i := range 4 {
		require.NoError(t, sender.Send(t.Context(), message()))
		<-s.closed
		require.EqualValues(t, i+1, s.connections.Load())
	}
}

// After an error the connection is not used again, and a second one is not tried for the email.
func TestSend_failed_connection_closed(t *testing.T) {
	t.Parallel()
	for at, answer := range map[string]string{"RCPT": "550 nobody", "DATA": "451 later", "content": "452 full"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]string{at: answer})
			sender := s.sender(t)
			for i := range 2 {
				require.Error(t, sender.Send(t.Context(), message()))
				<-s.closed
				require.EqualValues(t, i+1, s.connections.Load())
			}
		})
	}
}

// Emails go out side by side over the given number of connections, which stay open: the server
// answers no email before it has received one over each of them.
func TestSend_side_by_side(t *testing.T) {
	t.Parallel()
	const connections, rounds = 8, 5
	var mu sync.Mutex
	round := make(chan struct{})
	waiting := 0
	s := serve(t, nil, func(s *server) {
		s.commands = make(chan string, 10*connections*rounds)
		s.onContent = func() {
			mu.Lock()
			this := round
			if waiting++; waiting == connections {
				close(round)
				round, waiting = make(chan struct{}), 0
			}
			mu.Unlock()
			<-this
		}
	})
	sender, err := mailer.NewSMTP("smtp://"+s.listener.Addr().String(), "Amanat <no-reply@amanat.test>", connections)
	require.NoError(t, err)
	var all errgroup.Group
	for range connections * rounds {
		all.Go(func() error { return sender.Send(context.WithoutCancel(t.Context()), message()) })
	}
	require.NoError(t, all.Wait())
	require.EqualValues(t, connections, s.connections.Load(), "each is used again")
	require.Empty(t, s.closed, "all are kept")
}

// An email that gets no connection in time is sent later, like one that the server does not take.
func TestSend_connections_in_use(t *testing.T) {
	t.Parallel()
	taken, release := make(chan struct{}), make(chan struct{})
	s := serve(t, nil, func(s *server) {
		s.onContent = func() {
			taken <- struct{}{}
			<-release
		}
	})
	sender, err := mailer.NewSMTP("smtp://"+s.listener.Addr().String(), "Amanat <no-reply@amanat.test>", 1)
	require.NoError(t, err)
	first := make(chan error, 1)
	go func() { first <- sender.Send(context.WithoutCancel(t.Context()), message()) }()
	<-taken
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() { second <- sender.Send(ctx, message()) }()
	cancel()
	err = <-second
	require.ErrorIs(t, err, mailer.ErrUnavailable)
	require.ErrorIs(t, err, context.Canceled)
	close(release)
	require.NoError(t, <-first)
	require.EqualValues(t, 1, s.connections.Load())
}

// Servers refuse more than so many emails over one connection.
func TestSend_connection_renewed(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, func(s *server) { s.commands = make(chan string, 1000) })
	sender := s.sender(t)
	for range 101 {
		require.NoError(t, sender.Send(t.Context(), message()))
	}
	require.EqualValues(t, 2, s.connections.Load())
}

// An idle connection is ended after a while, whatever the server says to that.
func TestSend_idle_connection_ended(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"politely": "221 goodbye", "with an error": "500 what?", "at once": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]string{"QUIT": answer})
			sender := s.sender(t)
			sender.KeepIdle(10 * time.Millisecond)
			require.NoError(t, sender.Send(t.Context(), message()))
			<-s.closed
			require.Equal(t, []string{"EHLO", "MAIL", "RCPT", "DATA", "QUIT"}, s.received(5))
			require.NoError(t, sender.Send(t.Context(), message()))
			require.EqualValues(t, 2, s.connections.Load())
		})
	}
}

// Errors tell the server's failures, which any email would meet, from those of one email.
func TestSend_unavailable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers map[string]string
		down    bool
	}{
		"closes at once":        {map[string]string{"greeting": ""}, true},
		"refuses everybody":     {map[string]string{"greeting": "554 no"}, true},
		"refuses the sender":    {map[string]string{"MAIL": "550 who are you?"}, true},
		"is closing":            {map[string]string{"RCPT": "421 come back later"}, true},
		"hangs up":              {map[string]string{"DATA": ""}, true},
		"refuses the recipient": {map[string]string{"RCPT": "550 nobody"}, false},
		"greylists":             {map[string]string{"RCPT": "450 later"}, false},
		"refuses the content":   {map[string]string{"content": "554 spam"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := serve(t, c.answers).sender(t).Send(t.Context(), message())
			require.Error(t, err)
			if c.down {
				require.ErrorIs(t, err, mailer.ErrUnavailable)
			} else {
				require.NotErrorIs(t, err, mailer.ErrUnavailable)
			}
		})
	}
}
