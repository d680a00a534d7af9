package realtime

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"
)

const (
	// nodesKey is the set of nodes that have or had a set.
	nodesKey = "pres:nodes"
	// placeholderMember keeps the set of a node without users from being empty, and so from being
	// deleted.
	placeholderMember = "-"
	// memberBatch is the maximum number of members in one command.
	memberBatch = 1000
)

// presenceSets are the sets in Redis: one per node, holding the users connected to it.
type presenceSets struct {
	client *redis.Client
	node   string

	mu    sync.Mutex
	nodes map[string]struct{} // known to be alive
}

func presenceKey(node string) string { return "pres:" + node }

// add records a node that has announced something.
func (s *presenceSets) add(node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes[node] = struct{}{}
}

func (s *presenceSets) liveNodes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	nodes := make([]string, 0, len(s.nodes))
	for node := range s.nodes {
		nodes = append(nodes, node)
	}
	return nodes
}

// refresh extends the expiry of the node's set, or recreates it if it has expired or is not
// trusted, and updates which nodes are alive. changed reports whether the set had expired or other
// nodes are alive than before.
func (s *presenceSets) refresh(
	ctx context.Context, expire time.Duration, trusted bool, localUsers func() []uuid.UUID,
) (changed bool, err error) {
	kept, err := s.client.Expire(ctx, presenceKey(s.node), expire).Result()
	if err != nil {
		return false, err
	}
	if !kept || !trusted {
		if err := s.replace(ctx, expire, localUsers()); err != nil {
			return false, err
		}
	}
	pipeline := s.client.Pipeline()
	pipeline.SAdd(ctx, nodesKey, s.node)
	listed := pipeline.SMembers(ctx, nodesKey)
	if _, err := pipeline.Exec(ctx); err != nil {
		return false, err
	}
	living, err := s.removeDead(ctx, listed.Val())
	if err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = !kept || len(living) != len(s.nodes)
	for node := range living {
		if _, known := s.nodes[node]; !known {
			changed = true
		}
	}
	s.nodes = living
	return changed, nil
}

// replace writes the node's set anew, in a transaction: other nodes must not see a partial set.
func (s *presenceSets) replace(ctx context.Context, expire time.Duration, users []uuid.UUID) error {
	pipeline := s.client.TxPipeline()
	pipeline.Del(ctx, presenceKey(s.node))
	pipeline.SAdd(ctx, presenceKey(s.node), placeholderMember)
	for batch := range slices.Chunk(users, memberBatch) {
		pipeline.SAdd(ctx, presenceKey(s.node), members(batch)...)
	}
	pipeline.Expire(ctx, presenceKey(s.node), expire)
	_, err := pipeline.Exec(ctx)
	return err
}

// removeDead returns the nodes whose sets have not expired, and removes the others from nodesKey.
func (s *presenceSets) removeDead(ctx context.Context, nodes []string) (map[string]struct{}, error) {
	pipeline := s.client.Pipeline()
	exist := make([]*redis.IntCmd, len(nodes))
	for i, node := range nodes {
		exist[i] = pipeline.Exists(ctx, presenceKey(node))
	}
	if _, err := pipeline.Exec(ctx); err != nil {
		return nil, err
	}
	living := map[string]struct{}{}
	var dead []any
	for i, node := range nodes {
		if exist[i].Val() == 1 {
			living[node] = struct{}{}
		} else {
			dead = append(dead, node)
		}
	}
	if len(dead) == 0 {
		return living, nil
	}
	return living, s.client.SRem(ctx, nodesKey, dead...).Err()
}

// change adds and removes users in the node's set.
func (s *presenceSets) change(ctx context.Context, came, left []uuid.UUID) error {
	pipeline := s.client.Pipeline()
	for batch := range slices.Chunk(came, memberBatch) {
		pipeline.SAdd(ctx, presenceKey(s.node), members(batch)...)
	}
	for batch := range slices.Chunk(left, memberBatch) {
		pipeline.SRem(ctx, presenceKey(s.node), members(batch)...)
	}
	_, err := pipeline.Exec(ctx)
	return err
}

// online returns those of the users who are connected to any node.
func (s *presenceSets) online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	type question struct {
		users   []uuid.UUID
		answers *redis.BoolSliceCmd
	}
	online := map[uuid.UUID]struct{}{}
	var asked []question
	pipeline := s.client.Pipeline()
	for _, node := range s.liveNodes() {
		for batch := range slices.Chunk(users, memberBatch) {
			asked = append(asked, question{batch, pipeline.SMIsMember(ctx, presenceKey(node), members(batch)...)})
		}
	}
	if len(asked) == 0 {
		return online, nil
	}
	if _, err := pipeline.Exec(ctx); err != nil {
		return nil, err
	}
	for _, q := range asked {
		for i, is := range q.answers.Val() {
			if is {
				online[q.users[i]] = struct{}{}
			}
		}
	}
	return online, nil
}

// leave makes the node's set expire soon.
func (s *presenceSets) leave(ctx context.Context, after time.Duration) {
	_ = s.client.Expire(ctx, presenceKey(s.node), after).Err() // otherwise it expires later
}

func members(users []uuid.UUID) []any {
	list := make([]any, len(users))
	for i, user := range users {
		list[i] = user.String()
	}
	return list
}
