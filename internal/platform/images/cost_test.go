package images

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/platform/clock"
	"amanat/internal/platform/fault"
	"amanat/internal/platform/ratelimit"
)

// announced is a PNG whose header claims a size, with the pixels of another.
func announced(t *testing.T, width, height uint32) string {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 1, 1))))
	data := file.Bytes()
	binary.BigEndian.PutUint32(data[16:], width) // the header follows the signature: length, type, width, height, …, sum
	binary.BigEndian.PutUint32(data[20:], height)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
}

func TestLargePicturesCountForMore(t *testing.T) {
	t.Parallel()
	pictures := ratelimit.Limit{Name: "pictures", Rate: ratelimit.Rate{Count: 8, Per: time.Hour}}
	service := New(Options{
		Clock:  clock.NewOffset(0),
		Bucket: func(_ context.Context, owner uuid.UUID) ratelimit.Bucket { return pictures.For(owner.String()) },
	})
	for _, test := range []struct {
		width, height uint32
		times         int
	}{{1, 1, 8}, {2000, 2000, 8}, {2000, 2001, 4}, {4000, 3000, 2}, {4000, 4000, 2}} {
		owner := uuid.New()
		for range test.times {
			_, err := service.Read(t.Context(), owner, announced(t, test.width, test.height))
			require.NotEqual(t, fault.RateLimited, fault.CodeOf(err), "%+v", test)
		}
		_, err := service.Read(t.Context(), owner, announced(t, test.width, test.height))
		require.Equal(t, fault.RateLimited, fault.CodeOf(err), "%+v", test)
	}
}

// What is too large is refused by its header, however busy the decoders are.
func TestTooManyPixelsAreRefusedBeforeDecoding(t *testing.T) {
	t.Parallel()
	service := New(Options{Clock: clock.NewOffset(0)})
	require.NoError(t, service.decoders.Acquire(t.Context(), maxDecoders))
	_, err := service.Read(t.Context(), uuid.New(), announced(t, 17_000, 1_000))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	_, err = service.Read(t.Context(), uuid.New(), announced(t, 4_000, 4_250))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	require.Equal(t, "The image is too large: the limit is 16 megapixels.", fault.As(err).Message)
}
