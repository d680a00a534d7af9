package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.html
var docsText string

var docsTemplate = template.Must(template.New("docs").Parse(docsText))

// docsPage is the document as HTML.
type docsPage struct {
	Title, Description, Base string
	Groups                   []docsGroup
	Codes                    []docsCode
}

type docsGroup struct {
	Name, Anchor string
	Calls        []docsCall
}

type docsCall struct {
	ID, Method, Path, Summary, Description string
	Parameters                             []docsField
	Request                                *docsBody
	Answers                                []docsBody
	Refusals                               []docsRefusal
}

type docsBody struct {
	Status  string // of an answer
	Fields  []docsField
	Example string
}

type docsField struct {
	Name, Type, Says string
	Required         bool
}

type docsRefusal struct {
	Status string
	Codes  []string
}

type docsCode struct {
	Code, Means, Text string
	Status            int
}

// renderDocs renders the page once.
func renderDocs(document *huma.OpenAPI) ([]byte, error) {
	page := docsPage{Title: document.Info.Title, Description: document.Info.Description, Base: document.Servers[0].URL}
	groups := map[string][]docsCall{}
	for _, path := range slices.Sorted(maps.Keys(document.Paths)) {
		for _, operation := range operationsOf(document.Paths[path]) {
			call, err := docsCallOf(document, operation)
			if err != nil {
				return nil, err
			}
			groups[operation.Tags[0]] = append(groups[operation.Tags[0]], call)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		page.Groups = append(page.Groups, docsGroup{name, "tag-" + strings.ReplaceAll(strings.ToLower(name), " ", "-"), groups[name]})
	}
	for _, code := range slices.Sorted(maps.Keys(refusals)) {
		r := refusals[code]
		page.Codes = append(page.Codes, docsCode{string(code), r.means, r.text, r.status})
	}
	var out bytes.Buffer
	err := docsTemplate.Execute(&out, page)
	return out.Bytes(), err
}

func docsCallOf(document *huma.OpenAPI, operation *huma.Operation) (docsCall, error) {
	call := docsCall{
		ID: operation.OperationID, Method: operation.Method, Path: operation.Path,
		Summary: operation.Summary, Description: operation.Description,
	}
	for _, p := range operation.Parameters {
		call.Parameters = append(call.Parameters, docsField{p.Name, docsType(p.Schema), docsSays(p.Description, p.Schema), p.Required})
	}
	if operation.RequestBody != nil {
		body, err := docsBodyOf(document, "", operation.RequestBody.Content[jsonType])
		if err != nil {
			return docsCall{}, err
		}
		call.Request = &body
	}
	for _, status := range slices.Sorted(maps.Keys(operation.Responses)) {
		response := operation.Responses[status]
		if name, refusal := strings.CutPrefix(response.Ref, refusalPrefix); refusal {
			call.Refusals = append(call.Refusals, docsRefusal{status, strings.Split(name, refusalOr)})
			continue
		}
		content := response.Content[jsonType]
		if content == nil { // a file
			call.Answers = append(call.Answers, docsBody{Status: status, Example: response.Description})
			continue
		}
		body, err := docsBodyOf(document, status, content)
		if err != nil {
			return docsCall{}, err
		}
		call.Answers = append(call.Answers, body)
	}
	return call, nil
}

func docsBodyOf(document *huma.OpenAPI, status string, content *huma.MediaType) (docsBody, error) {
	example, err := json.MarshalIndent(content.Example, "", "  ")
	if err != nil {
		return docsBody{}, fmt.Errorf("example: %w", err)
	}
	schema := content.Schema
	if schema.Type == huma.TypeArray {
		schema = schema.Items
	}
	if schema.Ref != "" {
		schema = document.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	body := docsBody{Status: status, Example: string(example)}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field := schema.Properties[name]
		required := slices.Contains(schema.Required, name)
		body.Fields = append(body.Fields, docsField{name, docsType(field), docsSays(field.Description, field), required})
	}
	return body, nil
}

// docsType names the type of a field.
func docsType(schema *huma.Schema) string {
	name := schema.Type
	switch {
	case len(schema.OneOf) > 0:
		return docsType(schema.OneOf[0]) + " or null"
	case schema.Ref != "":
		return schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
	case schema.Type == huma.TypeArray:
		name = "list of " + docsType(schema.Items)
	case schema.Format != "" && schema.Type == huma.TypeString:
		name = schema.Format
	}
	if schema.Nullable {
		name += " or null"
	}
	return name
}

// docsSays describes a field beyond its type.
func docsSays(description string, schema *huma.Schema) string {
	if len(schema.Enum) == 0 {
		return description
	}
	values := make([]string, 0, len(schema.Enum))
	for _, value := range schema.Enum {
		if value != nil {
			values = append(values, fmt.Sprint(value))
		}
	}
	return strings.TrimSpace(description + " One of " + strings.Join(values, ", ") + ".")
}

// docs serves the page.
func (s *Server) docs(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", cacheAsk)
	s.serveGenerated(w, r, "text/html; charset=utf-8", s.docsPage)
}

// openAPI serves the document.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	s.serveGenerated(w, r, jsonType, s.document)
}

// serveGenerated serves what is generated from the routes on the first call.
func (s *Server) serveGenerated(w http.ResponseWriter, r *http.Request, contentType string, generate func() ([]byte, error)) {
	content, err := generate()
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	_, _ = w.Write(content) // fails only if the client is gone
}
