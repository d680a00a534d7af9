package api_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page has an anchor for every call, and no broken or external links.
func TestDocsPage(t *testing.T) {
	t.Parallel()
	answer := newFixture(t).visitor().get("/docs").want(200)
	require.Equal(t, "text/html; charset=utf-8", answer.header.Get("Content-Type"))
	require.Contains(t, answer.header.Get("Content-Security-Policy"), "default-src 'none'")
	page := string(answer.body)
	for path, methods := range theContract().document.Paths {
		for method, operation := range methods {
			require.Contains(t, page, `<article id="`+operation.OperationID+`">`)
			require.Contains(t, page, "<code>"+strings.ToUpper(method)+" "+path+"</code>")
		}
	}
	for _, link := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if anchor, inside := strings.CutPrefix(link[1], "#"); inside {
			require.Contains(t, page, `id="`+anchor+`"`)
		} else {
			require.Equal(t, "/api/openapi.json", link[1])
		}
	}
	require.NotContains(t, page, "<script")
	require.NotContains(t, page, "ZgotmplZ", "the template engine found something unsafe")
	for _, said := range []string{"insufficient_balance", "Insufficient balance", "price", "One of Bkash, Nagad."} {
		require.Contains(t, page, said)
	}
}
