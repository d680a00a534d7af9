package system

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/program"
)

const (
	rolledCalls = 4000 // during rolls, at least
	proxyUsers  = 8
	proxyRolls  = 2 // of both apis
)

// proxied is an installation behind a proxy. All its addresses are on a network of this process, so
// that an api that is replaced finds its port free: other programs use 127.0.0.1.
type proxied struct {
	*system
	network string // "127.31.4"
	client  *http.Client
	cert    string // file with the proxy's certificate
	key     string
	apis    [2]*process
}

func (p *proxied) address(host, port int) string {
	return fmt.Sprintf("%s.%d:%d", p.network, host, port)
}

// networks counts those of this process.
var networks atomic.Int64

func newProxied(t *testing.T) *proxied {
	t.Helper()
	pid := os.Getpid()
	p := &proxied{system: newSystem(t, released), network: fmt.Sprintf("127.%d.%d", 100+(pid/256+int(networks.Add(1)))%100, pid%256)}
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	server.Close()
	p.client = server.Client() // trusts the certificate below, which is of example.com
	dir := t.TempDir()
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600))
		return path
	}
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	require.NoError(t, err)
	p.cert, p.key = write("cert.pem", "CERTIFICATE", pair.Certificate[0]), write("key.pem", "PRIVATE KEY", key)
	for i := range p.apis {
		p.startAPI(i)
	}
	p.startWorker(allQueues)
	return p
}

// startAPI starts the api of one of the two ports of the recipes.
func (p *proxied) startAPI(i int) {
	p.t.Helper()
	p.apis[i] = p.system.startAPI("ADDR="+p.address(1, 8080+i), "TRUSTED_PROXIES="+p.network+".0/24")
}

// nginx serves the recipe. Only its addresses, its name and its certificate are the test's.
func (p *proxied) nginx() {
	p.t.Helper()
	dir := p.t.TempDir()
	recipe, err := os.ReadFile("../../deploy/nginx.conf")
	require.NoError(p.t, err)
	site := p.replaced(string(recipe),
		"listen 80;", "listen "+p.address(2, 8081)+";", "listen [::]:80;", "",
		"listen 443 ssl", "listen "+p.address(2, 8443)+" ssl", "listen [::]:443 ssl http2;", "",
		"/etc/letsencrypt/live/amanat.example/fullchain.pem", p.cert, "/etc/letsencrypt/live/amanat.example/privkey.pem", p.key,
		"127.0.0.1:8080", p.address(1, 8080), "127.0.0.1:8081", p.address(1, 8081))
	var paths strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&paths, "%s_temp_path %s;\n", kind, filepath.Join(dir, kind))
	}
	user := "" // of root's workers, who may not open files below the test's folder otherwise
	if os.Getuid() == 0 {
		user = "user root;"
	}
	config := filepath.Join(dir, "nginx.conf")
	require.NoError(p.t, os.WriteFile(config, fmt.Appendf(nil,
		"%s daemon off; pid %s; error_log stderr warn;\nevents { worker_connections 8192; }\nhttp {\naccess_log off;\n%s%s}\n",
		user, filepath.Join(dir, "pid"), paths.String(), site), 0o600))
	path := program.Path(p.t, "nginx")
	out, err := exec.CommandContext(p.t.Context(), path, "-t", "-c", config).CombinedOutput()
	require.NoError(p.t, err, "%s", out)
	nginx := startProcess(p.t, "nginx", path, nil, "-c", config)
	p.t.Cleanup(func() { // before it is killed, which would leave its workers
		nginx.signal(syscall.SIGTERM)
		nginx.awaitEnd(startWait)
	})
	p.awaitListening()
}

// caddy serves the recipe, as nginx does.
func (p *proxied) caddy() {
	p.t.Helper()
	recipe, err := os.ReadFile("../../deploy/Caddyfile.systemd")
	require.NoError(p.t, err)
	site := p.replaced(string(recipe),
		"amanat.example {", fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n}\nhttps://%s {\n\tbind %s.2\n\ttls %s %s", p.address(2, 8443),
			p.network, p.cert, p.key),
		"127.0.0.1:8080", p.address(1, 8080), "127.0.0.1:8081", p.address(1, 8081))
	config := filepath.Join(p.t.TempDir(), "Caddyfile")
	require.NoError(p.t, os.WriteFile(config, []byte(site), 0o600))
	startProcess(p.t, "caddy", program.Path(p.t, "caddy"), []string{"HOME=" + p.t.TempDir()},
		"run", "--config", config, "--adapter", "caddyfile")
	p.awaitListening()
}

