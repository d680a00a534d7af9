// Package failpoint names the places where crash tests kill the process. Only a build with the tag "failpoints" can: there
// AMANAT_FAILPOINT=worker.before_commit kills it, as SIGKILL does, when it first passes that place. In any other build Hit does nothing.
package failpoint

// Names of the places.
const (
	WorkerBeforeCommit = "worker.before_commit" // the money has moved inside a transaction that is not committed
	WorkerAfterCommit  = "worker.after_commit"  // the operation is settled, nobody has been told
	APIWaiting         = "api.waiting"          // the operation is asked for, the caller waits
)
