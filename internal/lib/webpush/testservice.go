//go:build !failpoints

package webpush

import "net/http"

// toTestService does nothing in this build.
func toTestService(*http.Transport) {}
