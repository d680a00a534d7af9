package main

import (
	"context"
	"flag"
	"io"

	"amanat/internal/api"
)

// openapi prints the OpenAPI document that the api serves at /api/openapi.json. It needs no server
// and no environment.
func openapi(_ context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("openapi", flag.ContinueOnError)
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	document, err := api.OpenAPI()
	if err != nil {
		return err
	}
	_, err = out.Write(document)
	return err
}
