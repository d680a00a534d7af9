package main

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"amanat/internal/money/chain"
)

// errChain makes the exit code non-zero if a chain is broken.
var errChain = errors.New("the chain is broken")

// verifyChain verifies the chains of the ledger and the audit log. It uses DATABASE_URL (the
// worker's login is enough).
func verifyChain(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("verify-chain", flag.ContinueOnError)
	text := flags.String("head", "", "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	head, err := hex.DecodeString(*text)
	if err != nil || *text != "" && len(head) != sha256Length {
		return fmt.Errorf("%w: --head is the hash that an earlier run has printed, 64 hexadecimal digits", errUsage)
	}
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	results, err := chain.Verify(ctx, db, chain.Options{Head: head})
	if err != nil {
		return err
	}
	return printChains(out, results, *text)
}

const sha256Length = 32

func printChains(out io.Writer, results []chain.Result, head string) error {
	broken := false
	for _, r := range results {
		verdict := "ok    "
		if len(r.Findings) > 0 {
			verdict, broken = "BROKEN", true
		}
		fmt.Fprintf(out, "%s  %s: %d rows sealed, %d not yet\n", verdict, r.Chain, r.Checked, r.Waiting)
		for _, finding := range r.Findings {
			fmt.Fprintf(out, "        %s\n", finding)
		}
		if r.Last > 0 {
			fmt.Fprintf(out, "        head %d %x\n", r.Last, r.Head)
		}
	}
	if head != "" {
		i := slices.IndexFunc(results, func(r chain.Result) bool { return r.HasHead })
		if i < 0 {
			fmt.Fprintf(out, "BROKEN  no seal has the hash %s\n", head)
			return errChain
		}
		fmt.Fprintf(out, "ok      the head %s is part of %s\n", head, results[i].Chain)
	}
	if broken {
		return errChain
	}
	return nil
}
