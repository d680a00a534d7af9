package api_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every request, parameter and response has an example that matches its schema, and every error
// response has one for each of its codes.
func TestDocument_examples_match_schemas(t *testing.T) {
	t.Parallel()
	c := theContract()
	const body = "/content/application~1json/schema"
	for path, methods := range c.document.Paths {
		for method, operation := range methods {
			name, pointer := method+" "+path, "/paths/"+escape(path)+"/"+method
			for _, parameter := range operation.Parameters {
				require.NotNil(t, parameter.Example, name+" "+parameter.Name)
			}
			if operation.RequestBody != nil {
				example := operation.RequestBody.Content["application/json"].Example
				require.NotEmpty(t, example, name)
				c.requireValid(t, pointer+"/requestBody"+body, example)
			}
			for status, response := range operation.Responses {
				if code, err := strconv.Atoi(status); err != nil || code >= 400 {
					require.NotEmpty(t, response.Ref, name+" "+status)
					continue
				}
				if fileType(response) != "" || status == "304" { // which has no body
					continue
				}
				example := response.Content["application/json"].Example
				require.NotEmpty(t, example, name+" "+status)
				c.requireValid(t, pointer+"/responses/"+status+body, example)
			}
		}
	}
	for name, response := range c.document.Components.Responses {
		codes := strings.Split(name, "_or_")
		examples := response.Content["application/json"].Examples
		require.Len(t, examples, len(codes), name)
		for _, code := range codes {
			var f failure
			require.NoError(t, json.Unmarshal(examples[code].Value, &f), name)
			require.Equal(t, code, f.Code, name)
			c.requireValid(t, "/components/responses/"+name+body, examples[code].Value)
		}
	}
}

// The error responses of a call follow from its kind; these calls cover each rule.
func TestDocument_errors(t *testing.T) {
	t.Parallel()
	d := theContract().document
	statuses := func(method, path string) []string {
		var all []string
		for status := range d.Paths[path][method].Responses {
			all = append(all, status)
		}
		return all
	}
	require.ElementsMatch(t, []string{"200", "304", "429", "500", "503"}, statuses("get", "/exchange-rate"))
	require.ElementsMatch(t, []string{"200", "401", "500", "503"}, statuses("get", "/wallet"))
	require.ElementsMatch(t, []string{"200", "401", "404", "500", "503"}, statuses("get", "/deals/{id}"))
	require.ElementsMatch(t, []string{"200", "400", "401", "403", "408", "413", "429", "500", "503"}, statuses("post", "/auth/login"))
	pay := d.Paths["/deals/pay/{id}"]["post"].Responses
	require.Equal(t, "#/components/responses/conflict_or_idempotency_mismatch_or_insufficient_balance", pay["409"].Ref)
	approve := d.Paths["/admin/deposit/approve/{id}"]["post"].Responses
	require.Equal(t, "#/components/responses/forbidden_or_password_required_or_second_factor_missing_or_weak_password", approve["403"].Ref)
}
