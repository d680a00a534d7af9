// Command amanat is the operator's tool; `amanat help` lists its commands. Each command has a file
// in this folder and a line in the table below.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgxpool"

	"amanat/internal/app/audit"
	"amanat/internal/app/config"
	"amanat/internal/app/opsserver"
	"amanat/internal/lib/postgres"
)

// command is a command of the tool. run parses its own flags from args and writes its results to
// out.
type command struct {
	name    string // one word, or two, of which the first names a group
	usage   string // the arguments
	summary string
	run     func(ctx context.Context, args []string, out io.Writer) error
}

func commands() []command { return append(systemCommands(), userCommands()...) }

// systemCommands are about the database, the books, operations, jobs and pauses.
func systemCommands() []command {
	return []command{
		{"migrate", "", "bring the database to the schema of this version and create the logins of api and worker", migrate},
		{
			"reconcile", "[--since-checkpoint]",
			"check every rule of the books, on everything or on what came since the latest nightly check; the exit code is not 0 " +
				"when one is broken",
			reconcile,
		},
		{
			"verify-chain", "[--head HASH]",
			"compute every seal of the ledger and the audit log again, and print the heads, to be stored elsewhere; with --head, " +
				"also look for one that was stored; the exit code is not 0 when a row was changed, removed or inserted", verifyChain,
		},
		{
			"verify-backup", "DUMP [--head HASH]",
			"restore a dump of pg_dump (- for standard input) into a scratch database beside this one, check schema, books and chains " +
				"there, and drop it (as the owner of the database); the last line is yes or no, and the exit code of no is 1", verifyBackup,
		},
		{
			"set-rate", "[--confirm] BDT",
			"set the price of a dollar in taka, such as 122.40; a change of more than 10% has to be confirmed", setRate,
		},
		{"operations show", "ID|REFERENCE", "show an operation, or those of the call with a reference", showOperation},
		{"operations", "", "list the operations that have been pending for more than a minute", listOperations},
		{"reject-operation", "ID --reason TEXT", "end a pending operation that cannot settle: nothing moves", rejectOperation},
		{
			"jobs list", "[--queue NAME] [--kind KIND] [--state STATE,…] [--limit N]",
			"list the jobs that have not completed, newest first; with --state also completed ones", listJobs,
		},
		{"jobs show", "ID", "show a job with its arguments and the errors of its attempts", showJob},
		{"jobs retry", "ID", "run a failed, cancelled or scheduled job now", retryJob},
		{"jobs cancel", "ID --reason TEXT", "cancel a job; for money operations, use reject-operation", cancelJob},
		{"queues list", "", "list the queues, and since when they are paused", listQueues},
		{
			"queues pause", "QUEUE --reason TEXT",
			"start no further job of a queue; while money is paused, calls are answered with 202 and settle later", pauseQueue,
		},
		{"queues resume", "QUEUE", "start the jobs of a paused queue again", resumeQueue},
		{
			"move-blobs", "",
			"move the files of pictures from the database to the object storage, each compared with its hash; it can be ended and repeated",
			moveBlobs,
		},
		{"pauses", "", "list what is paused", listPauses},
		{
			"pause", "money|deposits|withdrawals|signups|all --reason TEXT",
			"refuse calls that move money, deposits, withdrawals or sign-ups until resume; with money, jobs move none either", pause,
		},
		{"resume", "money|deposits|withdrawals|signups|all", "end a pause", resume},
		{"vapid-keys", "", "print new keys for notifications outside of the page; the old ones' browsers have to turn them on again", vapidKeys},
	}
}

