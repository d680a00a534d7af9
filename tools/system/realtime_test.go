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
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A client that shares no code with ours, connected to the other node, receives its user's events
// at once, and no others.
func TestSocket_events(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	east, west := s.startAPI(), s.startAPI()
	s.serve(east, west)
	sender, receiver, other := s.member("nusrat"), s.member("rakib"), s.member("sadia")
	conversation := sender.startConversation(receiver, "Assalamu alaikum")
	// Presence is shown only in conversations that were answered.
	_, err := s.db.Owner().Exec(t.Context(), `update conversations set answered = true`)
	require.NoError(t, err)
	nusrat := sender.wsClient(east.site, "")
	start := nusrat.hello()
	// Clients may send a user ID; the server ignores it.
	stranger := other.wsClient(west.site, "?userId="+receiver.ID.String())
	stranger.hello()
	rakib := receiver.wsClient(west.site, "?since=0")
	require.EqualValues(t, 1, rakib.hello())
	require.EqualValues(t, 1, rakib.frame("newMessage").Seq, "what was missed follows")
	requireOnline(t, nusrat, receiver.ID)

	// An event from one node to the other.
	sender.post("/messages", fields{"conversationId": conversation, "text": "Is the channel for sale?"}).want(http.StatusCreated)
	message, popUp := rakib.frame("newMessage"), rakib.frame("receiveMessage")
	require.EqualValues(t, 2, message.Seq)
	require.Contains(t, string(message.Data), "Is the channel for sale?")
	require.Zero(t, popUp.Seq, "it is not in the log")
	require.Contains(t, string(popUp.Data), "Is the channel for sale?")
	require.Equal(t, start+1, nusrat.frame("newMessage").Seq)

	// Messages from clients.
	rakib.send("typing", fields{"conversationId": conversation})
	// Dropped: too soon after the last.
	rakib.send("typing", fields{"conversationId": conversation})
	typing := nusrat.frame("typing")
	require.Zero(t, typing.Seq)
	require.JSONEq(t, `{"conversationId": "`+conversation.String()+`", "userId": "`+receiver.ID.String()+`"}`, string(typing.Data))
	rakib.send("markAsRead", fields{"conversationId": conversation})
	require.EqualValues(t, 3, rakib.frame("messageRead").Seq)
	require.Equal(t, start+2, nusrat.frame("messageRead").Seq)
	rakib.send("ping", nil)
	rakib.frame("pong")

	// A user outside the conversation receives not_found and no events.
	stranger.send("typing", fields{"conversationId": conversation})
	for range 2 {
		problem := stranger.frame("problem")
		require.Contains(t, string(problem.Data), `"not_found"`)
		stranger.send("markAsRead", fields{"conversationId": conversation})
	}
	stranger.frame("problem")
	stranger.send("ping", nil)
	stranger.frame("pong")

	// Rakib resumes at the position where the connection broke.
	rakib.order(fields{"close": true})
	rakib.closed(1005)
	sender.post("/messages", fields{"conversationId": conversation, "text": "Hello?"}).want(http.StatusCreated)
	rakib = receiver.wsClient(east.site, "?since=3")
	require.EqualValues(t, 4, rakib.hello())
	require.EqualValues(t, 4, rakib.frame("newMessage").Seq)

	receiver.post("/auth/logout", nil).want(http.StatusOK)
	rakib.closed(4001)
}

// requireOnline waits for a frame that lists exactly this user as online.
func requireOnline(t *testing.T, f *wsClient, want uuid.UUID) {
	t.Helper()
	for {
		var online []uuid.UUID
		require.NoError(t, json.Unmarshal(f.frame("getOnlineUsers").Data, &online))
		if slices.Equal(online, []uuid.UUID{want}) {
			return
		}
	}
}

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
