package realtime

import (
	"context"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"amanat/internal/lib/redisclient"
)

// busParts is how many parts the channels of a cluster have. The channels of a part have one hash
// tag, and so are on one server, which a connection can subscribe to.
const busParts = 16

// bus names the channels in Redis. In Redis Cluster, an ordinary message goes to every server, so
// sharded pub/sub is used, where a channel belongs to one server.
type bus struct {
	client redis.UniversalClient
	parts  int // 1 without a cluster
}

func newBus(client redis.UniversalClient) bus {
	if redisclient.Sharded(client) {
		return bus{client, busParts}
	}
	return bus{client, 1}
}

func (b bus) sharded() bool { return b.parts > 1 }

// partOf returns the part that a channel belongs to.
func (b bus) partOf(channel string) int {
	if !b.sharded() {
		return 0
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(channel))
	return int(hash.Sum32() % uint32(b.parts))
}

// inRedis returns the name of a part's channel in Redis.
func (b bus) inRedis(part int, channel string) string {
	if !b.sharded() {
		return channel
	}
	return "{rt" + strconv.Itoa(part) + "}" + channel
}

// named is the inverse of inRedis.
func (b bus) named(inRedis string) string {
	if !b.sharded() {
		return inRedis
	}
	_, channel, _ := strings.Cut(inRedis, "}")
	return channel
}

// publish publishes to a channel of a part, on the client or in a pipeline.
func (b bus) publish(ctx context.Context, on redis.Cmdable, part int, channel string, payload any) *redis.IntCmd {
	if b.sharded() {
		return on.SPublish(ctx, b.inRedis(part, channel), payload)
	}
	return on.Publish(ctx, channel, payload)
}

// subscription is a connection that is subscribed to channels of a part.
type subscription struct {
	*redis.PubSub
	bus  bus
	part int
}

// open returns a subscription without channels. It connects when it is used.
func (b bus) open(ctx context.Context, part int) subscription {
	return subscription{b.client.Subscribe(ctx), b, part}
}

func (s subscription) subscribe(ctx context.Context, channels ...string) error {
	if s.bus.sharded() {
		return s.SSubscribe(ctx, s.inRedis(channels)...)
	}
	return s.Subscribe(ctx, channels...)
}

func (s subscription) unsubscribe(ctx context.Context, channels ...string) error {
	if s.bus.sharded() {
		return s.SUnsubscribe(ctx, s.inRedis(channels)...)
	}
	return s.Unsubscribe(ctx, channels...)
}

func (s subscription) inRedis(channels []string) []string {
	list := make([]string, len(channels))
	for i, channel := range channels {
		list[i] = s.bus.inRedis(s.part, channel)
	}
	return list
}
