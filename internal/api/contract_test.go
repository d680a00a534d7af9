package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

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

// unexercised maps the documented statuses that these tests cannot produce through a proxy to the
// reason.
var unexercised = map[string]string{
	"408": "Prism waits for a whole body before it sends any of it: TestLogin_slow_body",
	"500": "an internal error, and none is known: TestServer_recovers_panic",
	"503": "PostgreSQL is away: tools/system",
}

// report writes to file how often each documented answer was received, and returns an error if any
// was not.
func (c *contract) report(file string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	var missing []string
	documented, exercised := 0, 0
	names := map[string]contractCall{}
	for _, call := range c.calls {
		names[call.String()] = call
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		call := names[name]
		fmt.Fprint(&text, name)
		for _, status := range slices.Sorted(maps.Keys(c.document.Paths[call.path][strings.ToLower(call.method)].Responses)) {
			times := c.met[name+" "+status]
			documented++
			switch {
			case times > 0:
				exercised++
				fmt.Fprintf(&text, "  %s×%d", status, times)
			case unexercised[status] == "":
				missing = append(missing, name+" "+status)
			}
		}
		fmt.Fprintln(&text)
	}
	fmt.Fprintf(&text, "\n%d calls, %d documented answers, %d exercised. Not exercised:\n", len(c.calls), documented, exercised)
	for _, status := range slices.Sorted(maps.Keys(unexercised)) {
		fmt.Fprintf(&text, "  %s: %s\n", status, unexercised[status])
	}
	for _, answer := range missing {
		fmt.Fprintf(&text, "  %s: MISSING\n", answer)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("documented answers that no test has met:\n%s", strings.Join(missing, "\n"))
	}
	return nil
}
