// Package failpoint defines the places where crash tests kill the process. In a build with the tag
// "failpoints", AMANAT_FAILPOINT=worker.before_commit kills it with SIGKILL when it first reaches
// that place. In any other build Hit does nothing.
package failpoint

// Failpoints.
const (
	// WorkerBeforeCommit is hit when money has moved in a transaction that is not committed yet.
	WorkerBeforeCommit = "worker.before_commit"
	// WorkerGroupBeforeCommit is WorkerBeforeCommit for a transaction of at least LargeGroup jobs.
	WorkerGroupBeforeCommit = "worker.group_before_commit"
	// WorkerAfterCommit is hit when the operation is settled but not announced yet.
	WorkerAfterCommit = "worker.after_commit"
	// APIWaiting is hit when the operation is requested and the caller waits for it.
	APIWaiting = "api.waiting"
)

// LargeGroup is the smallest number of jobs that WorkerGroupBeforeCommit is about.
const LargeGroup = 20
