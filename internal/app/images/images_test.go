package images_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/tiff"

	"amanat/internal/app/images"
	"amanat/internal/domain/accounts"
	"amanat/internal/lib/blobs"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/dbtest"
	"amanat/internal/testing/s3test"
)

type fixture struct {
	db     *dbtest.DB
	clock  *clock.Offset
	images *images.Service
	owner  uuid.UUID
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{db: dbtest.New(t), clock: clock.NewOffset(0)}
	f.images = images.New(images.Options{DB: f.db.API(), Clock: f.clock})
	people := accounts.New(accounts.Options{DB: f.db.API(), Clock: f.clock})
	user, err := people.Create(t.Context(), accounts.SignupInput{Username: "rahim", Email: "r@example.com", Password: "river-stone"})
	require.NoError(t, err)
	f.owner = user.ID
	return f
}

func (f *fixture) save(t *testing.T, url string) uuid.UUID {
	t.Helper()
	picture, err := f.images.Read(t.Context(), f.owner, url)
	require.NoError(t, err)
	var id uuid.UUID
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		id, err = f.images.Save(t.Context(), tx, picture, f.owner, nil)
		return err
	}))
	return id
}

func (f *fixture) release(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.NoError(t, postgres.WithTx(t.Context(), f.db.API(), func(tx *postgres.Tx) error {
		return f.images.Release(t.Context(), tx, id)
	}))
}

// load returns the stored file and its pixels.
func (f *fixture) load(t *testing.T, id uuid.UUID, width int) (images.Image, []byte, image.Image) {
	t.Helper()
	found, err := f.images.Find(t.Context(), id, width)
	require.NoError(t, err)
	data, err := f.images.Data(t.Context(), found)
	require.NoError(t, err)
	pixels, format, err := image.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, found.ContentType, "image/"+format)
	require.Equal(t, found.Width, pixels.Bounds().Dx())
	return found, data, pixels
}

func requireColor(t *testing.T, pixels image.Image, x, y int, blueThere bool) {
	t.Helper()
	r, _, b, _ := pixels.At(x, y).RGBA()
	require.Equal(t, blueThere, b > r, "at %d,%d of %v", x, y, pixels.Bounds())
}

func TestRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	transparent := image.NewNRGBA(image.Rect(0, 0, 20, 10))
	capitals := strings.Replace(dataURL("image/png", pngFile(t, drawing(9, 9))), "data:image/png", "DATA:Image/PNG", 1)
	for _, test := range []struct {
		name, url, contentType string
		width, height          int
	}{
		{"png", dataURL("image/png", pngFile(t, drawing(200, 100))), "image/jpeg", 200, 100},
		{"transparent png", dataURL("image/png", pngFile(t, transparent)), "image/png", 20, 10},
		{"jpeg", dataURL("image/jpeg", jpegFile(t, drawing(200, 100))), "image/jpeg", 200, 100},
		{"gif, first frame", dataURL("image/gif", gifFile(t, 40, 30, 3)), "image/jpeg", 40, 30},
		{"webp", dataURL("image/webp", webpFile(t, drawing(40, 30))), "image/jpeg", 40, 30},
		{"wrong media type", dataURL("image/png", jpegFile(t, drawing(30, 30))), "image/jpeg", 30, 30},
		{"in capitals", capitals, "image/jpeg", 9, 9},
		{"wide", dataURL("image/png", pngFile(t, drawing(2600, 1300))), "image/jpeg", 1280, 640},
		{"tall", dataURL("image/png", pngFile(t, drawing(500, 8192))), "image/jpeg", 250, 4096},
		{"a line", dataURL("image/png", pngFile(t, drawing(16384, 1))), "image/jpeg", 1280, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found, _, pixels := f.load(t, f.save(t, test.url), 0)
			require.Equal(t, test.contentType, found.ContentType)
			require.Equal(t, image.Pt(test.width, test.height), pixels.Bounds().Size())
		})
	}
	_, _, pixels := f.load(t, f.save(t, dataURL("image/gif", gifFile(t, 40, 30, 3))), 0)
	requireColor(t, pixels, 5, 5, false)
}

