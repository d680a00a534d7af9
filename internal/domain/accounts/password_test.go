package accounts

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
)

const busyText = "The service is busy. Please try again in a moment."

// slowHasher is a hasher whose hashes take a second of the test's time. It records which passwords
// were hashed, in order, and how many at once.
type slowHasher struct {
	*hasher
	mu      sync.Mutex
	started []string
	running int
	most    int
}

func newSlowHasher(slots int) *slowHasher {
	h := &slowHasher{hasher: newHasher(defaultHashCost)}
	h.queue = newHashQueue(slots)
	h.argon2 = func(password, _ []byte, _, _ uint32, _ uint8, keyLen uint32) []byte {
		h.count(string(password), 1)
		time.Sleep(time.Second)
		h.count("", -1)
		return make([]byte, keyLen)
	}
	return h
}

func (h *slowHasher) count(password string, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n > 0 {
		h.started = append(h.started, password)
	}
	h.running += n
	h.most = max(h.most, h.running)
}

// order returns the passwords whose hashing has begun, sorted within each group of so many that
// begin at the same time.
func (h *slowHasher) order(atOnce int) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var order []string
	for group := range slices.Chunk(h.started, atOnce) {
		order = append(order, slices.Sorted(slices.Values(group))...)
	}
	return order
}

// begin starts to hash a password and returns when it is being hashed, waits or has failed.
func (h *slowHasher) begin(ctx context.Context, password string) <-chan error {
	return h.beginAs(ctx, "a client", password)
}

func (h *slowHasher) beginAs(ctx context.Context, client, password string) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := h.hash(ctx, client, password)
		done <- err
	}()
	synctest.Wait()
	return done
}

func TestHashQueue_bound_and_order(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newSlowHasher(2)
		var passwords []string
		var calls []<-chan error
		for i := range 20 {
			password := string(rune('a' + i))
			passwords = append(passwords, password)
			calls = append(calls, h.begin(t.Context(), password))
		}
		require.Equal(t, 18, h.queue.countWaiting())
		began := time.Now()
		for _, call := range calls {
			require.NoError(t, <-call)
		}
		require.Equal(t, 10*time.Second, time.Since(began))
		require.Equal(t, 2, h.most)
		require.Equal(t, passwords, h.order(2), "first come, first served")
		require.Zero(t, h.queue.countWaiting())
	})
}

func TestHashQueue_waiter_gives_up(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newSlowHasher(1)
		first := h.begin(t.Context(), "first")
		ctx, cancel := context.WithCancel(t.Context())
		gone := h.begin(ctx, "gone")
		deadline, stop := context.WithTimeout(t.Context(), time.Millisecond)
		defer stop()
		late := h.begin(deadline, "late")
		last := h.begin(t.Context(), "last")
		cancel()
		require.ErrorIs(t, <-gone, context.Canceled)
		require.ErrorIs(t, <-late, context.DeadlineExceeded)
		require.Equal(t, 1, h.queue.countWaiting())
		another := h.begin(t.Context(), "another")
		require.Equal(t, []string{"first"}, h.order(1), "nothing was freed")
		for _, call := range []<-chan error{first, last, another} {
			require.NoError(t, <-call)
		}
		require.Equal(t, []string{"first", "last", "another"}, h.order(1))
		require.Equal(t, 1, h.most)
	})
}

func TestHashQueue_full(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newSlowHasher(1)
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(h.queue.metrics()...)
		h.queue.places = 2
		calls := []<-chan error{h.begin(t.Context(), "a"), h.begin(t.Context(), "b"), h.begin(t.Context(), "c")}
		began := time.Now()
		err := <-h.begin(t.Context(), "refused")
		requireFault(t, err, fault.Unavailable, busyText)
		require.Equal(t, hashRetryAfter, fault.As(err).RetryAfter)
		require.Zero(t, time.Since(began), "at once")
		require.Equal(t, map[string]float64{"amanat_password_hashes_waiting": 2, "amanat_password_hashes_refused_total": 1}, values(t, registry))

		require.NoError(t, <-calls[0])
		synctest.Wait()
		calls = append(calls, h.begin(t.Context(), "d")) // in the place that has become free
		for _, call := range calls[1:] {
			require.NoError(t, <-call)
		}
		require.Equal(t, []string{"a", "b", "c", "d"}, h.order(1))
	})
}

// A client with many calls delays another by one hash, and gives up its last places to others when
// the queue is full.
func TestHashQueue_turns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newSlowHasher(1)
		h.queue.places = 4
		flood := []<-chan error{}
		for _, password := range []string{"a1", "a2", "a3", "a4", "a5"} {
			flood = append(flood, h.beginAs(t.Context(), "a", password))
		}
		b1 := h.beginAs(t.Context(), "b", "b1")
		requireFault(t, <-flood[4], fault.Unavailable, busyText)
		b2 := h.beginAs(t.Context(), "b", "b2")
		requireFault(t, <-flood[3], fault.Unavailable, busyText)
		requireFault(t, <-h.beginAs(t.Context(), "b", "b3"), fault.Unavailable, busyText)
		requireFault(t, <-h.beginAs(t.Context(), "a", "a6"), fault.Unavailable, busyText)
		for _, call := range append(flood[:3], b1, b2) {
			require.NoError(t, <-call)
		}
		require.Equal(t, []string{"a1", "a2", "b1", "a3", "b2"}, h.order(1))
	})
}

// values returns the current values of all metrics.
func values(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	require.NoError(t, err)
	found := map[string]float64{}
	for _, family := range families {
		metric := family.GetMetric()[0]
		found[family.GetName()] = metric.GetGauge().GetValue() + metric.GetCounter().GetValue()
	}
	return found
}

