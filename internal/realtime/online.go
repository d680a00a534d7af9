package realtime

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

var errNoNodes = errors.New("no process has announced who is online")

// Online returns those of the users who have a page open, for processes without sockets. It fails
// if that is unknown: Redis is down, or has been restarted without its data a moment ago.
func (r *Redis) Online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	ctx, cancel := context.WithTimeout(ctx, presenceCall)
	defer cancel()
	nodes, err := r.client.SMembers(ctx, nodesKey).Result()
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, errNoNodes
	}
	sets := presenceSets{client: r.client, nodes: map[string]struct{}{}}
	for _, node := range nodes { // the sets of those that are gone have expired
		sets.add(node)
	}
	return sets.online(ctx, users)
}
