package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
	"amanat/internal/devtools/sentences"
	"amanat/internal/lib/fault"
)

// contract is the OpenAPI document against which every answer in every test is checked.
type contract struct {
	raw      []byte
	document document
	calls    []contractCall

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	met      map[string]int // answers by "METHOD path status"
}

type contractCall struct {
	method string
	path   string // with {names}
}

func (c contractCall) String() string { return c.method + " " + c.path }

var theContract = sync.OnceValue(func() *contract {
	raw, err := api.OpenAPI()
	must(err)
	c := &contract{raw: raw, compiler: jsonschema.NewCompiler(), met: map[string]int{}}
	must(json.Unmarshal(raw, &c.document))
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	must(err)
	c.compiler.AssertFormat()
	must(c.compiler.AddResource("openapi.json", parsed))
	for path, methods := range c.document.Paths {
		for method := range methods {
			c.calls = append(c.calls, contractCall{strings.ToUpper(method), path})
		}
	}
	return c
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// find returns the call that matches a request; ok is false if the document has none. A literal
// path takes precedence over one with names.
func (c *contract) find(method, target string) (found contractCall, ok bool) {
	path, _, _ := strings.Cut(target, "?")
	parts, fewest := strings.Split(path, "/"), len(path)
	for _, call := range c.calls {
		pattern := strings.Split(call.path, "/")
		if call.method != method || len(pattern) != len(parts) {
			continue
		}
		names, matches := 0, true
		for i, part := range pattern {
			if strings.HasPrefix(part, "{") && parts[i] != "" {
				names++
			} else if part != parts[i] {
				matches = false
			}
		}
		if matches && names < fewest {
			found, ok, fewest = call, true, names
		}
	}
	return found, ok
}

// requireDocumented requires that the document describes an answer: its status and its schema.
func (c *contract) requireDocumented(t testing.TB, method, path string, r reply) {
	t.Helper()
	call, known := c.find(method, path)
	if !known || r.status == http.StatusMethodNotAllowed {
		return
	}
	status := strconv.Itoa(r.status)
	name := call.String() + " " + status
	response, documented := c.document.Paths[call.path][strings.ToLower(method)].Responses[status]
	require.True(t, documented, "the document has no such answer: %s %s", name, r.body)
	pointer := "/paths/" + escape(call.path) + "/" + strings.ToLower(method) + "/responses/" + status
	if response.Ref != "" {
		pointer = strings.TrimPrefix(response.Ref, "#")
	}
	switch mediaType := fileType(response); {
	case r.status == http.StatusNotModified:
		require.Empty(t, r.body, name)
	case mediaType != "":
		require.Equal(t, mediaType, strings.TrimSuffix(r.header.Get("Content-Type"), "; charset=utf-8"), name)
	default:
		c.requireValid(t, pointer+"/content/application~1json/schema", r.body)
	}
	if r.status >= http.StatusBadRequest {
		requireRefusal(t, r.body)
	}
	c.meet(name)
}

// theSentences are those that the server's code contains.
var theSentences = sync.OnceValue(func() sentences.List {
	list, err := sentences.Read("..")
	must(err)
	return list
})

// requireRefusal requires that a refusal has a reason, whose sentence is the message with the
// params as its values.
func requireRefusal(t testing.TB, body []byte) {
	t.Helper()
	var said api.Error
	require.NoError(t, json.Unmarshal(body, &said), string(body))
	template, known := theSentences().Refusals[said.Reason]
	require.True(t, known, "no reason of a refusal: %s", body)
	shown := slices.Collect(maps.Keys(said.Params))
	if said.Code == fault.SecondFactorRequired { // the client's next step depends on it; the text does not say it
		require.Equal(t, []string{"methods"}, shown)
		shown = nil
	}
	require.ElementsMatch(t, sentences.Placeholders(template), shown, string(body))
	form := regexp.QuoteMeta(template)
	for _, name := range sentences.Placeholders(template) {
		form = strings.ReplaceAll(form, regexp.QuoteMeta("{"+name+"}"), "(?s:.+)")
	}
	require.Regexp(t, "^"+form+"$", said.Message)
}

// meet counts a documented answer.
func (c *contract) meet(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.met[name]++
}

// requireValid requires that a JSON text matches the schema at pointer in the document.
func (c *contract) requireValid(t testing.TB, pointer string, text []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err, string(text))
	c.mu.Lock() // the compiler is not safe for concurrent use
	schema, err := c.compiler.Compile("openapi.json#" + pointer)
	c.mu.Unlock()
	require.NoError(t, err, pointer)
	require.NoError(t, schema.Validate(value), "%s: %s", pointer, text)
}

// escape escapes a key for a JSON pointer in a URL fragment.
func escape(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(key)
}

// fileType returns the media type of a response that is a file, "" of one in JSON.
func fileType(r response) string {
	for mediaType, content := range r.Content {
		if content.Schema.Format == "binary" {
			return mediaType
		}
	}
	return ""
}

// elsewhere maps statuses that each call documents and one test proves for all of them to when they
// occur and that test.
var elsewhere = map[string]string{
	"408": "a body that takes too long: TestLogin_slow_body",
	"500": "an internal error, and none is known: TestServer_recovers_panic",
	"503": "PostgreSQL is away: tools/system",
}

// unmet returns the documented answers that no test has met.
func (c *contract) unmet() (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.calls {
		for status := range c.document.Paths[call.path][strings.ToLower(call.method)].Responses {
			if name := call.String() + " " + status; c.met[name] == 0 && elsewhere[status] == "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// `make contract` runs the tests of this package through Prism, a proxy that validates requests and
// responses against the OpenAPI document: browser → Prism → switchboard → the site of the test.
const (
	// Path of the Prism binary; if unset, tests call their sites directly.
	prismEnv = "AMANAT_PRISM"

	siteHeader     = "X-Site"     // host of the site, as all tests share one Prism
	exchangeHeader = "X-Exchange" // the number of a request
)

// prism is the address of Prism, or "" if it does not run. judged counts the exchanges it accepted.
var (
	prism  string
	judged atomic.Int64
)

// startPrism starts the switchboard and Prism in front of it; stop ends both.
func startPrism(program string) (stop func(), err error) {
	folder, err := os.MkdirTemp("", "amanat-contract-")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "openapi.json")
	if err := os.WriteFile(file, theContract().raw, 0o600); err != nil {
		return nil, err
	}
	upstream, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	board := &http.Server{Handler: switchboard(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = board.Serve(upstream) }()
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	host, port, _ := net.SplitHostPort(address)
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, program, "proxy", file, "http://"+upstream.Addr().String()+"/api",
		"--host", host, "--port", port, "--verboseLevel", "fatal", "--cors=false")
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		cancel()
		return nil, err
	}
	stop = func() {
		cancel()
		_ = command.Wait() // it was killed
		_ = board.Close()
		_ = os.RemoveAll(folder)
	}
	if err := awaitListener(ctx, address); err != nil {
		stop()
		return nil, err
	}
	prism = address
	return stop, nil
}

func freeAddress() (string, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

func awaitListener(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("prism has not started: %w", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// exchanges holds the original responses by request number. Prism rewrites JSON and headers (0.00
// to 0, two cookies to one), so it only validates, and the caller gets the original response.
var exchanges sync.Map

// switchboard returns a proxy that forwards each request to the site named by its header.
func switchboard() http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", r.In.Header.Get(siteHeader)
			r.Out.Host = r.Out.URL.Host
			if hops := r.In.Header.Values("X-Forwarded-For"); len(hops) > 0 {
				r.Out.Header["X-Forwarded-For"] = hops
			}
		},
		ModifyResponse: func(response *http.Response) error {
			body, err := io.ReadAll(response.Body)
			response.Body = io.NopCloser(bytes.NewReader(body))
			exchanges.Store(response.Request.Header.Get(exchangeHeader), reply{
				status: response.StatusCode, header: response.Header.Clone(), body: body,
			})
			return err
		},
	}
}

// throughPrism sends documented requests that Prism can read through Prism and all others directly.
// It fails if a response, or a request that was served, violates the document.
type throughPrism struct{}

// RoundTrip implements http.RoundTripper.
func (throughPrism) RoundTrip(r *http.Request) (*http.Response, error) {
	path, below := strings.CutPrefix(r.URL.EscapedPath(), "/api")
	_, known := theContract().find(r.Method, path)
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close()
	}
	r = r.Clone(r.Context())
	if body != nil {
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	if prism == "" || !below || !known || !readable(r, body) {
		return http.DefaultTransport.RoundTrip(r)
	}
	return judge(r, path, body)
}

// judge sends a request through Prism.
func judge(r *http.Request, path string, body []byte) (*http.Response, error) {
	number := uuid.NewString()
	r.Header.Set(siteHeader, r.URL.Host)
	r.Header.Set(exchangeHeader, number)
	r.URL.Host, r.URL.Path, r.URL.RawPath, r.Host = prism, strings.TrimPrefix(r.URL.Path, "/api"), path, ""
	verdict, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	kept, _ := exchanges.LoadAndDelete(number)
	answer, reached := kept.(reply)
	text, err := io.ReadAll(verdict.Body)
	_ = verdict.Body.Close()
	if err == nil && !reached {
		err = errors.New("refused by Prism itself")
	}
	if err := errors.Join(err, violations(verdict, body)); err != nil {
		return nil, fmt.Errorf("%s %s: %d %s %s: %w", r.Method, path, verdict.StatusCode, body, text, err)
	}
	judged.Add(1)
	verdict.Header, verdict.Body = answer.header, io.NopCloser(bytes.NewReader(answer.body))
	verdict.ContentLength = int64(len(answer.body))
	return verdict, nil
}

// readable reports whether Prism can read the request: a body must be a JSON object or list, not
// with GET; a content type needs a body; and the URL must be valid UTF-8 without NUL.
func readable(r *http.Request, body []byte) bool {
	if len(body) == 0 && r.Header.Get("Content-Type") != "" {
		return false
	}
	if len(body) > 0 && (r.Method == http.MethodGet || !json.Valid(body) || !strings.ContainsAny(string(body[:1]), "{[")) {
		return false
	}
	text, err := url.QueryUnescape(r.URL.Path + r.URL.RawQuery)
	return err == nil && utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

// errBroken reports an exchange that violates the document.
var errBroken = errors.New("breaks the document")

// requireStrict returns an error unless Prism rejects a response that violates the document.
func requireStrict() error {
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"usdToBdt": "much"}`)
	}))
	defer liar.Close()
	const path = "/exchange-rate"
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, liar.URL+"/api"+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := judge(r, path, nil)
	if err == nil {
		_ = response.Body.Close()
		return errors.New("Prism has nothing against an answer that breaks the document")
	}
	if !errors.Is(err, errBroken) {
		return err
	}
	return nil
}

// violations returns the violations that Prism reports. A refused request may violate the document.
// A request may also have null for an absent field, or {} where no body is expected, which the
// document does not describe everywhere.
func violations(response *http.Response, sent []byte) error {
	header := response.Header.Get("Sl-Violations")
	if header == "" {
		return nil
	}
	var found []struct {
		Location []string
		Message  string
	}
	if err := json.Unmarshal([]byte(header), &found); err != nil {
		return err
	}
	lenient := response.StatusCode >= 400 || bytes.Contains(sent, []byte(":null")) || string(sent) == "{}"
	var problems []error
	for _, violation := range found {
		if violation.Location[0] == "response" || !lenient {
			problems = append(problems, fmt.Errorf("%w: %s: %s", errBroken, strings.Join(violation.Location, "."), violation.Message))
		}
	}
	return errors.Join(problems...)
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if program := os.Getenv(prismEnv); program != "" {
		stop, err := startPrism(program)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer stop()
		if err := requireStrict(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	if code := m.Run(); code != 0 {
		return code
	}
	if prism != "" && judged.Load() == 0 {
		fmt.Fprintln(os.Stderr, "nothing went through Prism")
		return 1
	}
	if names := theContract().unmet(); len(names) > 0 && allTests() {
		fmt.Fprintf(os.Stderr, "documented answers that no test has met:\n%s\n", strings.Join(names, "\n"))
		return 1
	}
	return 0
}

// allTests reports whether no flag has selected some of the tests.
func allTests() bool {
	return !slices.ContainsFunc([]string{"run", "skip", "fuzz", "list"}, func(name string) bool {
		return flag.Lookup("test."+name).Value.String() != ""
	})
}
