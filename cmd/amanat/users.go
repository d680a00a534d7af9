package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"amanat/internal/app/config"
	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/domain/deals"
	"amanat/internal/domain/notifications"
	"amanat/internal/domain/personal"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/redisclient"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// userCommands are the commands that change one user. The login of the api is enough, if the help
// does not say otherwise.
func userCommands() []*cobra.Command {
	type service = *accounts.Service
	var now string
	grant := userCommand("grant-admin", "Make a user an admin (as the owner of the database)", "%s is an admin now.",
		func(ctx context.Context, s service, name string) (accounts.User, error) {
			return s.GrantAdmin(ctx, name, strings.TrimSpace(now))
		})
	grant.Flags().StringVar(&now, "now", "", "`why` it cannot wait until the user's second factor is a day old, for the audit log")
	return []*cobra.Command{
		grant,
		userCommand("revoke-admin", "Take an admin's rights away (as the owner of the database)", "%s is no longer an admin.",
			func(ctx context.Context, s service, name string) (accounts.User, error) {
				return s.RevokeAdmin(ctx, name)
			}),
		userCommand("verify-user", "Take a user's e-mail address for verified", "%s has a verified address now.",
			func(ctx context.Context, s service, name string) (accounts.User, error) {
				return s.MarkVerified(ctx, name)
			}),
		userCommand("disable-user", "Lock a user out, end the sessions and suspend the open deals",
			"%s is locked out now; the sessions are ended, open deals wait for an admin.",
			func(ctx context.Context, s service, name string) (accounts.User, error) { return s.Disable(ctx, name) }),
		userCommand("enable-user", "Let a disabled user in again; the deals that waited for it go on",
			"%s can sign in again; deals that waited for this alone go on.",
			func(ctx context.Context, s service, name string) (accounts.User, error) { return s.Enable(ctx, name) }),
		userCommand("reset-second-factor", "Remove a lost second factor (as the owner of the database)",
			"%s signs in with the password alone now; the sessions are ended, withdrawals are held for 24 hours.",
			func(ctx context.Context, s service, name string) (accounts.User, error) {
				return s.ResetSecondFactor(ctx, name)
			}),
		userCommand("hold-withdrawals", "Let no money of a user leave (as the owner of the database)", "%s cannot withdraw now.",
			func(ctx context.Context, s service, name string) (accounts.User, error) {
				return s.HoldWithdrawals(ctx, name)
			}),
		userCommand("release-withdrawals", "Let a user withdraw again (as the owner of the database)", "%s can withdraw again.",
			func(ctx context.Context, s service, name string) (accounts.User, error) {
				return s.ReleaseWithdrawals(ctx, name)
			}),
	}
}

// userCommand returns a command that changes a user and says so.
func userCommand(
	name, short, says string, change func(ctx context.Context, service *accounts.Service, username string) (accounts.User, error),
) *cobra.Command {
	return &cobra.Command{
		Use: name + " USERNAME", Short: short, Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withAccounts(cmd.Context(), func(_ *pgxpool.Pool, service *accounts.Service) error {
				user, err := change(cmd.Context(), service, args[0])
				if err == nil {
					note(cmd, says, user.Username)
				}
				return err
			})
		},
	}
}

// withAccounts runs f on DATABASE_URL. With REDIS_URL, open pages learn at once which sessions f
// has ended.
func withAccounts(ctx context.Context, f func(db *pgxpool.Pool, service *accounts.Service) error) error {
	return withDatabase(ctx, func(db *pgxpool.Pool) error {
		log := slog.New(slog.DiscardHandler)
		inserter, err := jobs.NewInserter(db, log)
		if err != nil {
			return err
		}
		events := &realtime.Log{Clock: clock.System{}, Publish: silence{}}
		notices := &notifications.Service{DB: db, Clock: clock.System{}, Events: events}
		escrow := &deals.Service{DB: db, Clock: clock.System{}, Events: events, Notices: notices, Jobs: inserter}
		options := accounts.Options{
			DB: db, Clock: clock.System{}, Jobs: inserter, Notices: notices, Deals: escrow, StrongAdmins: true,
		}
		url, caFile, err := config.Redis()
		if err != nil {
			return err
		}
		if url != "" {
			redisclient.LogTo(log)
			client, err := redisclient.New(url, caFile)
			if err != nil {
				return err
			}
			defer func() { _ = client.Close() }()
			pages := realtime.NewRedis(client, slog.New(slog.NewTextHandler(os.Stderr, nil)))
			defer pages.Flush(ctx)
			options.Sessions = pages
		}
		return f(db, accounts.New(options))
	})
}

