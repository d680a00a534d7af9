package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"amanat/internal/app/user"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
	"amanat/internal/money/operations"
	"amanat/internal/realtime"
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
	reflect.TypeFor[user.Ref]():                 "Party",
	reflect.TypeFor[operations.View]():          "Operation",
	reflect.TypeFor[realtime.WorklistChanged](): "QueueChanged",
	reflect.TypeFor[operations.Result]():        "OperationResult",
	reflect.TypeFor[operations.Error]():         "OperationError",
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
	return enumSchema(slices.Sorted(maps.Keys(refusals))...)
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

// refusedWith returns the error codes of a call: the api's own and those of its use case.
func (e endpoint) refusedWith(operation *huma.Operation) map[fault.Code]bool {
	codes := map[fault.Code]bool{fault.Internal: true, fault.Unavailable: true}
	add := func(when bool, more ...fault.Code) {
		for _, code := range more {
			codes[code] = codes[code] || when
		}
	}
	add(!e.public(), fault.Unauthenticated)
	add(e.access >= admin, fault.Forbidden, fault.SecondFactorMissing)
	add(e.access == reauthenticated, fault.PasswordRequired, fault.WeakPassword)
	add(e.access == confirmed || e.access == owner || e.access == enrolling, fault.PasswordRequired)
	add(e.access == owner || e.access == enrolling, fault.MailCodeRequired)
	add(e.access == enrolling, fault.Conflict)
	add(e.method != http.MethodGet, fault.Forbidden, fault.TooLarge, requestTimeout)
	add(e.hasID(), fault.NotFound)
	add(operation.RequestBody != nil || slices.ContainsFunc(operation.Parameters, mayBeWrong), fault.Invalid)
	add(e.idempotent, fault.IdempotencyMismatch)
	add(len(e.rateLimits) > 0 || e.image || e.visitorsRead(), fault.RateLimited)
	add(true, e.codes...)
	maps.DeleteFunc(codes, func(_ fault.Code, possible bool) bool { return !possible })
	return codes
}

// mayBeWrong reports whether a parameter has invalid values. A malformed id of a path, or code of a
// link, is not found instead.
func mayBeWrong(parameter *huma.Param) bool {
	return parameter.In != "path" || parameter.Schema.Format != "uuid" && parameter.Name != "code"
}

// documentFaults documents the error responses of a call: each status with its codes.
func (s *Server) documentFaults(e endpoint, operation *huma.Operation) {
	delete(operation.Responses, "default") // each status is documented
	if e.shared != 0 {
		operation.Responses["304"] = &huma.Response{Description: "The visitor has the answer: its ETag is in If-None-Match."}
	}
	byStatus := map[int][]fault.Code{}
	for _, code := range slices.Sorted(maps.Keys(e.refusedWith(operation))) {
		status := refusals[code].status
		byStatus[status] = append(byStatus[status], code)
	}
	for status, codes := range byStatus {
		operation.Responses[strconv.Itoa(status)] = &huma.Response{Ref: refusalPrefix + s.refusal(codes)}
	}
}

// Names of the error responses, formed from their codes.
const (
	refusalPrefix = "#/components/responses/"
	refusalOr     = "_or_"
)

// refusal documents the error response with the given codes of one status, once for all calls, and
// returns its name.
func (s *Server) refusal(codes []fault.Code) string {
	components := s.huma.OpenAPI().Components
	if components.Responses == nil {
		components.Responses = map[string]*huma.Response{}
	}
	names := make([]string, len(codes))
	meanings := make([]string, len(codes))
	examples := make(map[string]*huma.Example, len(codes))
	for i, code := range codes {
		names[i] = string(code)
		meanings[i] = string(code) + ": " + refusals[code].means + "."
		examples[string(code)] = &huma.Example{Value: Error{Code: code, Message: refusals[code].text}}
	}
	name := strings.Join(names, refusalOr)
	components.Responses[name] = &huma.Response{
		Description: strings.Join(meanings, " "),
		Content: map[string]*huma.MediaType{jsonType: {
			Schema: &huma.Schema{AllOf: []*huma.Schema{
				components.Schemas.Schema(reflect.TypeFor[Error](), true, ""),
				{Type: huma.TypeObject, Required: []string{"code"}, Properties: map[string]*huma.Schema{"code": enumSchema(codes...)}},
			}},
			Examples: examples,
		}},
	}
	return name
}

// description returns what the summary omits: who may call, and the rules for calls of its kind.
func (e endpoint) description() string {
	callers := map[access]string{
		anyone: "Anybody may call it.", visitor: "Anybody may call it.", member: "For whoever is signed in.", admin: "For admins.",
		reauthenticated: "For admins who have lately entered their password again, one of at least 12 characters.",
		confirmed:       "For whoever is signed in and has logged in, or confirmed the password, in the last ten minutes.",
		enrolling: "For whoever is signed in and has confirmed the password and the second factor or, to add the first one, entered a mailed " +
			"code in the last ten minutes.",
		owner: "For whoever is signed in and has proved in the last ten minutes that the account is theirs: with the second factor, if it is " +
			"older than a day, or a mailed code, or with the password if they have neither.",
	}
	sentences := []string{callers[e.access]}
	if e.image {
		sentences = append(sentences, "An image travels as a data URL; the body may have "+sizeText(maxImageBody)+
			". How many images a person may send is limited.")
	}
	if e.idempotent {
		sentences = append(sentences, "Safe to repeat with an Idempotency-Key.")
	}
	if e.money {
		sentences = append(sentences, "It waits two seconds for the outcome at most; "+
			"after that the answer is 202 with the operation, which GET /operations/{id} tells more of.")
	}
	if e.area != "" {
		sentences = append(sentences, "While an operator has paused this part of the service, it is refused with 503 and changes nothing; "+
			"GET /public/pauses tells what is paused.")
	}
	if len(e.rateLimits) > 0 || slices.Contains(e.codes, fault.RateLimited) {
		sentences = append(sentences, "How often it may be called is limited.")
	}
	if e.visitorsRead() {
		sentences = append(sentences, "How often visitors may call such reads from one address is limited.")
	}
	if e.shared != 0 {
		sentences = append(sentences, fmt.Sprintf("Shared caches may answer visitors with it for %.0f seconds.", e.shared.Seconds()))
	}
	return strings.Join(sentences, " ")
}