// Calls that are refused because many others wait are not failures: they lock nobody out.
func TestLogin_busy(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.hashCheaply()
	f.limits.SignupAddress = ratelimit.Rate{Count: 2, Per: time.Hour}
	user, token := f.signup(t, "rahim")
	_, session, err := f.Authenticate(t.Context(), token)
	require.NoError(t, err)
	hashes := f.countHashes()
	f.hasher.queue = newHashQueue(1)
	f.hasher.queue.places = 0
	require.NoError(t, f.hasher.queue.enter(t.Context(), "another"))
	for range 10 {
		_, err := f.login(t, "rahim", "river-stone", "192.0.2.1", "")
		requireFault(t, err, fault.Unavailable, busyText)
		_, err = f.ConfirmPassword(t.Context(), user, session, "river-stone", Proof{})
		requireFault(t, err, fault.Unavailable, busyText)
		_, err = f.Signup(t.Context(), input("karim"), Client{})
		requireFault(t, err, fault.Unavailable, busyText)
	}
	require.Zero(t, hashes())
	f.hasher.queue.leave()
	_, err = f.login(t, "rahim", "river-stone", "192.0.2.1", "")
	require.NoError(t, err)
	_, err = f.ConfirmPassword(t.Context(), user, session, "river-stone", Proof{})
	require.NoError(t, err)
	f.signup(t, "karim")
}

func TestHashSlots(t *testing.T) {
	t.Parallel()
	slots := hashSlots()
	require.GreaterOrEqual(t, slots, 1)
	require.LessOrEqual(t, slots, maxHashing)
}

const tooCommon = "This password is too common. Please choose another."

func TestCheckStrength(t *testing.T) {
	t.Parallel()
	service := New(Options{Clock: clock.System{}})
	of := owner{username: "rahim-uddin", email: "rahim.uddin@example.com"}
	for _, password := range []string{
		"123456", "password", "PassWord", "qwerty", "iloveyou", "p@ssw0rd", "abcdef", "654321",
		"      ", "\u00a0\u2003\u2003\u2003\u2003\u2003", "zzzzzzzz", "আআআআআআ",
		"rahim-uddin", "RAHIM-UDDIN", "rahim.uddin", "Rahim.Uddin@example.com",
		"amanat", "Amanat2026",
		"bangladesh", "dhaka123", "Bangla123", "allah123", "rahim123", "bkash123", "nagad123", "dhaka2026", "Dhaka@2026!", "2026dhaka",
		"01712345678", "+8801712345678", "01712-345678",
	} {
		requireFault(t, service.checkStrength("password", password, of), fault.Invalid, tooCommon)
	}
	for _, password := range []string{
		"amanat-demo", "river-stone", "rahim-uddin-7", "আমানত-নদী", "      x", "another1", "dhaka river", "0171234567", "my-dhaka-home",
	} {
		require.NoError(t, service.checkStrength("password", password, of), password)
	}
	require.Len(t, commonSet(), 10_000)
	for password := range commonSet() {
		require.GreaterOrEqual(t, len(password), minPassword)
		require.Equal(t, strings.ToLower(password), password)
	}
}

func TestCheckStrength_every_new_password(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	weak := input("rahim")
	weak.Password = "qwerty"
	_, err := f.Signup(t.Context(), weak, Client{})
	requireFault(t, err, fault.Invalid, tooCommon)
	require.Equal(t, map[string]string{"password": tooCommon}, fault.As(err).Fields)
	_, err = f.Create(t.Context(), weak)
	requireFault(t, err, fault.Invalid, tooCommon)

	user, session := f.signup(t, "karim-7")
	_, found, err := f.Authenticate(t.Context(), session)
	require.NoError(t, err)
	_, err = f.ChangePassword(t.Context(), user, found, "", ChangeInput{Current: "river-stone", New: "Karim-7"})
	requireFault(t, err, fault.Invalid, tooCommon)
	require.Contains(t, fault.As(err).Fields, "newPassword")

	link := f.mailedToken(t, user.ID, forReset)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "qwerty", Token: link})
	requireFault(t, err, fault.Invalid, tooCommon)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "qwerty", Token: "made-up"})
	requireFault(t, err, fault.Invalid, "Invalid or missing token")
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "river-stone-8", Token: link})
	require.NoError(t, err, "a refused password does not use the link up")
}

func TestCheckStrength_admins(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.strongAdmins = true
	user, session := f.signup(t, "rahim")
	operator := New(Options{DB: f.owner, Clock: f.clock, StrongAdmins: true})
	_, err := operator.GrantAdmin(t.Context(), "rahim", "")
	requireFault(t, err, fault.Conflict, "rahim has to set a password of at least 12 characters first.")

	change := func(password string) error {
		t.Helper()
		user, found, err := f.Authenticate(t.Context(), session)
		require.NoError(t, err, "the refused grant has left no trace")
		current := map[bool]string{true: "twelve-chars", false: "river-stone"}[user.PasswordStrong]
		rotated, err := f.ChangePassword(t.Context(), user, found, "", ChangeInput{Current: current, New: password})
		if err == nil {
			session = rotated
		}
		return err
	}
	require.NoError(t, change("twelve-chars"))
	granted, err := operator.GrantAdmin(t.Context(), "rahim", "the first admin")
	require.NoError(t, err)
	require.True(t, granted.IsAdmin)

	const short = "The password of an admin must be at least 12 characters long."
	requireFault(t, change("elevenchars"), fault.Invalid, short)
	_, _, err = f.ResetPassword(t.Context(), ResetInput{Password: "elevenchars", Token: f.mailedToken(t, user.ID, forReset)})
	requireFault(t, err, fault.Invalid, short)
}
