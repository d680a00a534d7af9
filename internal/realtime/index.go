package realtime

import (
	"slices"
	"sync"

	"github.com/google/uuid"
)

const shards = 64

// index maps users to their sockets. It returns immutable slices, so that callers need no lock.
type index struct {
	shards [shards]shard
}

type shard struct {
	mu    sync.RWMutex
	users map[uuid.UUID]connected
}

// connected holds a user's sockets on this node, oldest first.
type connected struct {
	sockets []*socket
	live    int // sockets that are ready
}

func newIndex() *index {
	x := &index{}
	for i := range x.shards {
		x.shards[i].users = map[uuid.UUID]connected{}
	}
	return x
}

// of returns the shard of a user. The last byte of an id is random, also in time-ordered ids.
func (x *index) of(userID uuid.UUID) *shard { return &x.shards[userID[len(userID)-1]%shards] }

// sockets returns all sockets of a user.
func (x *index) sockets(userID uuid.UUID) []*socket {
	s := x.of(userID)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.users[userID].sockets
}

// add adds a socket. It returns the user's oldest sockets beyond most; they stay in the index until
// removed.
func (x *index) add(k *socket, most int) (tooMany []*socket) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	user.sockets = append(slices.Clip(user.sockets), k)
	s.users[k.userID] = user
	return user.sockets[:max(0, len(user.sockets)-most)]
}

// markReady records that a socket has sent hello and calls then with whether it is its user's
// first. Calls to then are ordered per user with those of remove. It does nothing if the socket has
// been removed.
func (x *index) markReady(k *socket, then func(first bool)) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	if !slices.Contains(user.sockets, k) {
		return
	}
	k.counted = true
	user.live++
	s.users[k.userID] = user
	then(user.live == 1)
}

// remove removes a socket and calls then if it was the last ready one of its user.
func (x *index) remove(k *socket, then func()) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	others := make([]*socket, 0, len(user.sockets))
	for _, other := range user.sockets {
		if other != k {
			others = append(others, other)
		}
	}
	user.sockets = others
	if k.counted {
		if user.live--; user.live == 0 {
			then()
		}
	}
	if len(others) == 0 {
		delete(s.users, k.userID)
		return
	}
	s.users[k.userID] = user
}

// all returns every socket.
func (x *index) all() []*socket {
	var list []*socket
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		for _, user := range s.users {
			list = append(list, user.sockets...)
		}
		s.mu.RUnlock()
	}
	return list
}

// live returns the users who have a ready socket.
func (x *index) live() []uuid.UUID {
	list := []uuid.UUID{}
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		for userID, user := range s.users {
			if user.live > 0 {
				list = append(list, userID)
			}
		}
		s.mu.RUnlock()
	}
	return list
}

// size returns the number of users and sockets.
func (x *index) size() (users, sockets int) {
	for i := range x.shards {
		s := &x.shards[i]
		s.mu.RLock()
		users += len(s.users)
		for _, user := range s.users {
			sockets += len(user.sockets)
		}
		s.mu.RUnlock()
	}
	return users, sockets
}
