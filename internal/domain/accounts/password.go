package accounts

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"amanat/internal/lib/fault"
)

// HashCost is the cost of a new argon2id hash. It is stored in the hash, so that raising it leaves
// old hashes readable.
type HashCost struct {
	MemoryKiB uint32
	Time      uint32
}

// defaultHashCost is the minimum that OWASP recommends (docs/decisions/0009-argon2-parameters.md).
var defaultHashCost = HashCost{MemoryKiB: 19_456, Time: 2}

const (
	argonThreads = 1
	saltBytes    = 16
	hashBytes    = 32
)

var errHashFormat = errors.New("accounts: password hash is not an argon2id PHC string")

// hasher computes and verifies password hashes in PHC format.
type hasher struct {
	queue  *hashQueue
	cost   HashCost
	argon2 func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte
	// dummy is compared with the password of an unknown user, so that this takes as long as for a
	// known one.
	dummy string
}

func newHasher(cost HashCost) *hasher {
	return &hasher{
		queue:  newHashQueue(hashSlots()),
		cost:   cost,
		argon2: argon2.IDKey,
		dummy:  cost.encode(make([]byte, saltBytes), make([]byte, hashBytes)),
	}
}

// hash returns the PHC string of a password in NFC, since keyboards write the same letter in
// different ways. client is who waits for it, see hashQueue. It fails only as hashQueue.enter does,
// before anything is computed.
func (h *hasher) hash(ctx context.Context, client, password string) (string, error) {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails
	if err := h.queue.enter(ctx, client); err != nil {
		return "", err
	}
	defer h.queue.leave()
	key := h.argon2([]byte(norm.NFC.String(password)), salt, h.cost.Time, h.cost.MemoryKiB, argonThreads, hashBytes)
	return h.cost.encode(salt, key), nil
}