// silence publishes nothing, because the tool need not have Redis. Open pages find events in the
// log within seconds.
type silence struct{}

func (silence) PublishFrame(uuid.UUID, realtime.Frame) {}
func (silence) PublishAdmins(realtime.Frame)           {}
func (silence) OperationSettled(uuid.UUID)             {}

type sessionLine struct {
	ID         uuid.UUID `json:"id"`
	CreatedAt  time.Time `json:"createdAt" text:"since"`
	LastSeenAt time.Time `json:"lastSeenAt" text:"last seen"`
	Address    string    `json:"address"`
	Browser    string    `json:"browser"`
}

func listUserSessions() *cobra.Command {
	return printing(&cobra.Command{
		Use: "list USERNAME", Args: exactly(1), Short: "List the browsers in which a user is signed in",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withAccounts(cmd.Context(), func(_ *pgxpool.Pool, service *accounts.Service) error {
				user, sessions, err := service.SessionsOf(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				lines := make([]sessionLine, len(sessions))
				for i, s := range sessions {
					lines[i] = sessionLine{s.ID, s.CreatedAt, s.LastSeenAt, s.Address, s.UserAgent}
				}
				return showList(cmd, lines, user.Username+" is signed in nowhere.")
			})
		},
	})
}

func endUserSessions() *cobra.Command {
	return &cobra.Command{
		Use: "end USERNAME ID|all", Args: exactly(2), Short: "Sign a user out of one browser or of all",
		Long: "Sign a user out of one browser or of all, and close their open pages' connections: at once with REDIS_URL.",
		RunE: func(cmd *cobra.Command, args []string) error {
			var one *uuid.UUID
			if which := args[1]; which != everything {
				id, err := uuid.Parse(which)
				if err != nil {
					return fmt.Errorf("%w: %q is no session's id and not %s", errUsage, which, everything)
				}
				one = &id
			}
			return withAccounts(cmd.Context(), func(_ *pgxpool.Pool, service *accounts.Service) error {
				user, err := service.EndSessionsOf(cmd.Context(), args[0], one)
				switch {
				case err != nil:
					return err
				case one == nil:
					note(cmd, "%s is signed out everywhere.", user.Username)
				default:
					note(cmd, "%s is signed out of that browser.", user.Username)
				}
				return nil
			})
		},
	}
}

func exportUser() *cobra.Command {
	return &cobra.Command{
		Use: "export-user USERNAME FILE", Args: exactly(2), Short: "Write the archive of what a user has made to a new file",
		Long: "Write the archive of what a user has made, with the pictures, to a new file, which only its owner may read.",
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := config.LoadBucket()
			if err != nil {
				return err
			}
			stored, err := images.OpenBlobs(c, nil)
			if err != nil {
				return err
			}
			return withAccounts(cmd.Context(), func(db *pgxpool.Pool, service *accounts.Service) error {
				pictures := images.New(images.Options{DB: db, Clock: clock.System{}, Blobs: stored})
				return export(cmd, service, &personal.Exporter{DB: db, Clock: clock.System{}, Images: pictures}, args[0], args[1])
			})
		},
	}
}

func export(cmd *cobra.Command, service *accounts.Service, exporter *personal.Exporter, username, path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	user, err := service.Exported(cmd.Context(), username)
	if err == nil {
		buffered := bufio.NewWriter(file)
		err = exporter.Write(cmd.Context(), user.ID, buffered)
		err = errors.Join(err, buffered.Flush())
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	note(cmd, "The archive of %s is in %s.", user.Username, file.Name())
	return nil
}

func eraseUser() *cobra.Command {
	var confirmed bool
	cmd := &cobra.Command{
		Use: "erase-user USERNAME", Args: exactly(1), Short: "Close a user's account and erase what identifies them",
		Long: "Close a user's account and erase what identifies them. It is refused while money, open deals or admin rights exist.",
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			return withAccounts(cmd.Context(), func(_ *pgxpool.Pool, service *accounts.Service) error {
				if !confirmed {
					fmt.Fprintf(cmd.OutOrStdout(), "This closes the account of %s for ever. Type the username to go on: ", name)
					typed, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
					if err != nil && !errors.Is(err, io.EOF) {
						return err
					}
					if !strings.EqualFold(strings.TrimSpace(typed), name) {
						return errors.New("the usernames differ: nothing was changed")
					}
				}
				user, err := service.Erase(cmd.Context(), name)
				if err == nil {
					note(cmd, "The account of %s is closed; a worker erases the rest within minutes.", user.Username)
				}
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&confirmed, "yes", false, "do not ask for the username again")
	return cmd
}