func TestRead_orientation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	// blueAt is where the blue top left quarter of the file is displayed. Orientations 5 to 8 swap
	// width and height.
	whole := drawing(200, 120)
	files := map[string]func(exif []byte) []byte{
		"jpeg": func(exif []byte) []byte { return jpegWith(jpegFile(t, whole), exif, nil) },
		"png":  func(exif []byte) []byte { return pngWith(t, pngFile(t, whole), exif, nil) },
		"png, after the pixels": func(exif []byte) []byte {
			file := pngFile(t, whole)
			end := len(file) - len(pngChunk("IEND", nil))
			return bytes.Join([][]byte{file[:end], pngChunk("eXIf", exif), file[end:]}, nil)
		},
		"webp": func(exif []byte) []byte {
			return webpWith(webpFile(t, whole), image.Pt(200, 120), exif, nil)
		},
		"webp, with the header of JPEG": func(exif []byte) []byte {
			return webpWith(webpFile(t, whole), image.Pt(200, 120), append([]byte("Exif\x00\x00"), exif...), nil)
		},
	}
	for orientation, blueAt := range map[uint16]struct{ right, bottom bool }{
		0: {false, false}, 1: {false, false}, 2: {true, false}, 3: {true, true}, 4: {false, true},
		5: {false, false}, 6: {true, false}, 7: {true, true}, 8: {false, true}, 9: {false, false},
	} {
		for format, file := range files {
			t.Run(fmt.Sprint(format, " ", orientation), func(t *testing.T) {
				t.Parallel()
				_, data, pixels := f.load(t, f.save(t, dataURL("image/jpeg", file(exif(orientation)))), 0)
				size := image.Pt(200, 120)
				if orientation >= 5 && orientation <= 8 {
					size = image.Pt(120, 200)
				}
				require.Equal(t, size, pixels.Bounds().Size())
				for _, right := range []bool{false, true} {
					for _, bottom := range []bool{false, true} {
						x, y := size.X/4, size.Y/4
						if right {
							x += size.X / 2
						}
						if bottom {
							y += size.Y / 2
						}
						requireColor(t, pixels, x, y, right == blueAt.right && bottom == blueAt.bottom)
					}
				}
				require.NotContains(t, string(data), "GPS", "metadata are removed")
				require.NotContains(t, string(data), "Exif")
			})
		}
	}
}

// Pictures of phones and cameras look as on them: their colors become those of sRGB.
func TestRead_profile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	gamma := make([]uint16, 1024)
	for i := range gamma {
		gamma[i] = uint16(math.Round(math.Pow(float64(i)/1023, 1.8) * math.MaxUint16))
	}
	gray := bytes.Replace(displayP3, []byte("RGB "), []byte("GRAY"), 1)
	tables := bytes.Replace(displayP3, []byte("rXYZ"), []byte("A2B0"), 1)
	opaque := func(r, g, b uint8) color.NRGBA { return color.NRGBA{R: r, G: g, B: b, A: 255} }
	for _, test := range []struct {
		name     string
		profile  []byte
		in, want color.NRGBA
	}{
		{"Display P3", displayP3, opaque(234, 51, 35), opaque(255, 0, 0)},
		{"Display P3 beyond sRGB", displayP3, opaque(255, 0, 0), opaque(255, 0, 0)},
		{"Adobe RGB", adobeRGB, opaque(144, 255, 60), opaque(0, 255, 0)},
		{"ROMM", iccProfile(rommColors, curvePoints(gamma...)), opaque(125, 178, 100), opaque(100, 200, 100)},
		{"ROMM by exponent", iccProfile(rommColors, curveFormula(0, 1.8)), opaque(125, 178, 100), opaque(100, 200, 100)},
		{"white", displayP3, opaque(255, 255, 255), opaque(255, 255, 255)},
		{"sRGB", srgb, opaque(100, 200, 100), opaque(100, 200, 100)},
		{"gray", gray, opaque(234, 51, 35), opaque(234, 51, 35)},
		{"of tables", tables, opaque(234, 51, 35), opaque(234, 51, 35)},
		{"cut", displayP3[:len(displayP3)/2], opaque(234, 51, 35), opaque(234, 51, 35)},
		{"too long", append(bytes.Clone(displayP3), make([]byte, 1<<16)...), opaque(234, 51, 35), opaque(234, 51, 35)},
	} {
		img := image.NewRGBA(image.Rect(0, 0, 32, 24))
		draw.Draw(img, img.Bounds(), image.NewUniform(test.in), image.Point{}, draw.Src)
		files := map[string][]byte{
			"png":  pngWith(t, pngFile(t, img), nil, test.profile),
			"webp": webpWith(webpFile(t, img), img.Bounds().Size(), nil, test.profile),
		}
		if len(test.profile) < 1<<16 { // a segment is not longer
			files["jpeg"] = jpegWith(jpegFile(t, img), nil, test.profile)
		}
		for format, file := range files {
			t.Run(test.name+" "+format, func(t *testing.T) {
				t.Parallel()
				_, _, pixels := f.load(t, f.save(t, dataURL("image/png", file)), 0)
				requireNear(t, test.want, pixels.At(16, 12))
			})
		}
	}
}

