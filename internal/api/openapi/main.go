// Command openapi prints the OpenAPI document that the api serves at /api/openapi.json, for
// `make generate`.
package main

import (
	"fmt"
	"os"

	"amanat/internal/api"
)

func main() {
	document, err := api.OpenAPI()
	if err == nil {
		_, err = os.Stdout.Write(document)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}
