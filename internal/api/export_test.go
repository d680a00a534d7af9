package api

import (
	"net/http"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
)

// Routes returns all calls below /api, such as "GET /deals/{id}", documented or not.
func Routes(t *testing.T) []string {
	t.Helper()
	s, _ := bare(t)
	var routes []string
	require.NoError(t, chi.Walk(s.routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		routes = append(routes, method+" "+route)
		return nil
	}))
	return routes
}

// NoFormula returns a cell of a statement.
func NoFormula(text string) string { return noFormula(&text) }

// MaxInFlight is the limit of requests in flight in a process.
const MaxInFlight = maxInFlight

// PageRoutes are the paths of the UI's pages.
var PageRoutes = pageRoutes