func TestRead_profile_with_transparency(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	img := image.NewNRGBA(image.Rect(0, 0, 32, 24))
	half := image.NewUniform(color.NRGBA{R: 234, G: 51, B: 35, A: 128})
	draw.Draw(img, image.Rect(0, 0, 16, 24), half, image.Point{}, draw.Src)
	_, _, pixels := f.load(t, f.save(t, dataURL("image/png", pngWith(t, pngFile(t, img), nil, displayP3))), 0)
	requireNear(t, color.NRGBA{R: 255, A: 128}, pixels.At(8, 12))
	require.Zero(t, color.NRGBAModel.Convert(pixels.At(24, 12)))
}

func requireNear(t *testing.T, want color.NRGBA, got color.Color) {
	t.Helper()
	c, ok := color.NRGBAModel.Convert(got).(color.NRGBA)
	require.True(t, ok)
	for i, channel := range [][2]uint8{{want.R, c.R}, {want.G, c.G}, {want.B, c.B}, {want.A, c.A}} {
		require.InDelta(t, channel[0], channel[1], 4, "channel %d of %v, want %v", i, c, want)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.save(t, dataURL("image/png", pngFile(t, drawing(1000, 500))))
	for width, want := range map[int]int{0: 1000, 1: 96, 96: 96, 97: 320, 320: 320, 321: 640, 641: 1000, 5000: 1000, -1: 1000} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			_, _, pixels := f.load(t, id, width)
			require.Equal(t, want, pixels.Bounds().Dx())
			requireColor(t, pixels, 5, 5, true)
			requireColor(t, pixels, want-5, want/2-5, false)
		})
	}
	_, err := f.images.Find(t.Context(), uuid.New(), 0)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
}

// Panoramas of some phones lack the end marker of a JPEG.
func TestRead_without_end_marker(t *testing.T) {
	t.Parallel()
	service := images.New(images.Options{Clock: clock.System{}})
	photo := jpegFile(t, drawing(64, 64))
	_, err := service.Read(t.Context(), uuid.New(), dataURL("image/jpeg", photo[:len(photo)-2]))
	require.NoError(t, err)
}

