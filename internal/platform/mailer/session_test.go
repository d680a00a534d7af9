package mailer_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"amanat/internal/platform/mailer"
)

func (s *server) sender(t *testing.T) *mailer.SMTP {
	t.Helper()
	sender, err := mailer.NewSMTP("smtp://"+s.listener.Addr().String(), "Amanat <no-reply@amanat.test>")
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
	s := serve(t, nil, func(s *server) { s.letters = 1 })
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

// At most four idle connections are kept. Eight are open at once here: no email is answered before
// all have been received.
func TestSend_few_connections_kept(t *testing.T) {
	t.Parallel()
	const together = 8
	var all sync.WaitGroup
	all.Add(together)
	s := serve(t, nil, func(s *server) {
		s.onContent = func() {
			all.Done()
			all.Wait()
		}
	})
	sender := s.sender(t)
	done := make(chan error, together)
	for range together {
		go func() { done <- sender.Send(context.WithoutCancel(t.Context()), message()) }()
	}
	for range together {
		require.NoError(t, <-done)
	}
	for range together - 4 {
		<-s.closed
	}
	require.EqualValues(t, together, s.connections.Load())
	require.Empty(t, s.closed)
}

// Emails go out side by side over connections that stay open: with a server that takes 20 ms for
// each command, 32 connections carry 400 emails a second.
func TestSend_many(t *testing.T) {
	t.Parallel()
	const connections, letters, delay = 32, 320, 20 * time.Millisecond
	s := serve(t, nil, func(s *server) {
		s.delay = delay
		s.commands, s.closed = make(chan string, 10*letters), make(chan struct{}, letters)
	})
	sender := s.sender(t)
	sender.KeepOpen(connections)
	begun := time.Now()
	var senders errgroup.Group
	senders.SetLimit(connections)
	for range letters {
		senders.Go(func() error { return sender.Send(context.WithoutCancel(t.Context()), message()) })
	}
	require.NoError(t, senders.Wait())
	took := time.Since(begun)
	t.Logf("%.0f emails/s", letters/took.Seconds())
	require.LessOrEqual(t, s.connections.Load(), int32(connections), "each is used again")
	require.Less(t, took, letters*4*delay/8, "at least eight are sent at a time")
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
