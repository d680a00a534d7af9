package posts

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
)

const (
	viewsKey     = "post-views" // a hash of the counts that are not written yet
	viewsTimeout = 100 * time.Millisecond
	viewsWritten = time.Minute        // the shortest time between two writes of the counts
	readersKept  = 2 * 24 * time.Hour // longer than the day that they are counted on
)

// countView counts a reader of a post on a day once and returns "1", or else "0". Once in a while
// the counts of all posts follow, as pairs of id and number, and start anew.
var countView = redis.NewScript(`
if redis.call('SADD', KEYS[1], ARGV[1]) == 0 then return {'0'} end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
local answer = {'1'}
if redis.call('SET', KEYS[3], '1', 'NX', 'EX', ARGV[4]) then
  for _, word in ipairs(redis.call('HGETALL', KEYS[2])) do answer[#answer + 1] = word end
  redis.call('DEL', KEYS[2])
end
return answer`)

// CountView counts that a reader has seen a post, once a day (docs/rules.md#post-views). A visitor
// is known by the network that the call came from. counted is false for the seller, for repeated
// calls, and while Redis is down. Code NotFound.
//
// Redis keeps a number made from reader and post, and the counts until they are written, at most
// once a minute, by the call that comes next. PostgreSQL has only the counts.
func (s *Service) CountView(ctx context.Context, reader Reader, network string, id uuid.UUID) (counted bool, err error) {
	post, err := s.Get(ctx, reader, id)
	if err != nil || reader.UserID != nil && *reader.UserID == post.CreatedBy.ID {
		return false, err
	}
	if reader.UserID != nil {
		network = reader.UserID.String()
	}
	sum := sha256.Sum256([]byte(id.String() + network))
	day := s.Clock.Now().In(clock.Dhaka).Format(time.DateOnly)
	keys := []string{"post-readers:" + day + ":" + id.String(), viewsKey, viewsKey + "-written"}
	callCtx, cancel := context.WithTimeout(ctx, viewsTimeout)
	defer cancel()
	// Redis keeps sets of integers in a few bytes each. Without Redis the answer is empty.
	who := binary.BigEndian.Uint32(sum[:4])
	answer, _ := countView.Run(callCtx, s.Redis, keys, who, id.String(), int(readersKept.Seconds()), int(viewsWritten.Seconds())).StringSlice()
	if len(answer) == 0 || answer[0] == "0" {
		return false, nil
	}
	return true, s.writeViews(ctx, answer[1:])
}

// writeViews adds counts, pairs of id and number, to those of the posts that still exist.
func (s *Service) writeViews(ctx context.Context, pairs []string) error {
	if len(pairs) == 0 {
		return nil
	}
	ids, counts := make([]uuid.UUID, len(pairs)/2), make([]int64, len(pairs)/2)
	for i := range ids {
		var err error
		if ids[i], err = uuid.Parse(pairs[2*i]); err != nil {
			return err
		}
		if counts[i], err = strconv.ParseInt(pairs[2*i+1], 10, 64); err != nil {
			return err
		}
	}
	return addViews.Run(ctx, s.DB, postgres.Args{"posts": ids, "counts": counts})
}

// addInterest adds to posts of one seller what others did with them. Without Redis, views are
// missing that it has not written yet.
func (s *Service) addInterest(ctx context.Context, seller uuid.UUID, list []Post) error {
	err := addInterest(ctx, s.DB, seller, list)
	if err != nil || s.Redis == nil || len(list) == 0 {
		return err
	}
	ids := make([]string, len(list))
	for i, post := range list {
		ids[i] = post.ID.String()
	}
	callCtx, cancel := context.WithTimeout(ctx, viewsTimeout)
	defer cancel()
	waiting, _ := s.Redis.HMGet(callCtx, viewsKey, ids...).Result()
	for i := range list {
		if i < len(waiting) { // none if Redis is down
			text, _ := waiting[i].(string)
			n, _ := strconv.Atoi(text)
			list[i].Seen += n
		}
	}
	return nil
}
