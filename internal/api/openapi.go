package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
)

// configureHuma sets huma's package variables, which are the same for all servers of a process.
var configureHuma = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false // lists are [] and never null
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		for _, err := range errs {
			if f := fault.As(err); f != nil {
				return newError(f)
			}
		}
		if status >= http.StatusInternalServerError {
			return newError(errInternal())
		}
		return newError(fault.Newf(fault.Invalid, "request_malformed", "{detail}", fault.Params{"detail": message}))
	}
})

// humaConfig returns a configuration without huma's docs pages and $schema links.
func humaConfig(cookie string) huma.Config {
	config := huma.DefaultConfig("Amanat", "1")
	config.Info.Description = "Escrow marketplace. Amounts are decimal numbers with at most two decimals, times RFC 3339 in UTC."
	config.Servers = []*huma.Server{{URL: "/api"}}
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.CreateHooks = nil
	config.Formats = map[string]huma.Format{jsonType: answerFormat} // whatever the client accepts
	config.Transformers = []huma.Transformer{useEncoded}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		sessionScheme: {Type: "apiKey", In: "cookie", Name: cookie},
	}
	config.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	schemas := config.Components.Schemas
	schemas.RegisterTypeAlias(reflect.TypeFor[money.Cents](), reflect.TypeFor[dollars]())
	schemas.RegisterTypeAlias(reflect.TypeFor[money.Poisha](), reflect.TypeFor[taka]())
	schemas.RegisterTypeAlias(reflect.TypeFor[money.Rate](), reflect.TypeFor[taka]())
	schemas.RegisterTypeAlias(reflect.TypeFor[uuid.UUID](), reflect.TypeFor[id]())
	schemas.RegisterTypeAlias(reflect.TypeFor[fault.Code](), reflect.TypeFor[code]())
	schemas.RegisterTypeAlias(reflect.TypeFor[fault.Params](), reflect.TypeFor[params]())
	return config
}

// schemaName returns the schema's name: Go's type name, unless it is ambiguous without its package.
func schemaName(t reflect.Type, hint string) string {
	named := t
	if t.Kind() == reflect.Pointer {
		named = t.Elem()
	}
	if name, given := schemaNames[named]; given {
		return name
	}
	return huma.DefaultSchemaNamer(t, hint)
}

var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[user.Ref]():          "Party",
	reflect.TypeFor[operations.View]():   "Operation",
	reflect.TypeFor[operations.Result](): "OperationResult",
	reflect.TypeFor[operations.Error]():  "OperationError",
}

const sessionScheme = "session"

// The types below provide the schemas of other types.
type (
	dollars struct{}
	taka    struct{}
	id      struct{}
	code    struct{}
	params  struct{}
)

// Schema documents money.Cents.
func (dollars) Schema(huma.Registry) *huma.Schema { return decimalSchema("USD, at most two decimals.") }

// Schema documents money.Poisha and money.Rate.
func (taka) Schema(huma.Registry) *huma.Schema { return decimalSchema("BDT, at most two decimals.") }

// Schema documents ids.
func (id) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid"}
}

// Schema documents the values in a message.
func (params) Schema(huma.Registry) *huma.Schema {
	value := &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeNumber}}}
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: value}
}

// Schema documents error codes by listing them.
func (code) Schema(huma.Registry) *huma.Schema {
	return enumSchema(slices.Sorted(maps.Keys(statuses))...)
}

func enumSchema[T ~string](values ...T) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		schema.Enum = append(schema.Enum, string(v))
	}
	return schema
}

func decimalSchema(description string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Description: description}
}

// Nullable is a field that is an object or null, which huma cannot derive from a pointer.
type Nullable[T any] struct {
	value *T
}

func orNull[T any](value *T) Nullable[T] { return Nullable[T]{value} }

// MarshalJSON writes the object or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// Schema documents the object or null.
func (n Nullable[T]) Schema(registry huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{registry.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}

// encodeDocument returns the document as JSON. Objects allow additional properties, which the
// server ignores.
func encodeDocument(document *huma.OpenAPI) ([]byte, error) {
	hideFieldExamples(document)
	for _, schema := range document.Components.Schemas.Map() {
		if schema.AdditionalProperties == false {
			schema.AdditionalProperties = nil
		}
	}
	return json.MarshalIndent(document, "", "  ")
}
