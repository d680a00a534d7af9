package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"amanat/internal/lib/webpush"
)

// vapidKeys prints a pair of keys for pushes, as lines of an environment. It needs no server.
func vapidKeys(_ context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("vapid-keys", flag.ContinueOnError)
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	keys, err := webpush.NewKeys()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "VAPID_PUBLIC_KEY=%s\nVAPID_PRIVATE_KEY=%s\n", keys.Public, keys.Private)
	return err
}