// userCommands are about a user and their money.
func userCommands() []command {
	return []command{
		{"grant-admin", "[-now REASON] USERNAME", "make a user an admin (as the owner of the database)", grantAdmin},
		{"revoke-admin", "USERNAME", "take an admin's rights away (as the owner of the database)", revokeAdmin},
		{"verify-user", "USERNAME", "take a user's e-mail address for verified", verifyUser},
		{"disable-user", "USERNAME", "lock a user out, end the sessions and suspend the open deals", disableUser},
		{"enable-user", "USERNAME", "let a disabled user in again, and the deals that waited for it go on", enableUser},
		{
			"reset-second-factor", "USERNAME",
			"remove the second factor of a user who has lost it, end the sessions and hold withdrawals for 24 hours (as the owner of the database)",
			resetSecondFactor,
		},
		{
			"statement", "USERNAME|DEAL [--days N] [--user]",
			"print what moved a user's balance, or a deal's money (by the ID of the deal), oldest first, with the references of the calls; " +
				"with --user, a text in the form of an ID is a username; the audit log has that it was read", statement,
		},
		{
			"adjust", "[--note TEXT] USERNAME AMOUNT REASON",
			"propose a correction of a user's balance, such as 5 or -12.50 dollars, with a reason that the user reads; an admin confirms it",
			adjust,
		},
		{"corrections", "[--open] [--limit N]", "list the corrections of balances, newest first", listCorrections},
		{
			"export-user", "USERNAME FILE",
			"write the archive of what a user has made, with the pictures, to a new file", exportUser,
		},
		{
			"erase-user", "USERNAME [--yes]",
			"close a user's account and erase what identifies them; refused while money, open deals or admin rights exist", eraseUser(os.Stdin),
		},
		{"sessions list", "USERNAME", "list the browsers in which a user is signed in", listUserSessions},
		{"sessions end", "USERNAME ID|all", "sign a user out of one browser or of all, and close their open pages' connections", endUserSessions},
		{"hold-withdrawals", "USERNAME", "let no money of a user leave (as the owner of the database)", holdWithdrawals},
		{"release-withdrawals", "USERNAME", "let a user withdraw again (as the owner of the database)", releaseWithdrawals},
	}
}

// Exit codes, as used by shells and Go's own tools.
const (
	exitFailure = 1
	exitUsage   = 2
)

// errUsage is returned for invalid command lines.
var errUsage = errors.New("wrong usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "amanat:", err)
	if errors.Is(err, errUsage) {
		os.Exit(exitUsage)
	}
	os.Exit(exitFailure)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		help(stderr)
		return fmt.Errorf("%w: no command", errUsage)
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		help(stdout)
		return nil
	case "-version", "--version":
		fmt.Fprintln(stdout, opsserver.Version())
		return nil
	}
	ctx = audit.WithOperator(ctx, operator())
	for _, c := range commands() {
		own, found := c.arguments(args)
		if !found {
			continue
		}
		err := c.run(ctx, own, stdout)
		switch {
		case errors.Is(err, flag.ErrHelp):
			fmt.Fprintf(stdout, "Usage: amanat %s\n  %s\n", usageLine(c), c.summary)
			return nil
		case errors.Is(err, errUsage):
			fmt.Fprintf(stderr, "Usage: amanat %s\n", usageLine(c))
		case err == nil:
			return nil
		}
		return fmt.Errorf("%s: %w", c.name, err)
	}
	help(stderr)
	return fmt.Errorf("%w: there is no command %q", errUsage, strings.Join(args[:min(len(args), 2)], " "))
}

// arguments returns what follows the command's name in args, and whether they begin with it.
func (c command) arguments(args []string) ([]string, bool) {
	words := strings.Fields(c.name)
	if len(args) < len(words) || !slices.Equal(args[:len(words)], words) {
		return nil, false
	}
	return args[len(words):], true
}

func help(w io.Writer) {
	fmt.Fprint(w, "Usage: amanat command [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %s\n      %s\n", usageLine(c), c.summary)
	}
}

func usageLine(c command) string {
	if c.usage == "" {
		return c.name
	}
	return c.name + " " + c.usage
}

// parse parses a command's flags. It fails unless exactly count arguments follow them.
func parse(flags *flag.FlagSet, args []string, count int) error {
	// run prints the error.
	flags.SetOutput(io.Discard)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() != count {
		return fmt.Errorf("%w: %d arguments expected, %d given", errUsage, count, flags.NArg())
	}
	return nil
}

// connect connects to DATABASE_URL, whose login determines which commands are allowed. It fails if
// the database has another schema version.
func connect(ctx context.Context) (*pgxpool.Pool, error) {
	url, err := config.DatabaseURL()
	if err != nil {
		return nil, err
	}
	db, err := postgres.Connect(ctx, url, postgres.Options{ApplicationName: "amanat"})
	if err != nil {
		return nil, err
	}
	if err := postgres.Validate(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// withDatabase runs f with a connection to DATABASE_URL and explains missing privileges.
func withDatabase(ctx context.Context, f func(*pgxpool.Pool) error) error {
	db, err := connect(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	return explainRights(f(db))
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