func (p *proxied) awaitListening() {
	p.t.Helper()
	await(p.t, startWait, "the proxy listens", func() bool {
		connection, err := net.Dial("tcp", p.address(2, 8443))
		if err != nil {
			return false
		}
		return connection.Close() == nil
	})
}

// replaced requires that each former part is in the text.
func (p *proxied) replaced(text string, parts ...string) string {
	p.t.Helper()
	for i := 0; i < len(parts); i += 2 {
		require.Contains(p.t, text, parts[i])
		text = strings.Replace(text, parts[i], parts[i+1], 1)
	}
	return text
}

// member returns a user whose browser uses the proxy.
func (p *proxied) member(username string) *person {
	p.t.Helper()
	user := p.visitor()
	transport, is := p.client.Transport.(*http.Transport)
	require.True(p.t, is)
	transport = transport.Clone()
	transport.TLSClientConfig.ServerName = "example.com"
	user.http.Transport = transport
	user.post("/auth/signup", fields{"username": username, "email": username + "@example.com", "password": password}).
		want(http.StatusCreated).into(user)
	return user
}

// noise is a picture that does not compress, of about 1.5 MB.
func noise(t *testing.T) string {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 720, 700))
	random := rand.NewChaCha8([32]byte{})
	_, err := random.Read(picture.Pix)
	require.NoError(t, err)
	for i := 3; i < len(picture.Pix); i += 4 {
		picture.Pix[i] = 255
	}
	var encoded bytes.Buffer
	require.NoError(t, png.Encode(&encoded, picture))
	require.Greater(t, encoded.Len(), 1_500_000)
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(encoded.Bytes())
}

// Behind the documented proxy, both apis are replaced one after the other, as an upgrade does,
// without a failed call; a large picture passes, and so do sockets.
func TestProxy(t *testing.T) {
	t.Parallel()
	for name, start := range proxies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProxied(t)
			start(p)
			p.testRolls()
		})
	}
}

// proxies start the documented proxies. Debian's Caddy is too old, so it is tested in soak runs.
var proxies = map[string]func(*proxied){"nginx": (*proxied).nginx}

func (p *proxied) testRolls() {
	p.t.Helper()
	front := &process{site: "https://" + p.address(2, 8443)}
	p.serve(front)
	rahim, karim := p.member("rahim"), p.member("karim")
	conversation := rahim.startConversation(karim, "hello")
	rahim.post("/messages", fields{"conversationId": conversation, "text": "look", "image": noise(p.t)}).want(http.StatusCreated)

	require.Equal(p.t, http.StatusSwitchingProtocols, rahim.upgrade(front.site))

	users := []*person{rahim, karim}
	for i := len(users); i < proxyUsers; i++ {
		users = append(users, p.member(fmt.Sprintf("user%d", i)))
	}
	p.rollUnderLoad(users, conversation)
}

// upgrade asks for a socket, closes it and returns the status.
func (p *person) upgrade(site string) int {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, site+"/api/ws", nil)
	require.NoError(p.t, err)
	for name, value := range p.headers(site) {
		r.Header.Set(name, value)
	}
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	r.Header.Set("Sec-WebSocket-Version", "13")
	r.Header.Set("Sec-WebSocket-Key", base64.StdEncoding.EncodeToString(make([]byte, 16)))
	response, err := p.http.Do(r)
	require.NoError(p.t, err)
	require.NoError(p.t, response.Body.Close())
	return response.StatusCode
}

// rollUnderLoad replaces the apis while the users make calls, some of which write.
func (p *proxied) rollUnderLoad(users []*person, conversation uuid.UUID) {
	p.t.Helper()
	var calls, rolled atomic.Int64
	var group sync.WaitGroup
	site := p.next()
	for i, user := range users {
		group.Go(func() {
			for n := 0; calls.Load() < rolledCalls || rolled.Load() == 0; n++ {
				r, want := request{by: user, path: "/auth/check"}, http.StatusOK
				if i == 0 && n%4 == 0 {
					r, want = user.ask("/messages", fields{"conversationId": conversation, "text": fmt.Sprint("message ", n)}), http.StatusCreated
				}
				a, err := r.send(p.t.Context(), site)
				if err != nil || a.status != want {
					p.t.Errorf("call %d: %d %s %v", calls.Load(), a.status, a.body, err)
					return
				}
				calls.Add(1)
			}
		})
	}
	for range proxyRolls {
		for i := range p.apis {
			p.apis[i].stop(drainBound)
			p.startAPI(i)
		}
	}
	rolled.Store(1)
	group.Wait()
	p.t.Logf("%d calls during %d rolls", calls.Load(), proxyRolls)
}
