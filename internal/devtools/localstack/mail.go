package localstack

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/textproto"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/emersion/go-smtp"
)

const (
	mailKept         = 500 // older ones are dropped
	mailMaxBytes     = 10 << 20
	mailTimeout      = 30 * time.Second
	mailMaxDepth     = 5
	mailMaxReceivers = 50
)

// Mail is a received email.
type Mail struct {
	// The From header: name and address.
	From string `json:"from"`
	// The recipients, separated by ", ".
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	At      time.Time `json:"at"`

	Header mail.Header `json:"headers"`
}

// MailCatcher is an SMTP server that delivers nothing and shows what it received.
type MailCatcher struct {
	server   *smtp.Server
	listener net.Listener
	now      func() time.Time
	done     chan struct{} // closed when the server has ended

	mu    sync.Mutex
	mails []Mail // oldest first
}

// StartMail starts a catcher on a free port of 127.0.0.1; now returns the business time. The caller
// must stop it.
func StartMail(ctx context.Context, now func() time.Time) (*MailCatcher, error) {
	return StartMailAt(ctx, "127.0.0.1:0", now)
}

// StartMailAt is StartMail with a given address, such as that of a stopped catcher.
func StartMailAt(ctx context.Context, address string, now func() time.Time) (*MailCatcher, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", address)
	if err != nil {
		return nil, err
	}
	c := &MailCatcher{listener: listener, now: now, done: make(chan struct{})}
	c.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &mailSession{catcher: c}, nil
	}))
	c.server.Domain = "localhost"
	c.server.MaxMessageBytes = mailMaxBytes
	c.server.MaxRecipients = mailMaxReceivers
	c.server.ReadTimeout, c.server.WriteTimeout = mailTimeout, mailTimeout
	c.server.EnableSMTPUTF8 = true
	go func() {
		defer close(c.done)
		_ = c.server.Serve(listener) // ends with Stop
	}()
	return c, nil
}

// URL returns the server's address.
func (c *MailCatcher) URL() string { return "smtp://" + c.listener.Addr().String() }

// Mails returns the received emails, newest first.
func (c *MailCatcher) Mails() []Mail {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := slices.Clone(c.mails)
	slices.Reverse(list)
	return append([]Mail{}, list...)
}

// Stop ends the server and its connections.
func (c *MailCatcher) Stop() error {
	err := c.server.Close()
	// The server knows the listener only once Serve runs.
	_ = c.listener.Close()
	<-c.done
	return err
}

func (c *MailCatcher) add(m Mail) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mails = append(c.mails, m)
	if len(c.mails) > mailKept {
		c.mails = slices.Delete(c.mails, 0, len(c.mails)-mailKept)
	}
}

type mailSession struct {
	catcher *MailCatcher
	to      []string
}

func (s *mailSession) Reset() { s.to = nil }

func (s *mailSession) Logout() error { return nil }

func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := parseMail(raw)
	if err != nil {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 6, 0}, Message: err.Error()}
	}
	m.To, m.At = strings.Join(s.to, ", "), s.catcher.now()
	s.catcher.add(m)
	return nil
}

func parseMail(raw []byte) (Mail, error) {
	message, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Mail{}, err
	}
	m := Mail{Header: message.Header}
	m.From = decodeHeader(message.Header.Get("From"))
	m.Subject = decodeHeader(message.Header.Get("Subject"))
	return m, m.readPart(textproto.MIMEHeader(message.Header), message.Body, 0)
}

// readPart stores the first plain text and the first HTML part of an email, however its parts are
// nested.
func (m *Mail) readPart(header textproto.MIMEHeader, body io.Reader, depth int) error {
	if depth > mailMaxDepth {
		return errors.New("parts are nested too deep")
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain" // the default of an email without the header
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := m.readPart(part.Header, part, depth+1); err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	switch {
	case kind == "text/plain" && m.Text == "":
		m.Text = string(text)
	case kind == "text/html" && m.HTML == "":
		m.HTML = string(text)
	}
	return nil
}

func decodeHeader(value string) string {
	decoded, err := new(mime.WordDecoder).DecodeHeader(value)
	if err != nil {
		return value
	}
	return decoded
}

//go:embed mailpage.html
var pages embed.FS

var mailPage = template.Must(template.New("mailpage.html").Funcs(template.FuncMap{
	// Links in an email must not open inside its frame.
	"frame": func(html string) string { return `<base target="_blank">` + html },
	"time":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
}).ParseFS(pages, "mailpage.html"))

// ServeHTTP shows the received emails, newest first: as a page, or as a JSON list with
// ?format=json.
func (c *MailCatcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Query().Get("format") == "json" {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(c.Mails()) // fails only if the client is gone
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// The HTML of an email is shown in a frame without scripts, forms or cookies; its links open in
	// a new tab.
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'")
	_ = mailPage.Execute(w, c.Mails())
}

// account is the user that the server runs as, because PostgreSQL refuses to run as root. nil means
// the user of this process.
type account struct {
	uid, gid uint32
}

const overflowID = 65534 // the ID of nobody if the user database has no such user

// serverAccount returns the user nobody if this process runs as root, and nil otherwise. If dataDir
// belongs to another user than root, root serves it as that user, so that root can open a cluster
// that an ordinary user created.
func serverAccount(dataDir string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	info, err := os.Stat(filepath.Join(dataDir, "PG_VERSION"))
	if err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 {
			return &account{uid: stat.Uid, gid: stat.Gid}, nil
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return &account{uid: overflowID, gid: overflowID}, nil //nolint:nilerr // falls back to the ID
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user nobody: %w", err)
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user nobody: %w", err)
	}
	return &account{uid: uint32(uid), gid: uint32(gid)}, nil
}

// command returns a command that runs a PostgreSQL program as the account, in its own process group
// so that it does not receive the terminal's signals. It is killed when ctx ends.
func (a *account) command(ctx context.Context, native, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(native, "bin", program), args...)
	cmd.Dir = "/"
	// Do not pass on this process's environment, such as PGDATA or a locale that is not installed.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return cmd
}

// probe returns an error if the account cannot run the binaries in dir.
func (a *account) probe(ctx context.Context, native, dir string) error {
	cmd := a.command(ctx, native, "postgres", "--version")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run PostgreSQL in %s: %w %s", dir, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// own changes the owner of a file or folder to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}
