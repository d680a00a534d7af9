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
	// nodesKey is the set of nodes that have, or had, a set of their own.
	nodesKey = "pres:nodes"
	// nobodyMember keeps the set of a node to which nobody is connected.
	nobodyMember = "-"
	// memberBatch is how many members one command names.
	memberBatch = 1000
)

// presenceSets are the sets in Redis: one a node, of the users that are connected to it.
type presenceSets struct {
	client *redis.Client
	node   string

	mu    sync.Mutex
	nodes map[string]struct{} // known to live
}

func presenceKey(node string) string { return "pres:" + node }

// add notes a node that has been heard of.
func (s *presenceSets) add(node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nodes[node] = struct{}{}
}

func (s *presenceSets) living() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	nodes := make([]string, 0, len(s.nodes))
	for node := range s.nodes {
		nodes = append(nodes, node)
	}
	return nodes
}

// refresh keeps the node's set for another while, or makes it anew when it is gone or not to be trusted, and looks which nodes live; changed
// tells whether they are others than before.
func (s *presenceSets) refresh(
	ctx context.Context, expire time.Duration, trusted bool, everybody func() []uuid.UUID,
) (changed bool, err error) {
	kept, err := s.client.Expire(ctx, presenceKey(s.node), expire).Result()
	if err != nil {
		return false, err
	}
	pipeline := s.client.TxPipeline() // nobody must see the set half full
	if !kept || !trusted {
		pipeline.Del(ctx, presenceKey(s.node))
		pipeline.SAdd(ctx, presenceKey(s.node), nobodyMember)
		for batch := range slices.Chunk(everybody(), memberBatch) {
			pipeline.SAdd(ctx, presenceKey(s.node), members(batch)...)
		}
		pipeline.Expire(ctx, presenceKey(s.node), expire)
	}
	pipeline.SAdd(ctx, nodesKey, s.node)
	listed := pipeline.SMembers(ctx, nodesKey)
	if _, err := pipeline.Exec(ctx); err != nil {
		return false, err
	}
	living, err := s.forgetDead(ctx, listed.Val())
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

// forgetDead returns those nodes whose sets have not expired, and takes the others off the list.
func (s *presenceSets) forgetDead(ctx context.Context, nodes []string) (map[string]struct{}, error) {
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

// change writes down who came to this node and who left it.
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

// online returns which of the users are connected to any node.
func (s *presenceSets) online(ctx context.Context, users []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	type question struct {
		users   []uuid.UUID
		answers *redis.BoolSliceCmd
	}
	online := map[uuid.UUID]struct{}{}
	var asked []question
	pipeline := s.client.Pipeline()
	for _, node := range s.living() {
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

// leave has the node's set expire soon.
func (s *presenceSets) leave(ctx context.Context, after time.Duration) {
	_ = s.client.Expire(ctx, presenceKey(s.node), after).Err() // it expires anyway, only later
}

func members(users []uuid.UUID) []any {
	list := make([]any, len(users))
	for i, user := range users {
		list[i] = user.String()
	}
	return list
}
