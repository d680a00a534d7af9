// Command s3server is the S3 server of the tests: versitygw with its buckets in a folder. Its own
// command has further storages, which would double what has to be compiled.
//
// Usage: s3server SOCKET FOLDER ACCESS-KEY SECRET-KEY. The buckets are the folders in FOLDER/data,
// which has to exist, like FOLDER/attributes. It listens on the unix socket until it is killed.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "s3server:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("4 arguments expected, %d given", len(args))
	}
	attributes, err := meta.NewSideCar(filepath.Join(args[1], "attributes"))
	if err != nil {
		return err
	}
	buckets, err := posix.New(filepath.Join(args[1], "data"), attributes, posix.PosixOpts{SideCarDir: filepath.Join(args[1], "attributes")})
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(context.Background(), buckets, &embedgw.Config{
		Ports: []string{args[0]}, RootUserAccess: args[2], RootUserSecret: args[3], Quiet: true, KeepAlive: true,
		MaxConnections: 1000, MaxRequests: 1000, MultipartMaxParts: 10_000,
	})
}
