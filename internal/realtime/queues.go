package realtime

import (
	"slices"

	"github.com/google/uuid"

	"amanat/internal/postgres"
)

// Admins tells all connected admins, once the transaction has committed, that a row of a queue has come, changed or gone. It is in nobody's
// log and may be lost: whoever comes later reads the list anyway.
func (l *Log) Admins(tx *postgres.Tx, queue Queue, id uuid.UUID) {
	b := l.batch(tx)
	if change := (QueueChanged{Queue: queue, ID: id}); !slices.Contains(b.queues, change) {
		b.queues = append(b.queues, change)
	}
}

// publishQueues is for when the transaction has committed.
func (l *Log) publishQueues(changes []QueueChanged) {
	for _, change := range changes {
		if frame, err := l.frame(TypeQueueChanged, change); err == nil {
			l.Publish.PublishAdmins(frame)
		}
	}
}