func TestRead_refuses(t *testing.T) {
	t.Parallel()
	service := images.New(images.Options{Clock: clock.System{}})
	whole := pngFile(t, drawing(300, 300))
	photo := jpegFile(t, drawing(64, 64))
	scans := bytes.Repeat([]byte{0xFF, 0xDA, 0x00, 0x08, 1, 1, 0, 0, 63, 0}, 200)
	page := []byte("<html><script>alert(1)</script></html>")
	var tiffFile bytes.Buffer
	require.NoError(t, tiff.Encode(&tiffFile, drawing(16, 16), nil))
	const notAnImage = "Please select an image file!"
	const tooManyPixels = "The image is too large: the limit is 16 megapixels."
	const tooLong = "The image is too large: the limit is 16,384 pixels a side."
	const brokenJPEG = "This JPEG file is broken or of an unusual kind. Please save it again, or choose another image."
	const brokenPNG = "This PNG file is broken or of an unusual kind. Please save it again, or choose another image."
	const animated = "RIFF\x3a\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x0f\x00\x00\x0f\x00\x00ANIM\x06\x00\x00\x00" +
		"\xff\xff\xff\xff\x00\x00ANMF\x10\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x0f\x00\x00\x0f\x00\x00\x64\x00\x00\x00"
	const tooManyBytes = "The image is too large: the limit is 5 MiB."
	const hugeGIF = "GIF89a\xff\xff\xff\xff\x00\x00\x00"
	const unreadable = "This image cannot be read. Please choose a PNG, JPEG, WebP or GIF file."
	for _, test := range []struct {
		name, url string
		code      fault.Code
		message   string
	}{
		{"empty", "", fault.Invalid, notAnImage},
		{"url", "https://example.com/a.png", fault.Invalid, notAnImage},
		{"html", dataURL("text/html", page), fault.Invalid, notAnImage},
		{"not base64", "data:image/png," + string(whole), fault.Invalid, unreadable},
		{"broken base64", "data:image/png;base64,####", fault.Invalid, unreadable},
		{"empty base64", "data:image/png;base64,", fault.Invalid, unreadable},
		{"svg", dataURL("image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)), fault.Invalid, unreadable},
		{"heic", dataURL("image/heic", []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00")), fault.Invalid, unreadable},
		{"tiff, which a dependency decodes", dataURL("image/png", tiffFile.Bytes()), fault.Invalid, unreadable},
		{"html as png", dataURL("image/png", page), fault.Invalid, unreadable},
		{"truncated", dataURL("image/png", whole[:len(whole)/2]), fault.Invalid, brokenPNG},
		{"header alone", dataURL("image/png", whole[:33]), fault.Invalid, brokenPNG},
		{"47 KiB of 20,000²", dataURL("image/png", hugePNG(t, 20_000, 20_000)), fault.TooLarge, tooManyPixels},
		{"a line of 16 million", dataURL("image/png", hugePNG(t, 16_000_000, 1)), fault.TooLarge, tooLong},
		{"a line of few pixels", dataURL("image/png", hugePNG(t, 16_385, 10)), fault.TooLarge, tooLong},
		{
			"an animated WebP", dataURL("image/webp", []byte(animated)), fault.Invalid,
			"This WebP image is animated. Please choose one that does not move.",
		},
		{"half a JPEG", dataURL("image/jpeg", photo[:len(photo)/2]), fault.Invalid, brokenJPEG},
		{"overflowing", dataURL("image/png", hugePNG(t, 1<<31-1, 1<<31-1)), fault.Invalid, brokenPNG},
		{"gif bomb", dataURL("image/gif", append([]byte(hugeGIF), page...)), fault.TooLarge, tooManyPixels},
		{"a hundred scans", dataURL("image/jpeg", append(photo[:len(photo)-2:len(photo)-2], scans...)), fault.Invalid, brokenJPEG},
		{"6 MiB", dataURL("image/png", make([]byte, 6<<20)), fault.TooLarge, tooManyBytes},
		{"5 MiB and a byte", dataURL("image/png", make([]byte, 5<<20+1)), fault.TooLarge, tooManyBytes},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := service.Read(t.Context(), uuid.New(), test.url)
			failure := fault.As(err)
			require.NotNil(t, failure)
			require.Equal(t, test.code, failure.Code)
			require.Equal(t, test.message, failure.Message)
		})
	}
}

// A picture that is also an HTML page or an archive is stored as a picture only.
func TestRead_polyglot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	page := []byte("<script>alert(1)</script>PK\x03\x04")
	for name, file := range map[string][]byte{
		"png": append(pngFile(t, drawing(20, 20)), page...),
		"gif": append(gifFile(t, 20, 20, 1), page...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, data, _ := f.load(t, f.save(t, dataURL("image/png", file)), 0)
			require.NotContains(t, string(data), "script")
		})
	}
}

func TestSave_equal_pictures(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := dataURL("image/png", pngFile(t, drawing(200, 100)))
	one, two := f.save(t, url), f.save(t, url)
	require.NotEqual(t, one, two)
	require.Equal(t, 1, count(t, f.db.Owner(), "select count(*) from image_blobs"))
	require.Equal(t, 2, count(t, f.db.Owner(), "select count(*) from image_variants"))
	first, _, _ := f.load(t, one, 0)
	second, _, _ := f.load(t, two, 0)
	require.Equal(t, first.Tag(), second.Tag())
}

func TestCleanup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := dataURL("image/png", pngFile(t, drawing(200, 100)))
	released, kept := f.save(t, url), f.save(t, url)
	f.release(t, released)
	worker := &images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: nil}
	clean := func(want int64) {
		removed, err := worker.Cleanup(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, removed)
	}
	clean(0)
	f.load(t, released, 0)
	f.clock.Advance(24*time.Hour + time.Minute)
	clean(1)
	_, err := f.images.Find(t.Context(), released, 0)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	f.load(t, kept, 0)
	f.release(t, kept)
	f.clock.Advance(24*time.Hour + time.Minute)
	clean(1)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from image_variants"))
	f.load(t, f.save(t, url), 0)
}

// A reported picture is kept while a case or an appeal is open, and for a month after the decision.
func TestCleanup_reported(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.save(t, dataURL("image/png", pngFile(t, drawing(20, 10))))
	change := func(sql string, args ...any) {
		t.Helper()
		_, err := f.db.Owner().Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	change(`
		insert into moderation_cases (id, subject, subject_id, accused_id, username, title, text, category, image_id, first_reported_at)
		values (gen_random_uuid(), 'user', $1, $1, 'rahim', '', '', '', $2, now())`, f.owner, id)
	f.release(t, id)
	worker := &images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: nil}
	clean := func(days time.Duration, want int64) {
		t.Helper()
		f.clock.Advance(days * 24 * time.Hour)
		removed, err := worker.Cleanup(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, removed)
	}
	clean(31, 0)
	change(`
		update moderation_cases set action = 'warn', decided_by = $1, decided_at = $2, appeal = 'No', appealed_at = $2`, f.owner, f.clock.Now())
	clean(31, 0)
	change(`
		update moderation_cases
		   set overturned = false, answer = 'No', appeal_decided_by = $1, appeal_decided_at = $2, decided_at = $2`, f.owner, f.clock.Now())
	clean(29, 0)
	clean(2, 1)
	require.Zero(t, count(t, f.db.Owner(), "select count(*) from moderation_cases where image_id is not null"))
}

