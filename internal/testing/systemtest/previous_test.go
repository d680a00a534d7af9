//go:build soak

package systemtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// previous is the api and the worker of the release before this version.
var previous = &build{name: "previous", operator: released, make: makePrevious}

// recordedRelease names the previous release while there is no tag.
const recordedRelease = "deploy/previous-release"

// git runs git in the repository, which may belong to another user. It fetches nothing.
func git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "safe.directory=*", "-C", repositoryRoot}, args...)...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(problems.String()))
	}
	return strings.TrimSpace(string(out)), err
}

// previousRelease returns the commit of the last tag before HEAD, or else the recorded one.
func previousRelease(ctx context.Context) (commit string, err error) {
	name, err := git(ctx, "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^")
	if err != nil { // there is none
		if name, err = recordedCommit(); err != nil {
			return "", err
		}
	}
	commit, err = git(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	if err == nil {
		return commit, nil
	}
	if shallow, _ := git(ctx, "rev-parse", "--is-shallow-repository"); shallow == "true" {
		return "", fmt.Errorf("the history of this clone is shallow and lacks the previous release, %s: run git fetch --unshallow --tags", name)
	}
	return "", fmt.Errorf("this clone lacks the previous release, %s: %w", name, err)
}

func recordedCommit() (string, error) {
	content, err := os.ReadFile(filepath.Join(repositoryRoot, recordedRelease))
	if err != nil {
		return "", err
	}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			return line, nil
		}
	}
	return "", fmt.Errorf("%s names no commit", recordedRelease)
}

// makePrevious builds the programs into dir, from a folder below bin that keeps those of each
// commit. The UI is not part of them: ui/dist is empty in the repository.
func makePrevious(dir string) error {
	ctx := context.Background()
	commit, err := previousRelease(ctx)
	if err != nil {
		return err
	}
	kept, err := filepath.Abs(filepath.Join(repositoryRoot, "bin", "previous-release", commit))
	if err != nil {
		return err
	}
	if _, err := os.Stat(kept); errors.Is(err, fs.ErrNotExist) {
		if err := buildCommit(ctx, commit, kept); err != nil {
			return err
		}
	}
	return os.Symlink(kept, dir)
}

// buildCommit builds the api and the worker of a commit into the folder kept, at once or not at
// all.
func buildCommit(ctx context.Context, commit, kept string) error {
	sources, err := os.MkdirTemp(binaries, "previous-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(sources) }()
	archive := filepath.Join(sources, "sources.tar")
	if _, err := git(ctx, "archive", "--format=tar", "--output", archive, commit,
		"go.mod", "go.sum", "cmd", "internal", "migrations", "ui/dist", "ui/*.go"); err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, "tar", "-xf", archive, "-C", sources).CombinedOutput(); err != nil {
		return fmt.Errorf("tar: %w: %s", err, out)
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o750); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(filepath.Dir(kept), "unfinished-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(unfinished) }()
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", unfinished+string(filepath.Separator), "./cmd/api", "./cmd/worker")
	cmd.Dir = sources
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", commit, err, out)
	}
	if err := os.Rename(unfinished, kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// The previous release runs on the schema of this version, alone and beside this version in the
// order of an upgrade: first the workers, then the apis (docs/deployment.md#expand-and-contract).
func TestPreviousRelease(t *testing.T) {
	t.Parallel()
	s := newSystem(t, previous)
	oldAPI, oldWorker := s.startAPI(), s.startWorker(allQueues)
	s.serve(oldAPI)
	s.amanat(s.db.APIURL, "set-rate", "122.40")
	admin, buyer, seller := s.admin("boss"), s.member("nusrat"), s.member("tanvir")
	tradeOnce(t, admin, buyer, seller, "ONLYOLD001")

	s.build = released
	newWorker := s.startWorker(allQueues)
	tradeOnce(t, admin, buyer, seller, "BOTHWORK02")
	oldWorker.stop(softStop)
	tradeOnce(t, admin, buyer, seller, "NEWWORKER3")
	newAPI := s.startAPI()
	s.serve(oldAPI, newAPI)
	tradeOnce(t, admin, buyer, seller, "BOTHAPIS04")
	s.serve(newAPI)
	oldAPI.stop(drainBound)
	tradeOnce(t, admin, buyer, seller, "ONLYNEW005")

	require.InDelta(t, 5*(500-100), buyer.wallet(), 0.001)
	require.InDelta(t, 5*98, seller.wallet(), 0.001)
	s.operations() // all are done
	s.requireBooksInOrder()
	newWorker.stop(softStop)
	newAPI.stop(drainBound)
}

// tradeOnce takes a deposit, a deal from proposal to completion, and a message.
func tradeOnce(t *testing.T, admin, buyer, seller *person, transaction string) {
	t.Helper()
	finally := func(r request) {
		t.Helper()
		a, _, err := r.retry(t.Context())
		require.NoError(t, err)
		a.want(http.StatusOK)
	}
	var reported struct {
		Deposit struct {
			ID uuid.UUID `json:"_id"`
		}
	}
	buyer.post("/auth/deposit", fields{"amount": 500, "transactionId": transaction, "paymentMethod": "Bkash"}).
		want(http.StatusCreated).into(&reported)
	finally(admin.ask("/admin/deposit/approve/"+reported.Deposit.ID.String(), fields{"amount": 500, "userId": buyer.ID}))
	deal := propose(t, buyer, seller, 100)
	finally(buyer.ask("/deals/pay/"+deal, nil))
	finally(seller.ask("/deals/deliver/"+deal, nil))
	finally(buyer.ask("/deals/complete/"+deal, nil))
	conversation := seller.startConversation(buyer, "Assalamu alaikum: "+transaction)
	seller.post("/messages", fields{"conversationId": conversation, "text": "Thank you"}).want(http.StatusCreated)
}