// matches reports whether encoded is the hash of password in NFC. If it fails, nothing was
// compared.
func (h *hasher) matches(ctx context.Context, client, password, encoded string) (bool, error) {
	var version int
	var cost HashCost
	var threads uint8
	var tail string
	if _, err := fmt.Sscanf(encoded, "$argon2id$v=%d$m=%d,t=%d,p=%d$%s", &version, &cost.MemoryKiB, &cost.Time, &threads, &tail); err != nil {
		return false, errHashFormat
	}
	salt, want, err := decodeTail(tail)
	if err != nil || version != argon2.Version {
		return false, errHashFormat
	}
	if err := h.queue.enter(ctx, client); err != nil {
		return false, err
	}
	defer h.queue.leave()
	got := h.argon2([]byte(norm.NFC.String(password)), salt, cost.Time, cost.MemoryKiB, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// encode returns the PHC string of a hash of this cost.
func (c HashCost) encode(salt, key []byte) string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.MemoryKiB, c.Time, argonThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

func decodeTail(tail string) (salt, key []byte, err error) {
	first, second, found := strings.Cut(tail, "$")
	if !found {
		return nil, nil, errHashFormat
	}
	if salt, err = base64.RawStdEncoding.DecodeString(first); err != nil {
		return nil, nil, err
	}
	key, err = base64.RawStdEncoding.DecodeString(second)
	return salt, key, err
}

// MinAdminPassword is the minimum length of an admin's password, in characters.
const MinAdminPassword = 12

// commonPasswords are the 10,000 most common passwords of sufficient length, one per line; see
// common_passwords.LICENSE for the source.
//
//go:embed common_passwords.txt
var commonPasswords string

var commonSet = sync.OnceValue(func() map[string]struct{} {
	set := make(map[string]struct{}, strings.Count(commonPasswords, "\n"))
	for password := range strings.Lines(commonPasswords) {
		set[strings.TrimSuffix(password, "\n")] = struct{}{}
	}
	return set
})

// owner is the user data that checkStrength compares a password with.
type owner struct {
	username, email string
	isAdmin         bool
}

func (u User) owner() owner { return owner{u.Username, u.Email, u.IsAdmin} }

// localWords are what passwords here are made of, beside the common ones.
var localWords = []string{
	"allah", "amanat", "bangla", "bangladesh", "bdesh", "bikash", "bismillah", "bkash", "chittagong", "chattogram", "cumilla", "dhaka",
	"jannat", "karim", "khulna", "mohammad", "muhammad", "nagad", "rahim", "rahman", "rajshahi", "rangpur", "rocket", "sylhet", "taka",
}

// phoneNumber is a phone number of the country, however it is written.
var phoneNumber = regexp.MustCompile(`^(\+?88)?01[0-9]{9}$`)

// isLocal reports whether a password is a phone number, or a local word with at most a number such
// as a year, and marks.
func isLocal(password string) bool {
	const marks = " !@#$%&*._-"
	if phoneNumber.MatchString(strings.NewReplacer(" ", "", "-", "").Replace(password)) {
		return true
	}
	return slices.Contains(localWords, strings.Trim(strings.ToLower(password), "0123456789"+marks))
}

// checkStrength refuses easily guessed passwords, ignoring case: common ones, local words, phone
// numbers, the owner's name or address, only blanks, one character repeated. If strongAdmins is
// set, admins need longer passwords. It is called after validate. Code Invalid on the field.
func (s *Service) checkStrength(field, password string, of owner) error {
	switch {
	case guessable(password, of), isCommon(password), isLocal(password):
		return fault.Field(field, "password_too_common", "This password is too common. Please choose another.")
	case s.strongAdmins && of.isAdmin && !strong(password):
		return fault.Field(field, "admin_password_too_short", "The password of an admin must be at least 12 characters long.")
	}
	return nil
}

func isCommon(password string) bool {
	_, found := commonSet()[strings.ToLower(password)]
	return found
}

func guessable(password string, of owner) bool {
	local, _, _ := strings.Cut(of.email, "@")
	for _, known := range []string{of.username, of.email, local} {
		if strings.EqualFold(password, known) {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(password)
	return strings.TrimSpace(password) == "" || strings.Trim(password, string(first)) == "" ||
		strings.TrimRight(strings.ToLower(password), "0123456789") == "amanat"
}

// strong reports whether a password is long enough for an admin.
func strong(password string) bool { return utf8.RuneCountInString(password) >= MinAdminPassword }

// Bounds of hashing in a process (docs/decisions/0017-concurrent-hashes.md).
const (
	maxHashing     = 4  // at once, on any number of CPUs: each hash takes 19 MiB
	waitersPerSlot = 50 // 1.1 s of hashes at 22 ms each, and within a request's time at 200 ms
	// hashRetryAfter is longer than a full queue usually takes to empty.
	hashRetryAfter = 5 * time.Second
)

// hashSlots returns how many passwords are hashed at once: on half of the CPUs, since a hash keeps
// one busy for 22 ms and requests, PostgreSQL and workers need the others.
func hashSlots() int { return min(max(1, runtime.GOMAXPROCS(0)/2), maxHashing) }

// hashQueue bounds how many passwords are hashed at once and how many callers wait for that. The
// clients that wait take turns, each with its callers in order, so that a client with many calls
// delays the others by one hash each time. It is safe for concurrent use.
type hashQueue struct {
	refused prometheus.Counter
	places  int // for callers that wait

	mu      sync.Mutex
	free    int // slots; callers wait only while there is none
	waiting int
	lines   []*hashLine // in the order of their turns, none empty
}

// hashLine is the callers of a client that wait.
type hashLine struct {
	client string
	turns  []chan bool // receive true for a slot and false if the caller is refused
}

func newHashQueue(slots int) *hashQueue {
	return &hashQueue{
		free:   slots,
		places: slots * waitersPerSlot,
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "amanat_password_hashes_refused_total",
			Help: "Passwords that were not hashed because too many others waited.",
		}),
	}
}

// enter waits for a slot, which the caller releases with leave. It fails when ctx ends, and
// with code Unavailable if so many callers wait that a request would probably time out: a new
// caller takes the place of the last of the client with the most callers, unless that is its own.
func (q *hashQueue) enter(ctx context.Context, client string) error {
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	turn := make(chan bool, 1)
	queued := q.join(client, turn)
	q.mu.Unlock()
	if !queued {
		return errHashesBusy()
	}
	select {
	case ok := <-turn:
		if !ok {
			return errHashesBusy()
		}
		return nil
	case <-ctx.Done():
		q.giveUp(client, turn)
		return fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

func errHashesBusy() error {
	return fault.Retry(fault.Unavailable, hashRetryAfter, "service_busy", "The service is busy. Please try again in a moment.")
}

// leave passes the slot on to whose turn it is.
func (q *hashQueue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == 0 {
		q.free++
		return
	}
	next := q.lines[0]
	q.lines = q.lines[1:]
	next.turns[0] <- true
	next.turns = next.turns[1:]
	q.waiting--
	if len(next.turns) > 0 {
		q.lines = append(q.lines, next)
	}
}

// join adds a caller to the line of its client. It returns false if it is refused.
func (q *hashQueue) join(client string, turn chan bool) bool {
	line := q.lineOf(client)
	if q.waiting >= q.places {
		q.refused.Inc()
		if !q.refuseOther(line) {
			return false
		}
	}
	q.waiting++
	if line == nil {
		q.lines = append(q.lines, &hashLine{client, []chan bool{turn}})
	} else {
		line.turns = append(line.turns, turn)
	}
	return true
}

// refuseOther refuses the last caller of the longest line if that is longer than a line will be to
// which one is added.
func (q *hashQueue) refuseOther(line *hashLine) bool {
	if len(q.lines) == 0 {
		return false
	}
	longest := slices.MaxFunc(q.lines, func(a, b *hashLine) int { return len(a.turns) - len(b.turns) })
	length := 1
	if line != nil {
		length += len(line.turns)
	}
	last := len(longest.turns) - 1
	if len(longest.turns) <= length {
		return false
	}
	longest.turns[last] <- false
	longest.turns = longest.turns[:last]
	q.waiting--
	return true
}

// giveUp removes a caller that no longer waits, and passes on the slot if it has just got one.
func (q *hashQueue) giveUp(client string, turn chan bool) {
	q.mu.Lock()
	if line := q.lineOf(client); line != nil {
		if i := slices.Index(line.turns, turn); i >= 0 {
			line.turns = slices.Delete(line.turns, i, i+1)
			q.waiting--
			if len(line.turns) == 0 {
				q.lines = slices.DeleteFunc(q.lines, func(l *hashLine) bool { return l == line })
			}
			q.mu.Unlock()
			return
		}
	}
	q.mu.Unlock()
	if ok := <-turn; ok {
		q.leave()
	}
}

func (q *hashQueue) lineOf(client string) *hashLine {
	i := slices.IndexFunc(q.lines, func(l *hashLine) bool { return l.client == client })
	if i < 0 {
		return nil
	}
	return q.lines[i]
}

func (q *hashQueue) countWaiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}

// metrics returns the number of callers that wait and the count of those refused.
func (q *hashQueue) metrics() []prometheus.Collector {
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "amanat_password_hashes_waiting",
		Help: "Passwords that wait to be hashed.",
	}, func() float64 { return float64(q.countWaiting()) })
	return []prometheus.Collector{waiting, q.refused}
}
