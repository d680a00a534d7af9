// Command amanat is the operator's tool; `amanat help` lists its commands.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"amanat/internal/app/audit"
	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/internal/lib/postgres"
)

// Exit codes. The first two are those of shells and Go's own tools.
const (
	exitFailure   = 1
	exitUsage     = 2
	exitUnchecked = 3 // of verify-backup
)

// errUsage is returned for invalid command lines.
var errUsage = errors.New("wrong usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "amanat:", err)
	os.Exit(exitCode(err))
}

func exitCode(err error) int {
	switch {
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, errUnchecked):
		return exitUnchecked
	}
	return exitFailure
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	root := newRoot() //nolint:contextcheck // commands take the context of ExecuteContextC
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(audit.WithOperator(ctx, operator()))
	if errors.Is(err, errUsage) {
		fmt.Fprintf(stderr, "Usage: %s\n", cmd.UseLine())
	}
	if name := strings.TrimPrefix(cmd.CommandPath(), root.Name()+" "); err != nil && cmd != root {
		return fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// newRoot returns the whole tree of commands.
func newRoot() *cobra.Command {
	root := group("amanat", "The operator's tool of Amanat")
	root.Version = opsserver.Version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return fmt.Errorf("%w: %w", errUsage, err) })
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Database", []*cobra.Command{migrate(), verifyChain(), verifyBackup(), moveBlobs()}},
		{"Money", []*cobra.Command{
			reconcile(), setRate(), statement(),
			group("operations", "List, show and reject operations that move money", listOperations(), showOperation(), rejectOperation()),
			group("corrections", "Propose and list corrections of balances", proposeCorrection(), listCorrections()),
		}},
		{"People", append(userCommands(), trail(),
			group("sessions", "List and end the sessions of a user", listUserSessions(), endUserSessions()), exportUser(), eraseUser())},
		{"Jobs", []*cobra.Command{
			group("jobs", "List, show, retry and cancel jobs", listJobs(), showJob(), retryJob(), cancelJob()),
			group("queues", "List, pause and resume queues", listQueues(), pauseQueue(), resumeQueue()),
			listPauses(), pause(), resume(),
		}},
		{"Tool", []*cobra.Command{vapidKeys(), version()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range g.commands {
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommand(helpOn(root))
	root.SetHelpCommandGroupID("Tool")
	root.SetCompletionCommandGroupID("Tool")
	return root
}

// group returns a command that only has commands.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.ArbitraryArgs, DisableFlagsInUseLine: true, SuggestionsMinimumDistance: 2,
		// Otherwise the flags of an unknown command hide that it is unknown.
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknown(cmd, args[0])
		},
	}
	cmd.AddCommand(commands...)
	return cmd
}

func unknown(cmd *cobra.Command, name string) error {
	hint := fmt.Sprintf("see %s --help", cmd.CommandPath())
	if similar := cmd.SuggestionsFor(name); len(similar) > 0 {
		hint = "did you mean " + strings.Join(similar, " or ") + "?"
	}
	return fmt.Errorf("%w: there is no command %q; %s", errUsage, name, hint)
}

// helpOn returns the command help. Cobra's own succeeds for an unknown command.
func helpOn(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Show the help of a command",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
			if cmd, _, err := root.Find(args); err == nil {
				for _, c := range cmd.Commands() {
					names = append(names, c.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknown(cmd, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

func version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: exactly(0),
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), opsserver.Version()) },
	}
}

// exactly fails unless so many arguments are given.
func exactly(count int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != count {
			return fmt.Errorf("%w: %d arguments expected, %d given", errUsage, count, len(args))
		}
		return nil
	}
}

// withDatabase runs f with a connection to DATABASE_URL, whose login determines which commands are
// allowed, and explains missing privileges. It fails if the database has another schema version.
func withDatabase(ctx context.Context, f func(*pgxpool.Pool) error) error {
	url, err := config.DatabaseURL()
	if err != nil {
		return err
	}
	db, err := postgres.Connect(ctx, url, postgres.Options{ApplicationName: "amanat"})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := postgres.Validate(ctx, db); err != nil {
		return err
	}
	return explainRights(f(db))
}

// explainRights adds advice to an error about missing privileges.
func explainRights(err error) error {
	if postgres.Forbidden(err) {
		return fmt.Errorf("the login of DATABASE_URL may not do this: use that of the database's owner (%w)", err)
	}
	return err
}

// operator names who runs the command for the audit log, as in "karim@db1", or "root@db1 (karim)"
// if karim has used sudo. It says what the machine says: whoever has its root can say anything.
func operator() string {
	name := fmt.Sprintf("uid %d", os.Getuid()) // a container may know no name
	if current, err := user.Current(); err == nil {
		name = cmp.Or(current.Username, name)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	who := name + "@" + host
	if before := config.SudoUser(); before != "" {
		who += " (" + before + ")"
	}
	return who
}
