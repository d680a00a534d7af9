package system

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// frame is a frame that a socket receives.
type frame struct {
	Version int       `json:"v"`
	ID      uuid.UUID `json:"id"`
	Seq     int64     `json:"seq"`
	Type    string    `json:"type"`
	At      time.Time `json:"ts"`
	Data    json.RawMessage
}

// line is a line of output of testdata/client.mjs.
type line struct {
	Open   bool
	Frame  *frame
	Closed int
}

// wsClient is a socket of npm's ws package in its own process.
type wsClient struct {
	t     *testing.T
	lines chan line // closed when the process has ended
	input io.WriteCloser
}

// headers returns the headers that a browser sends when it opens a socket.
func (p *person) headers(site string) map[string]string {
	p.t.Helper()
	address, err := url.Parse(site)
	require.NoError(p.t, err)
	var cookies []string
	for _, cookie := range p.http.Jar.Cookies(address) {
		cookies = append(cookies, cookie.Name+"="+cookie.Value)
	}
	return map[string]string{"Cookie": strings.Join(cookies, "; "), "Origin": publicOrigin}
}

// wsClient opens a socket at the site with ws.
func (p *person) wsClient(site, query string) *wsClient {
	p.t.Helper()
	headers, err := json.Marshal(p.headers(site))
	require.NoError(p.t, err)
	folder, err := filepath.Abs("../../ui")
	require.NoError(p.t, err)
	socket := strings.Replace(site, "http", "ws", 1) + "/api/ws" + query
	cmd := exec.CommandContext(p.t.Context(), "node", "testdata/client.mjs", folder, socket, string(headers))
	cmd.Stderr = os.Stderr
	f := &wsClient{t: p.t, lines: make(chan line, 1000)}
	f.input, err = cmd.StdinPipe()
	require.NoError(p.t, err)
	output, err := cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, cmd.Start())
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(f.lines)
		for scanner := bufio.NewScanner(output); scanner.Scan(); {
			var l line
			if err := json.Unmarshal(scanner.Bytes(), &l); err != nil {
				p.t.Errorf("%s: %v", scanner.Text(), err)
			}
			f.lines <- l
		}
	}()
	p.t.Cleanup(func() {
		_ = f.input.Close()
		<-read
		_ = cmd.Wait()
	})
	return f
}

// next returns the next line.
func (f *wsClient) next() line {
	f.t.Helper()
	select {
	case l, more := <-f.lines:
		require.True(f.t, more, "the client has ended")
		return l
	case <-time.After(startWait):
		require.FailNow(f.t, "nothing happens")
		return line{}
	}
}

// frame returns the next frame of a type. It fails the test if another frame of the event log comes
// first.
func (f *wsClient) frame(kind string) *frame {
	f.t.Helper()
	for {
		l := f.next()
		require.NotNil(f.t, l.Frame, "%+v", l)
		require.Equal(f.t, 1, l.Frame.Version)
		if l.Frame.Type == kind {
			return l.Frame
		}
		require.Equal(f.t, "getOnlineUsers", l.Frame.Type, "a frame that nobody expects: %s", l.Frame.Data)
	}
}

// hello requires that the socket opens and returns its starting position.
func (f *wsClient) hello() int64 {
	f.t.Helper()
	require.True(f.t, f.next().Open)
	first := f.next()
	require.NotNil(f.t, first.Frame)
	require.Equal(f.t, "hello", first.Frame.Type, "the first frame")
	var hello struct {
		Recovered bool
		Seq       int64
	}
	require.NoError(f.t, json.Unmarshal(first.Frame.Data, &hello))
	require.True(f.t, hello.Recovered)
	return hello.Seq
}

func (f *wsClient) order(order any) {
	f.t.Helper()
	encoded, err := json.Marshal(order)
	require.NoError(f.t, err)
	_, err = f.input.Write(append(encoded, '\n'))
	require.NoError(f.t, err)
}

func (f *wsClient) send(kind string, data fields) {
	f.t.Helper()
	f.order(fields{"json": fields{"type": kind, "data": data}})
}

// closed requires that the socket is closed with the code; earlier frames are ignored.
func (f *wsClient) closed(code int) {
	f.t.Helper()
	for {
		if l := f.next(); l.Closed != 0 {
			require.Equal(f.t, code, l.Closed)
			return
		}
	}
}

// startConversation sends a first message to another user and returns the conversation.
func (p *person) startConversation(to *person, text string) uuid.UUID {
	p.t.Helper()
	var started struct {
		Conversation struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	p.post("/messages/send-or-start", fields{"receiverId": to.ID, "text": text}).want(http.StatusCreated).into(&started)
	return started.Conversation.ID
}