func TestID(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	found, ok := images.ID(images.URL(id))
	require.True(t, ok)
	require.Equal(t, id, found)
	for name, url := range map[string]string{
		"empty": "", "id only": id.String(), "another site": "https://example.com/api/images/" + id.String(),
		"with a query": images.URL(id) + "?w=96", "invalid id": "/api/images/x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, ok := images.ID(url)
			require.False(t, ok)
		})
	}
}

func count(t *testing.T, db *pgxpool.Pool, sql string) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), sql).Scan(&n))
	return n
}

type blobFixture struct {
	*fixture
	server *s3test.Server
	blobs  images.Blobs
	inRows *images.Service // stores new files in the database
}

// newBlobFixture stores pictures in an S3 server.
func newBlobFixture(t *testing.T) *blobFixture {
	t.Helper()
	f := &blobFixture{fixture: newFixture(t), server: s3test.Start(t)}
	var err error
	f.blobs, err = blobs.NewS3(f.server.Options, blobs.NewMetrics())
	require.NoError(t, err)
	f.inRows = images.New(images.Options{DB: f.db.API(), Clock: f.clock, Blobs: f.blobs})
	f.images = images.New(images.Options{DB: f.db.API(), Clock: f.clock, Blobs: f.blobs, InBlobs: true})
	return f
}

func (f *blobFixture) cleaner() *images.Cleaner {
	return &images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: f.blobs}
}

// upload is the first half of save: the files are in the storage, and no row says so.
func (f *blobFixture) upload(t *testing.T, url string) *images.Picture {
	t.Helper()
	picture, err := f.images.Read(t.Context(), f.owner, url)
	require.NoError(t, err)
	return picture
}

func picture(t *testing.T, c color.RGBA) string {
	t.Helper()
	img := drawing(120, 60)
	for x := range 60 {
		img.SetRGBA(x, 50, c)
	}
	return dataURL("image/png", pngFile(t, img))
}

func TestBlobs(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	url := picture(t, blue)
	id := f.save(t, url)
	require.Equal(t, 2, count(t, f.db.Owner(), "select count(*) from image_variants where data is null and object is not null"))
	require.Len(t, f.server.Files(), 2)
	again := f.save(t, url)
	require.Len(t, f.server.Files(), 2, "equal pictures are stored once")
	found, data, _ := f.load(t, again, 0)

	file, err := f.images.Open(t.Context(), found)
	require.NoError(t, err)
	streamed, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, data, streamed)
	_, err = file.Seek(-7, io.SeekEnd)
	require.NoError(t, err)
	rest, err := io.ReadAll(file)
	require.NoError(t, err)
	require.Equal(t, data[len(data)-7:], rest)
	require.NoError(t, file.Close())

	// A file that was changed in the storage is not passed on to its end.
	for _, path := range f.server.Files() {
		stored, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("x"), len(stored)), 0o600))
	}
	_, err = f.images.Data(t.Context(), found)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	_, err = f.images.Find(t.Context(), id, 0)
	require.NoError(t, err)
}

// While the storage is down, nothing is saved, and pictures in the database are shown. Afterwards
// the same upload succeeds.
func TestBlobs_down(t *testing.T) {
	t.Parallel()
	f := newBlobFixture(t)
	url := picture(t, blue)
	stored := f.save(t, url)
	service := f.images
	f.images = f.inRows
	inRow := f.save(t, picture(t, color.RGBA{G: 200, A: 255}))
	f.images = service
	f.server.Stop()
	_, err := f.images.Read(t.Context(), f.owner, picture(t, color.RGBA{G: 99, A: 255}))
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "Nothing was changed")
	found, err := f.images.Find(t.Context(), stored, 0)
	require.NoError(t, err)
	_, err = f.images.Open(t.Context(), found)
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	f.load(t, inRow, 0)
	f.server.Run()
	f.load(t, stored, 0)
	f.load(t, f.save(t, picture(t, color.RGBA{G: 99, A: 255})), 0)
}
