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

// account is who the server runs as: PostgreSQL refuses to be root. nil means the user of this process.
type account struct {
	uid, gid uint32
}

const overflowID = 65534 // nobody, where /etc/passwd does not say

// serverAccount returns nobody for root and nil for everybody else. Data that belongs to somebody else already is served as that user, so
// that root can open what an ordinary user has made.
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
		return &account{uid: overflowID, gid: overflowID}, nil //nolint:nilerr // a system without that name still has the number
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

// command prepares a program of PostgreSQL to be run as the account, away from our terminal's signals. It is killed when ctx ends.
func (a *account) command(ctx context.Context, native, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(native, "bin", program), args...)
	cmd.Dir = "/"
	// Settings of ours, such as PGDATA or a locale that is not installed, are no business of the server.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
	return cmd
}

// probe tells whether the account can run the binaries and enter dir, by doing so.
func (a *account) probe(ctx context.Context, native, dir string) error {
	cmd := a.command(ctx, native, "postgres", "--version")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run PostgreSQL in %s: %w %s", dir, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// own gives a file or folder to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}
