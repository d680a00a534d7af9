package localstack

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// account is the user that the server runs as, because PostgreSQL refuses to run as root. nil means
// the user of this process.
type account struct {
	uid, gid uint32
}

const overflowID = 65534 // the ID of nobody if the user database has no such user

// serverAccount returns the user nobody if this process runs as root, and nil otherwise. If dataDir
// belongs to another user than root, root serves it as that user, so that root can open a cluster
// that an ordinary user created.
func serverAccount(dataDir string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	info, err := os.Stat(filepath.Join(dataDir, "PG_VERSION"))
	if err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 {
			return &account{uid: stat.Uid, gid: stat.Gid}, nil
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return &account{uid: overflowID, gid: overflowID}, nil //nolint:nilerr // falls back to the ID
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user nobody: %w", err)
	}
	gid, err := strconv.ParseUint(nobody.Gid, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("user nobody: %w", err)
	}
	return &account{uid: uint32(uid), gid: uint32(gid)}, nil
}

// command returns a command that runs a PostgreSQL program as the account, in its own process group
// so that it does not receive the terminal's signals. It is killed when ctx ends.
func (a *account) command(ctx context.Context, native, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(native, "bin", program), args...)
	cmd.Dir = "/"
	// Do not pass on this process's environment, such as PGDATA or a locale that is not installed.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return cmd
}

// probe returns an error if the account cannot run the binaries in dir.
func (a *account) probe(ctx context.Context, native, dir string) error {
	cmd := a.command(ctx, native, "postgres", "--version")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run PostgreSQL in %s: %w %s", dir, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// own changes the owner of a file or folder to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}
