package images

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/ratelimit"
)

// pngClaiming is a PNG whose header claims a size, with the pixels of another.
func pngClaiming(t *testing.T, width, height uint32) string {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, 1, 1))))
	data := file.Bytes()
	// The header follows the signature: length, type, width, height, …, checksum.
	binary.BigEndian.PutUint32(data[16:], width)
	binary.BigEndian.PutUint32(data[20:], height)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)
}

func TestRead_cost_by_size(t *testing.T) {
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
		t.Run(fmt.Sprintf("%d by %d", test.width, test.height), func(t *testing.T) {
			t.Parallel()
			owner := uuid.New()
			for range test.times {
				_, err := service.Read(t.Context(), owner, pngClaiming(t, test.width, test.height))
				require.NotEqual(t, fault.RateLimited, fault.CodeOf(err))
			}
			_, err := service.Read(t.Context(), owner, pngClaiming(t, test.width, test.height))
			require.Equal(t, fault.RateLimited, fault.CodeOf(err))
		})
	}
}

// A picture that is too large is refused by its header, without waiting for a decoder.
func TestRead_too_many_pixels(t *testing.T) {
	t.Parallel()
	service := New(Options{Clock: clock.NewOffset(0)})
	require.NoError(t, service.decoders.Acquire(t.Context(), maxDecoders))
	_, err := service.Read(t.Context(), uuid.New(), pngClaiming(t, 17_000, 1_000))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	_, err = service.Read(t.Context(), uuid.New(), pngClaiming(t, 4_000, 4_250))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	require.Equal(t, "The image is too large: the limit is 16 megapixels.", fault.As(err).Message)
}

// A file of thousands of compressed profiles costs no more than one of a single profile.
func TestPNGMetadata_many_profiles(t *testing.T) { //nolint:paralleltest // counts allocations
	packed := bytes.NewBufferString("name\x00\x00")
	w := zlib.NewWriter(packed)
	_, err := w.Write(make([]byte, maxProfile))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	chunk := binary.BigEndian.AppendUint32(nil, uint32(packed.Len()))
	chunk = append(append(append(chunk, "iCCP"...), packed.Bytes()...), 0, 0, 0, 0)
	read := func(times int) float64 {
		file := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat(chunk, times)...)
		return testing.AllocsPerRun(3, func() { require.Len(t, pngMetadata(file).profile, maxProfile) })
	}
	require.InDelta(t, read(1), read(1000), 10)
}
