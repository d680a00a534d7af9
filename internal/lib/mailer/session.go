package mailer

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

const (
	// maxLetters are sent over one connection: servers refuse more after a hundred or so.
	maxLetters = 100
	idleTime   = 30 * time.Second
	quitTime   = time.Second
)

// session is a connection to the server over which emails can be sent one after the other.
type session struct {
	conn   net.Conn
	mails  *mail.Client
	client *smtp.Client
	ends   *time.Timer // ends the session while it is idle
	sent   int         // emails
}

// open connects to the server and signs in. It closes the connection if ctx ends before that.
func (s *SMTP) open(ctx context.Context) (*session, error) {
	opened := &session{}
	closed := func() bool { return false }
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := s.dial(dialing, network, address)
		if err == nil {
			opened.conn = conn
			closed = closeAfter(ctx, conn)
		}
		return conn, err
	}
	var err error
	if opened.mails, err = mail.NewClient(s.host, append(slices.Clone(s.options), mail.WithDialContextFunc(dial))...); err != nil {
		return nil, err
	}
	opened.client, err = opened.mails.DialToSMTPClientWithContext(ctx)
	if closed() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		if opened.conn != nil {
			_ = opened.conn.Close()
		}
		return nil, err
	}
	return opened, nil
}

// send sends an email. After an error the session is ended.
func (c *session) send(ctx context.Context, msg *mail.Msg) (usable bool, err error) {
	closed := closeAfter(ctx, c.conn)
	err = c.mails.SendWithSMTPClient(c.client, msg)
	c.sent++
	usable = !closed() && err == nil
	if !usable {
		c.end()
	}
	return usable, err
}

// closeAfter closes the connection when ctx ends: go-mail observes ctx only while it dials. It does
// not after the returned function has been called, which reports whether it did before.
func closeAfter(ctx context.Context, conn net.Conn) (closed func() bool) {
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	return func() bool { return !stop() }
}

// end sends QUIT and closes the connection.
func (c *session) end() {
	if c.client.UpdateDeadline(quitTime) == nil {
		_ = c.client.Quit()
	}
	_ = c.conn.Close()
}

// isStale reports whether an email that was to be sent over a connection that had been idle failed
// at its first command. The server may have closed the connection meanwhile, or may accept no
// further email over it, and the email has certainly not been sent.
func isStale(err error) bool {
	failed := new(mail.SendError)
	return errors.As(err, &failed) && (failed.Reason == mail.ErrSMTPMailFrom || failed.Reason == mail.ErrConnCheck)
}

// isUnavailable reports whether an error of sending says that the server can send nothing now. It
// has refused the sender for another reason than this email's size (552), is closing (421), or the
// connection broke.
func isUnavailable(err error) bool {
	failed := new(mail.SendError)
	if !errors.As(err, &failed) {
		return true
	}
	switch failed.Reason {
	case mail.ErrConnCheck:
		return true
	case mail.ErrSMTPMailFrom:
		return failed.ErrorCode() != 552
	case mail.ErrSMTPRcptTo, mail.ErrSMTPData, mail.ErrWriteContent, mail.ErrSMTPDataClose:
		return failed.ErrorCode() == 0 || failed.ErrorCode() == 421
	default:
		return false // the email itself cannot be encoded
	}
}

// pool keeps idle sessions. A session is opened only if none is idle, so with those in use there
// are never more than SMTP has slots.
type pool struct {
	keep time.Duration // how long

	mu   sync.Mutex
	idle []*session // the last one was used last
}

// take returns the session that was used last, nil if there is none.
func (p *pool) take() *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	last := len(p.idle) - 1
	c := p.idle[last]
	p.idle = p.idle[:last]
	c.ends.Stop()
	return c
}

// put keeps the session for a while, or ends it if it has sent enough.
func (p *pool) put(c *session) {
	p.mu.Lock()
	keep := c.sent < maxLetters
	if keep {
		c.ends = time.AfterFunc(p.keep, func() {
			if p.remove(c) {
				c.end()
			}
		})
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		c.end()
	}
}

// remove reports whether the session was still idle. It no longer is.
func (p *pool) remove(c *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.idle, c)
	if i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	return i >= 0
}

// deliver sends the email over an idle connection or a new one, which it keeps if it can be used
// again.
func (s *SMTP) deliver(ctx context.Context, msg *mail.Msg) error {
	if c := s.sessions.take(); c != nil {
		usable, err := c.send(ctx, msg)
		if usable {
			s.sessions.put(c)
		}
		if err == nil || !isStale(err) || ctx.Err() != nil {
			return err
		}
	}
	c, err := s.open(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	usable, err := c.send(ctx, msg)
	if usable {
		s.sessions.put(c)
	}
	return err
}
