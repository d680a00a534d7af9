package realtime

import (
	"slices"
	"sync"

	"github.com/google/uuid"
)

const shards = 64

// index finds the sockets of a user. Whoever looks gets a slice that never changes, so that nothing is done with a lock held.
type index struct {
	shards [shards]shard
}

type shard struct {
	mu    sync.RWMutex
	users map[uuid.UUID]connected
}

// connected is a user with sockets on this node, the oldest first.
type connected struct {
	sockets []*socket
	live    int // how many of them have been told hello
}

func newIndex() *index {
	x := &index{}
	for i := range x.shards {
		x.shards[i].users = map[uuid.UUID]connected{}
	}
	return x
}

// of returns the shard of a user. The end of an id is random, also of those that begin with a time.
func (x *index) of(userID uuid.UUID) *shard { return &x.shards[userID[len(userID)-1]%shards] }

// sockets returns all sockets of a user.
func (x *index) sockets(userID uuid.UUID) []*socket {
	s := x.of(userID)
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.users[userID].sockets
}

// add takes a socket in. Those that its user now has too many are returned, the oldest, and stay until they are removed.
func (x *index) add(k *socket, most int) (tooMany []*socket) {
	s := x.of(k.userID)
	s.mu.Lock()
	defer s.mu.Unlock()
	user := s.users[k.userID]
	user.sockets = append(slices.Clip(user.sockets), k)
	s.users[k.userID] = user
	return user.sockets[:max(0, len(user.sockets)-most)]
}

// enliven notes that a socket has been told hello and calls then with whether it is the first of its user, in the order of such changes.
// Nothing happens when the socket has been removed.
func (x *index) enliven(k *socket, then func(first bool)) {
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

// remove forgets a socket and calls then, in the order of enliven, when it was the last of its user that had been told hello.
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

// live returns the users who have sockets that have been told hello.
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

// size returns how many users and sockets there are.
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
