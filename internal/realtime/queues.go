package realtime

import (
	"slices"

	"github.com/google/uuid"

	"amanat/internal/lib/postgres"
)

// QueueChanged notifies all connected admins, after the commit, that a row of a worklist was added,
// changed or removed. It is not logged and may be lost: admins who connect later read the list.
func (l *Log) QueueChanged(tx *postgres.Tx, queue Queue, id uuid.UUID) {
	b := l.batch(tx)
	if change := (QueueChanged{Queue: queue, ID: id}); !slices.Contains(b.queues, change) {
		b.queues = append(b.queues, change)
	}
}

// publishQueues publishes the changes after the commit.
func (l *Log) publishQueues(changes []QueueChanged) {
	for _, change := range changes {
		if frame, err := l.frame(TypeQueueChanged, change); err == nil {
			l.Publish.PublishAdmins(frame)
		}
	}
}
