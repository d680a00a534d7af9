package mailer_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/textproto"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/lib/mailer"
)

// server is an SMTP server with the given answers by command. Other commands succeed. The answer ""
// closes the connection. "content" is the answer to the text of the email.
type server struct {
	listener    net.Listener
	answers     map[string]string
	letters     int    // emails over one connection, after which it is closed without a word; 0: any number
	onContent   func() // called before the text of an email is answered, if not nil
	connections atomic.Int32
	commands    chan string // received; need not be read
	closed      chan struct{}
}

// silence is an answer that is never sent.
const silence = "silence"

func serve(t *testing.T, answers map[string]string, options ...func(*server)) *server {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s := &server{listener: listener, answers: answers, commands: make(chan string, 100), closed: make(chan struct{}, 100)}
	for _, option := range options {
		option(s)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			go s.talk(textproto.NewConn(conn))
		}
	}()
	return s
}

func (s *server) talk(conn *textproto.Conn) {
	defer func() {
		_ = conn.Close()
		s.closed <- struct{}{}
	}()
	command, letters := "greeting", 0
	for {
		answer, known := s.answers[command]
		switch {
		case !known && command == "greeting":
			answer = "220 mail"
		case !known && command == "DATA":
			answer = "354 go on"
		case !known && command == "QUIT":
			answer = "221 goodbye"
		case !known:
			answer = "250 fine"
		}
		if answer == "" {
			return
		}
		if command == "content" && s.onContent != nil {
			s.onContent()
		}
		if answer != silence && conn.PrintfLine("%s", answer) != nil {
			return
		}
		if command == "content" {
			if letters++; letters == s.letters {
				return
			}
		}
		if command == "DATA" && strings.HasPrefix(answer, "354") {
			if _, err := conn.ReadDotBytes(); err != nil {
				return
			}
			command = "content"
			continue
		}
		line, err := conn.ReadLine()
		if err != nil {
			return
		}
		command, _, _ = strings.Cut(line, " ")
		command, _, _ = strings.Cut(command, ":")
		s.commands <- line
	}
}

// send sends an email to the recipient, with a short timeout in case it hangs.
func (s *server) send(ctx context.Context, t *testing.T, user, recipient string) error {
	t.Helper()
	sender, err := mailer.NewSMTP("smtp://"+user+s.listener.Addr().String(), "Amanat <no-reply@amanat.test>", 4)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- sender.Send(ctx, mailer.Message{To: recipient, Subject: "s", Text: "t", HTML: "h"}) }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		require.Fail(t, "sending hangs")
		return nil
	}
}

func TestSend_silent_server(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"greeting", "EHLO", "MAIL", "RCPT", "DATA", "content"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]string{at: silence})
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			err := s.send(ctx, t, "", "nusrat@example.com")
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NotContains(t, err.Error(), "nusrat")
			<-s.closed // the connection is not leaked
			require.EqualValues(t, 1, s.connections.Load())
		})
	}
}

func TestSend_cancelled(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"RCPT": silence})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for line := range s.commands {
			if strings.HasPrefix(line, "RCPT") {
				cancel()
				return
			}
		}
	}()
	require.ErrorIs(t, s.send(ctx, t, "", "nusrat@example.com"), context.Canceled)
}

func TestSend_server_hangs_up(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"greeting", "EHLO", "MAIL", "RCPT", "DATA", "content"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			s := serve(t, map[string]string{at: "", "HELO": ""})
			err := s.send(t.Context(), t, "", "nusrat@example.com")
			require.Error(t, err)
			require.NotErrorIs(t, err, mailer.ErrUndeliverable)
			require.EqualValues(t, 1, s.connections.Load())
		})
	}
}

func TestSend_undeliverable(t *testing.T) {
	t.Parallel()
	const (
		ehlo       = "250-mail\r\n250 ENHANCEDSTATUSCODES"
		noRelaying = "554 5.7.1 <nusrat@example.com> no relaying"
	)
	for name, c := range map[string]struct {
		answers   map[string]string
		recipient string
		final     bool
	}{
		"two addresses":         {nil, "a,b@example.com", true},
		"a comment":             {nil, "(nusrat@example.com", true},
		"two dots":              {nil, "a..b@example.com", true},
		"unknown user":          {map[string]string{"RCPT": "550 nusrat@example.com: nobody"}, "nusrat@example.com", true},
		"unknown user, by code": {map[string]string{"EHLO": ehlo, "RCPT": "550 5.1.1 nobody"}, "nusrat@example.com", true},
		"greylisted":            {map[string]string{"RCPT": "450 <nusrat@example.com> later"}, "nusrat@example.com", false},
		"relay denied":          {map[string]string{"EHLO": ehlo, "RCPT": noRelaying}, "nusrat@example.com", false},
		"sender refused":        {map[string]string{"MAIL": "550 who are you?"}, "nusrat@example.com", false},
		"full":                  {map[string]string{"content": "452 nusrat@example.com is full"}, "nusrat@example.com", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := serve(t, c.answers).send(t.Context(), t, "", c.recipient)
			require.Error(t, err)
			require.Equal(t, c.final, errors.Is(err, mailer.ErrUndeliverable), "%v", err)
			require.NotContains(t, err.Error(), "example.com", "logs must not contain addresses")
		})
	}
	err := serve(t, map[string]string{"MAIL": "530 sign in first"}).send(t.Context(), t, "", "nusrat@example.com")
	require.ErrorContains(t, err, "sign in first", "the log contains the server's answer")
}

func TestSend_auth(t *testing.T) {
	t.Parallel()
	s := serve(t, map[string]string{"EHLO": "250-mail\r\n250 AUTH LOGIN PLAIN", "AUTH": "235 welcome"})
	require.NoError(t, s.send(t.Context(), t, "amanat:secret@", "nusrat@example.com"))
	require.Equal(t, "EHLO localhost", <-s.commands)
	require.Equal(t, "AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00amanat\x00secret")), <-s.commands)
	require.Equal(t, "MAIL FROM:<no-reply@amanat.test>", <-s.commands)
	require.Equal(t, "RCPT TO:<nusrat@example.com>", <-s.commands)
}
