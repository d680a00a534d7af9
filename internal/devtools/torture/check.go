package torture

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// part is a history that is checked by itself.
type part struct {
	name  string
	model porcupine.Model
	ops   []porcupine.Operation
}

// checkParts returns what is wrong with the parts that are not linearizable, or that cannot be
// decided in time.
func checkParts(parts []part) []string {
	found := make([]string, len(parts))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range parts {
		group.Go(func() error {
			if result := porcupine.CheckOperationsTimeout(p.model, p.ops, checkTimeout); result != porcupine.Ok {
				found[i] = p.violation(result)
			}
			return nil
		})
	}
	_ = group.Wait() // none fails
	return slices.DeleteFunc(found, func(text string) bool { return text == "" })
}

// shownOps is how many operations a violation lists.
const shownOps = 40

func (p part) violation(result porcupine.CheckResult) string {
	var text strings.Builder
	what := "the answers fit into no order"
	if result == porcupine.Unknown {
		what = fmt.Sprintf("not decided within %s", checkTimeout)
	}
	_, _ = fmt.Fprintf(&text, "%s: %s:", p.name, what)
	for _, op := range p.ops[:min(len(p.ops), shownOps)] {
		_, _ = fmt.Fprintf(&text, "\n    %12.6f %12.6f  %s", time.Duration(op.Call).Seconds(), time.Duration(op.Return).Seconds(),
			p.model.DescribeOperation(op.Input, op.Output))
	}
	return text.String()
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// checkSettled returns the calls whose outcome never became known, though they were repeated until
// long after the last fault.
func checkSettled(calls []Call) (violations []string) {
	for _, c := range calls {
		if c.Outcome == Unknown && !c.Kind.reads() && c.Kind != Deliver {
			violations = append(violations, fmt.Sprintf("%s of %s never settled: %d attempts in %s, the last one answered %d",
				c.Kind, c.Subject, c.Attempts, c.Returned-c.Invoked, c.Status))
		}
	}
	return violations
}
