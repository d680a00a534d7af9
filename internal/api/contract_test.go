package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"amanat/internal/api"
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
	c.requireValid(t, pointer+"/content/application~1json/schema", r.body)
	c.meet(name)
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
