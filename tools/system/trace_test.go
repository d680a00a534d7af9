package system

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/testing/otlptest"
)

// The approval of a deposit is one trace, from the call in the api to the posting in the worker.
// The worker serves River UI to who has the token.
func TestTraces(t *testing.T) {
	t.Parallel()
	s := newSystem(t, released)
	collector := otlptest.New(t)
	const token = "a-token-of-operators"
	tokenFile := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(tokenFile, []byte(token+"\n"), 0o600))
	traced := []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json"}
	api := s.startAPI(traced...)
	s.serve(api)
	worker := s.startWorker("money,mail,notify,maintenance", append(traced, "RIVER_UI_TOKEN_FILE="+tokenFile)...)
	s.amanat(s.db.APIURL, "set-rate", "120")
	admin, buyer := s.admin("boss"), s.member("nusrat")

	var reported struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	buyer.post("/auth/deposit", fields{"amount": 500, "transactionId": "AB12CD34EF", "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	admin.do(admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": 500, "userId": buyer.ID})).
		want(http.StatusOK)

	const refused = http.StatusUnauthorized
	for password, want := range map[string]int{"": refused, "another-token-of-theirs": refused, token: http.StatusOK} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, worker.ops+"/river/api/jobs?state=completed", http.NoBody)
		require.NoError(t, err)
		request.SetBasicAuth("rahim", password)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode)
	}
	status, _ := api.opsPage("/river/")
	require.Equal(t, http.StatusNotFound, status, "the api has no River UI")

	api.stop(drainBound) // sends the last spans
	worker.stop(softStop)
	var places []string
	for _, span := range collector.Chain(t, "post deposit_approve") {
		places = append(places, span.Service+": "+span.Name)
	}
	require.Equal(t, []string{
		"amanat-api: POST /api/admin/deposit/approve/{id}", "amanat-worker: job deposit_approve",
		"amanat-worker: settle deposit_approve", "amanat-worker: post deposit_approve",
	}, places)
}