// frameKind documents a frame of a socket.
type frameKind struct {
	name   string
	data   reflect.Type
	logged bool // in the user's event log, with a seq
}

// emptyData is the data of a frame without fields.
type emptyData struct{}

var serverFrames = []frameKind{
	{name: realtime.TypeHello, data: reflect.TypeFor[realtime.Hello]()},
	{name: realtime.TypeNewMessage, data: reflect.TypeFor[chat.NewMessage](), logged: true},
	{name: realtime.TypeMessageRead, data: reflect.TypeFor[chat.MessageRead](), logged: true},
	{name: realtime.TypeBlockChanged, data: reflect.TypeFor[chat.BlockChanged](), logged: true},
	{name: realtime.TypeNotification, data: reflect.TypeFor[notifications.NotificationEvent](), logged: true},
	{name: realtime.TypeDealUpdated, data: reflect.TypeFor[deals.DealUpdated](), logged: true},
	{name: realtime.TypeWalletUpdated, data: reflect.TypeFor[realtime.WalletUpdated](), logged: true},
	{name: realtime.TypeOperationSettled, data: reflect.TypeFor[operations.View](), logged: true},
	{name: realtime.TypeDataExportReady, data: reflect.TypeFor[personal.ExportReady](), logged: true},
	{name: realtime.TypeOnlineUsers, data: reflect.TypeFor[onlineUsers]()},
	{name: realtime.TypeReceiveMessage, data: reflect.TypeFor[chat.ReceiveMessage]()},
	{name: realtime.TypeTyping, data: reflect.TypeFor[chat.Typing]()},
	{name: realtime.TypeWorklistChanged, data: reflect.TypeFor[realtime.WorklistChanged]()},
	{name: realtime.TypePong, data: reflect.TypeFor[emptyData]()},
	{name: realtime.TypeProblem, data: reflect.TypeFor[realtime.Problem]()},
}

// AboutConversation is the data of client frames about a conversation.
type AboutConversation struct {
	ConversationID uuid.UUID `json:"conversationId"`
}

var clientFrames = []frameKind{
	{name: realtime.TypeMarkAsRead, data: reflect.TypeFor[AboutConversation]()},
	{name: realtime.TypeTyping, data: reflect.TypeFor[AboutConversation]()},
	{name: realtime.TypePing, data: reflect.TypeFor[emptyData]()},
}

// onlineUsers documents the data of realtime.TypeOnlineUsers.
type onlineUsers struct{}

// Schema documents a list of ids or null.
func (onlineUsers) Schema(registry huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeArray, Nullable: true, Items: registry.Schema(reflect.TypeFor[uuid.UUID](), true, ""),
		Description: "Who is online of those that the user has a conversation with; null while that is not known.",
	}
}

// Names of the schemas below.
const (
	serverFrameSchema = "ServerFrame"
	clientFrameSchema = "ClientFrame"
)

// documentFrames adds the frames of sockets to the document, which no call refers to.
func (s *Server) documentFrames() {
	schemas := s.huma.OpenAPI().Components.Schemas
	server := &huma.Schema{Description: "What a socket receives. " +
		"Frames with a seq are in the user's event log and come in its order, without gaps; others may be lost."}
	for _, kind := range serverFrames {
		frame := kind.schema(schemas)
		frame.Properties["v"] = &huma.Schema{Type: huma.TypeInteger, Enum: []any{realtime.Version}}
		frame.Properties["id"] = schemas.Schema(reflect.TypeFor[uuid.UUID](), true, "")
		frame.Properties["ts"] = &huma.Schema{Type: huma.TypeString, Format: "date-time"}
		frame.Required = append(frame.Required, "v", "id", "ts")
		if kind.logged {
			frame.Properties["seq"] = &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
			frame.Required = append(frame.Required, "seq")
		}
		server.OneOf = append(server.OneOf, frame)
	}
	client := &huma.Schema{Description: "What a socket may send: at most 4 KiB."}
	for _, kind := range clientFrames {
		client.OneOf = append(client.OneOf, kind.schema(schemas))
	}
	schemas.Map()[serverFrameSchema], schemas.Map()[clientFrameSchema] = server, client
}

// schema describes the frame's envelope.
func (k frameKind) schema(registry huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeObject, Required: []string{"type", "data"},
		Properties: map[string]*huma.Schema{
			"type": {Type: huma.TypeString, Enum: []any{k.name}},
			"data": registry.Schema(k.data, true, ""),
		},
	}
}
