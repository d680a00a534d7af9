package api

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// The document's examples are made from the schemas, so that they cannot name a field that does not
// exist or leave one out. The value of a field is its example tag. Ids, times, enumerations and
// flags need none.

const (
	sampleID   = "019a5c1e-7b2f-7c3d-9e4f-5a6b7c8d9e0f"
	sampleTime = "2026-01-31T09:30:00Z"
	sampleKey  = "5f0c9a4e-pay-1"
	sampleSeq  = 42
)

// exampleBuilder makes examples from schemas.
type exampleBuilder struct {
	schemas huma.Registry
	sent    bool // for requests, which include optional fields
}

// of returns an example of the schema. A text or number without an example tag becomes null, which
// its schema does not allow, so the test of the examples fails.
func (x exampleBuilder) of(schema *huma.Schema) any {
	if len(schema.Examples) > 0 {
		return schema.Examples[0]
	}
	if schema.Ref != "" {
		schema = x.schemas.SchemaFromRef(schema.Ref)
	}
	switch {
	case schema.Nullable, slices.ContainsFunc(schema.OneOf, isNull):
		return nil
	case len(schema.OneOf) > 0:
		return x.of(schema.OneOf[0])
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Format == "uuid":
		return sampleID
	case schema.Format == "date-time":
		return sampleTime
	case schema.Type == huma.TypeObject:
		return x.object(schema)
	case schema.Type == huma.TypeArray:
		return []any{x.of(schema.Items)}
	case schema.Type == huma.TypeBoolean:
		return false
	}
	return nil
}

func isNull(schema *huma.Schema) bool { return schema.Type == "null" }

func (x exampleBuilder) object(schema *huma.Schema) map[string]any {
	example := map[string]any{}
	for name, property := range schema.Properties {
		if x.sent || slices.Contains(schema.Required, name) {
			example[name] = x.of(property)
		}
	}
	return example
}

// documentExamples adds an example to each request, parameter and success.
func (s *Server) documentExamples(operation *huma.Operation) {
	schemas := s.huma.OpenAPI().Components.Schemas
	sent, answered := exampleBuilder{schemas: schemas, sent: true}, exampleBuilder{schemas: schemas}
	for _, parameter := range operation.Parameters {
		parameter.Example = sent.of(parameter.Schema)
	}
	if operation.RequestBody != nil {
		for _, content := range operation.RequestBody.Content {
			content.Example = sent.of(content.Schema)
		}
	}
	for _, response := range operation.Responses {
		for _, content := range response.Content {
			content.Example = answered.of(content.Schema)
		}
	}
}

// hideFieldExamples removes the examples of single fields, which are part of those of whole
// requests and answers.
func hideFieldExamples(document *huma.OpenAPI) {
	for _, schema := range document.Components.Schemas.Map() {
		for _, property := range schema.Properties {
			property.Examples = nil
		}
	}
	for _, path := range document.Paths {
		for _, operation := range operationsOf(path) {
			for _, parameter := range operation.Parameters {
				parameter.Schema.Examples = nil
			}
		}
	}
}
