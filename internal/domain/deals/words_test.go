package deals_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/app/images"
	"amanat/internal/domain/chat"
	"amanat/internal/domain/deals"
	"amanat/internal/lib/fault"
	"amanat/internal/lib/postgres"
	"amanat/internal/testing/soak"
)

func pictureURL(t *testing.T, width, height int) string {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, image.NewGray(image.Rect(0, 0, width, height))))
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(file.Bytes())
}

// shows adds a picture of the seller to a deal.
func (f fixture) shows(t *testing.T, id uuid.UUID) images.Attachment {
	t.Helper()
	added, err := f.AddPicture(t.Context(), f.seller, id, pictureURL(t, 30, 20), nil)
	require.NoError(t, err)
	return added
}

// messages returns what the buyer and the seller have written to each other, oldest first.
func (f fixture) messages(t *testing.T) []chat.DirectMessage {
	t.Helper()
	list, _, err := f.chat.List(t.Context(), f.buyer, postgres.Page{Limit: 10})
	require.NoError(t, err)
	if len(list) == 0 {
		return nil
	}
	history, err := f.chat.Messages(t.Context(), f.buyer, list[0].ID, chat.Before{Limit: 100})
	require.NoError(t, err)
	return history.Messages
}

// count counts rows of a table, under a condition.
func (f fixture) count(t *testing.T, sql string, args postgres.Args) (n int) {
	t.Helper()
	n, err := postgres.Query[int]("test.count", `select count(*) from `+sql).One(t.Context(), f.db.Owner(), args)
	require.NoError(t, err)
	return n
}

func TestDeliver_words(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	one, two := f.shows(t, d.ID), f.shows(t, d.ID)
	unused := f.shows(t, d.ID)
	with := deals.Words{Text: "  Here \u202eit is.\n", Pictures: []uuid.UUID{two.ID, one.ID}}
	for range 2 { // delivering again changes nothing
		delivered, err := f.Deliver(t.Context(), f.seller, d.ID, with)
		require.NoError(t, err)
		require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineDelivered}, lines(delivered))
		line := delivered.Timeline[1]
		require.Equal(t, "Here it is.", line.Note)
		require.Equal(t, []images.Attachment{two, one}, line.Pictures)
		require.Empty(t, delivered.Timeline[0].Pictures)
	}
	messages := f.messages(t)
	require.Len(t, messages, 1)
	require.Equal(t, "Here it is.", messages[0].Text)
	require.Equal(t, f.seller, messages[0].SenderID)
	require.Equal(t, &chat.ActOnDeal{
		ID: d.ID, Title: "A channel", Act: chat.ActDelivered, Pictures: []images.Attachment{two, one},
	}, messages[0].Deal)

	changed, err := f.ResetDelivery(t.Context(), f.buyer, d.ID, " Blue, please. ")
	require.NoError(t, err)
	require.Equal(t, "Blue, please.", changed.Timeline[2].Note)
	again, err := f.ResetDelivery(t.Context(), f.buyer, d.ID, "And round.")
	require.NoError(t, err)
	require.Equal(t, changed.Timeline, again.Timeline)
	messages = f.messages(t)
	require.Len(t, messages, 2)
	require.Equal(t, "Blue, please.", messages[1].Text)
	require.Equal(t, &chat.ActOnDeal{ID: d.ID, Title: "A channel", Act: chat.ActChanges, Pictures: []images.Attachment{}}, messages[1].Deal)

	// What was not delivered with still waits.
	again, err = f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Pictures: []uuid.UUID{unused.ID}})
	require.NoError(t, err)
	require.Equal(t, []images.Attachment{unused}, again.Timeline[3].Pictures)
	list, _, err := f.chat.List(t.Context(), f.buyer, postgres.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "Delivered the deal", list[0].LastMessage)
	require.True(t, list[0].LastMessageIsDelivery)
}

func TestDeliver_without_words(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.delivered(t, f.seller)
	require.Empty(t, d.Timeline[1].Note)
	require.Empty(t, f.messages(t), "nothing is written into the conversation")
	require.Zero(t, f.count(t, "conversations", nil))
}

func TestWords_refused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d, another := f.paid(t, f.seller), f.paid(t, f.seller)
	good, elsewhere, removed := f.shows(t, d.ID), f.shows(t, another.ID), f.shows(t, d.ID)
	require.NoError(t, f.RemovePicture(t.Context(), f.seller, d.ID, removed.ID))
	many := make([]uuid.UUID, 9)
	for i := range many {
		many[i] = uuid.Must(uuid.NewV7())
	}
	const unknown = "pictures_unknown"
	for name, words := range map[string]struct {
		with          deals.Words
		field, reason string
	}{
		"too long":          {deals.Words{Text: strings.Repeat("ক", 2001)}, "text", "words_too_long"},
		"too many pictures": {deals.Words{Pictures: many}, "pictures", "delivery_pictures_over_limit"},
		"twice the same":    {deals.Words{Pictures: []uuid.UUID{good.ID, good.ID}}, "pictures", unknown},
		"unknown":           {deals.Words{Pictures: []uuid.UUID{good.ID, uuid.New()}}, "pictures", unknown},
		"of another deal":   {deals.Words{Pictures: []uuid.UUID{elsewhere.ID}}, "pictures", unknown},
		"removed":           {deals.Words{Pictures: []uuid.UUID{removed.ID}}, "pictures", unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := f.Deliver(t.Context(), f.seller, d.ID, words.with)
			requireReason(t, words.reason, err)
			require.Contains(t, fault.As(err).Fields, words.field)
			seen, err := f.Get(t.Context(), f.seller, d.ID)
			require.NoError(t, err)
			require.Equal(t, deals.Active, seen.Status)
		})
	}
	t.Run("changes too long", func(t *testing.T) {
		t.Parallel()
		_, err := f.ResetDelivery(t.Context(), f.buyer, d.ID, strings.Repeat("a", 2001))
		requireCode(t, fault.Invalid, err)
		require.Contains(t, fault.As(err).Fields, "text")
	})
}

// The longest text is accepted, and the email has its beginning.
func TestDeliver_longest_text(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	long := strings.Repeat("ক", 2000)
	d, err := f.Deliver(t.Context(), f.seller, f.paid(t, f.seller).ID, deals.Words{Text: long})
	require.NoError(t, err)
	require.Equal(t, long, d.Timeline[1].Note)
	require.Equal(t, long, f.messages(t)[0].Text)
	note, err := postgres.Query[string]("test.note",
		`select params ->> 'note' from notifications where user_id = @user and kind = 'deal_delivered'`).One(t.Context(), f.db.Owner(),
		postgres.Args{"user": f.buyer})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("ক", 299)+"…", note)
}

// While the two cannot write to each other, the words are in the timeline only.
func TestDeliver_words_blocked(t *testing.T) {
	t.Parallel()
	for name, blocker := range map[string]func(f fixture) (by, of uuid.UUID){
		"by the buyer":  func(f fixture) (by, of uuid.UUID) { return f.buyer, f.seller },
		"by the seller": func(f fixture) (by, of uuid.UUID) { return f.seller, f.buyer },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			by, of := blocker(f)
			d := f.paid(t, f.seller)
			require.NoError(t, f.chat.Block(t.Context(), by, of))
			delivered, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Text: "Here", Pictures: []uuid.UUID{f.shows(t, d.ID).ID}})
			require.NoError(t, err)
			require.Equal(t, "Here", delivered.Timeline[1].Note)
			require.Len(t, delivered.Timeline[1].Pictures, 1)
			require.Zero(t, f.count(t, "conversations", nil))

			require.NoError(t, f.chat.Unblock(t.Context(), by, of))
			_, err = f.chat.Start(t.Context(), f.buyer, chat.Opening{ReceiverID: &f.seller, Draft: chat.Draft{Text: "Hello"}}, nil)
			require.NoError(t, err)
			require.NoError(t, f.chat.Block(t.Context(), by, of))
			changed, err := f.ResetDelivery(t.Context(), f.buyer, d.ID, "Blue")
			require.NoError(t, err)
			require.Equal(t, "Blue", changed.Timeline[2].Note)
			require.Len(t, f.messages(t), 1, "the message before the block")
		})
	}
}

func TestDeliver_words_to_disabled_user(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	_, err := f.db.Owner().Exec(t.Context(), `update users set disabled_at = now() where id = $1`, f.buyer)
	require.NoError(t, err)
	delivered, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Text: "Here"})
	require.NoError(t, err)
	require.Equal(t, "Here", delivered.Timeline[1].Note)
	require.Zero(t, f.count(t, "conversations", nil))
}

func TestAddPicture(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	add := func(actor, id uuid.UUID) error {
		_, err := f.AddPicture(t.Context(), actor, id, pictureURL(t, 4, 4), nil)
		return err
	}
	requireCode(t, fault.Forbidden, add(f.buyer, d.ID))
	requireCode(t, fault.NotFound, add(f.user(t, "stranger"), d.ID))
	requireCode(t, fault.NotFound, add(f.seller, uuid.New()))
	requireCode(t, fault.Conflict, add(f.seller, f.offer(t, f.seller).ID))
	requireCode(t, fault.Conflict, add(f.seller, f.requested(t, f.seller).ID))
	_, err := f.AddPicture(t.Context(), f.seller, d.ID, "data:image/png;base64,AAAA", nil)
	requireCode(t, fault.Invalid, err)
	require.Contains(t, fault.As(err).Fields, "image")

	var added []uuid.UUID
	for range 8 {
		added = append(added, f.shows(t, d.ID).ID)
	}
	requireCode(t, fault.Conflict, add(f.seller, d.ID))
	_, err = f.AddDisputePicture(t.Context(), f.seller, d.ID, false, pictureURL(t, 4, 4), nil)
	require.NoError(t, err, "pictures for a dispute are counted separately")
	require.NoError(t, f.RemovePicture(t.Context(), f.seller, d.ID, added[0]))
	require.NoError(t, add(f.seller, d.ID), "there is room again")
	requireCode(t, fault.NotFound, f.RemovePicture(t.Context(), f.seller, d.ID, added[0]))
	requireCode(t, fault.NotFound, f.RemovePicture(t.Context(), f.buyer, d.ID, added[1]))

	_, err = f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Pictures: added[1:3]})
	require.NoError(t, err)
	requireCode(t, fault.Conflict, add(f.seller, d.ID))
	requireCode(t, fault.NotFound, f.RemovePicture(t.Context(), f.seller, d.ID, added[1]))
	require.NoError(t, f.RemovePicture(t.Context(), f.seller, d.ID, added[3]), "what was left over")
}

// A picture waits a day; those of a delivery stay.
func TestAddPicture_cleanup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	used, unused := f.shows(t, d.ID), f.shows(t, d.ID)
	_, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Pictures: []uuid.UUID{used.ID}})
	require.NoError(t, err)
	cleaner := images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: nil}
	f.clock.Advance(23 * time.Hour)
	removed, err := cleaner.Cleanup(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)
	f.clock.Advance(2 * time.Hour)
	removed, err = cleaner.Cleanup(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, removed)
	require.Zero(t, f.count(t, "images where id = @id", postgres.Args{"id": unused.ID}))
	seen, err := f.Get(t.Context(), f.buyer, d.ID)
	require.NoError(t, err)
	require.Equal(t, []images.Attachment{used}, seen.Timeline[1].Pictures)
}

// written counts the messages about a deal.
func (f fixture) written(t *testing.T, id uuid.UUID) int {
	t.Helper()
	return f.count(t, "messages m join deal_events e on e.id = m.deal_event_id where e.deal_id = @id", postgres.Args{"id": id})
}

// rounds is how often a race is run.
var rounds = soak.Rounds(4, 200)

// race runs calls at the same time and returns their errors.
func race(calls ...func() error) []error {
	errs := make([]error, len(calls))
	start := make(chan struct{})
	var running sync.WaitGroup
	for i, call := range calls {
		running.Go(func() {
			<-start
			errs[i] = call()
		})
	}
	close(start)
	running.Wait()
	return errs
}

// Of two deliveries at once with the same pictures, one is made.
func TestDeliver_races_with_itself(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range rounds {
		d := f.paid(t, f.seller)
		f.free(t, d.ID)
		picture := f.waits(t, d.ID)
		deliver := func() error {
			_, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Text: "Here", Pictures: []uuid.UUID{picture}})
			return err
		}
		for _, err := range race(deliver, deliver, deliver) {
			require.NoError(t, err)
		}
		seen, err := f.Get(t.Context(), f.seller, d.ID)
		require.NoError(t, err)
		require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineDelivered}, lines(seen))
		require.Len(t, seen.Timeline[1].Pictures, 1)
		require.Equal(t, 1, f.written(t, d.ID))
	}
}

// A delivery and a cancellation request at once: whichever comes first, what was said stays with
// the delivery, and a refused delivery says nothing and keeps its picture.
func TestDeliver_races_with_cancellation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	told := 0
	for range rounds {
		d := f.paid(t, f.seller)
		f.free(t, d.ID)
		picture := f.waits(t, d.ID)
		errs := race(func() error {
			_, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Text: "Here", Pictures: []uuid.UUID{picture}})
			return err
		}, func() error {
			_, err := f.Cancel(t.Context(), f.buyer, d.ID, nil)
			return err
		})
		require.NoError(t, errs[1])
		seen, err := f.Get(t.Context(), f.seller, d.ID)
		require.NoError(t, err)
		require.Equal(t, deals.Active, seen.Status)
		require.True(t, seen.CancellationRequested)
		written := f.written(t, d.ID)
		waits := f.count(t, "deal_pictures where deal_id = @id and event_id is null", postgres.Args{"id": d.ID})
		if errs[0] == nil {
			told++
			require.Equal(t, []catalog.Kind{catalog.LineCreated, catalog.LineDelivered, catalog.LineCancelAsked}, lines(seen))
			require.Equal(t, []int{1, 0}, []int{written, waits})
			continue
		}
		requireCode(t, fault.Conflict, errs[0])
		require.False(t, slices.Contains(lines(seen), catalog.LineDelivered))
		require.Equal(t, []int{0, 1}, []int{written, waits})
	}
	t.Logf("delivered in %d of %d rounds", told, rounds)
}

// A delivery, a message and a block at once do not wait for each other in a circle, and no message
// comes after the block.
func TestDeliver_races_with_block(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range rounds {
		f.buyer, f.seller = f.user(t, "b"+uuid.NewString()[:8]), f.user(t, "s"+uuid.NewString()[:8])
		d := f.paid(t, f.seller)
		errs := race(func() error {
			_, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Text: "Here"})
			return err
		}, func() error {
			return f.chat.Block(t.Context(), f.buyer, f.seller)
		}, func() error {
			_, err := f.chat.Start(t.Context(), f.buyer, chat.Opening{ReceiverID: &f.seller, Draft: chat.Draft{Text: "Hello"}}, nil)
			if fault.CodeOf(err) == fault.Forbidden {
				err = nil
			}
			return err
		})
		require.Equal(t, []error{nil, nil, nil}, errs)
		late := f.count(t, `user_events m join user_events b on b.user_id = m.user_id and b.type = 'blockChanged' and b.seq < m.seq
			where m.type = 'newMessage' and m.user_id = @user`, postgres.Args{"user": f.buyer})
		require.Zero(t, late)
	}
}

// A picture that has waited a day is delivered with, or cleaned up and missed: no delivery loses
// one.
func TestDeliver_races_with_cleanup(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	cleaner := images.Cleaner{DB: f.db.Worker(), Clock: f.clock, Blobs: nil}
	delivered := 0
	for range rounds {
		d := f.paid(t, f.seller)
		f.free(t, d.ID)
		picture := f.waits(t, d.ID)
		_, err := f.db.Owner().Exec(t.Context(),
			`update deal_pictures set created_at = created_at - interval '25 hours' where image_id = $1`, picture)
		require.NoError(t, err)
		errs := race(func() error {
			_, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Pictures: []uuid.UUID{picture}})
			return err
		}, func() error {
			_, err := cleaner.Cleanup(t.Context())
			return err
		})
		require.NoError(t, errs[1])
		kept := f.count(t, "images where id = @id", postgres.Args{"id": picture})
		if errs[0] == nil {
			delivered++
			require.Equal(t, 1, kept)
			continue
		}
		requireCode(t, fault.Invalid, errs[0])
		require.Zero(t, kept)
	}
	t.Logf("delivered in %d of %d rounds", delivered, rounds)
}

// free keeps the deals of many rounds from being too many: it lets the deal count as accepted.
func (f fixture) free(t *testing.T, id uuid.UUID) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), `update deals set accepted_at = created_at where id = $1`, id)
	require.NoError(t, err)
}

// waits adds a picture of the seller to a deal, without decoding one.
func (f fixture) waits(t *testing.T, id uuid.UUID) (picture uuid.UUID) {
	t.Helper()
	_, err := f.db.Owner().Exec(t.Context(), `
		insert into image_blobs (hash, saved_at) values (sha256('picture'), now()) on conflict do nothing`)
	require.NoError(t, err)
	picture = uuid.Must(uuid.NewV7())
	_, err = f.db.Owner().Exec(t.Context(), `
		with i as (
		  insert into images (id, blob_hash, owner_id, width, height, created_at) values ($1, sha256('picture'), $2, 4, 4, now()) returning id)
		insert into deal_pictures (image_id, deal_id, created_at) select id, $3, now() from i`, picture, f.seller, id)
	require.NoError(t, err)
	return picture
}

// A first delivery waits for a change of the buyer's account before it locks the deal, since that
// change may lock the deal next.
func TestDeliver_locks_people_before_the_deal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.paid(t, f.seller)
	tx, err := f.db.Owner().Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), `select from users where id = $1 for no key update`, f.buyer)
	require.NoError(t, err)
	delivered := make(chan error)
	go func() {
		_, err := f.Deliver(t.Context(), f.seller, d.ID, deals.Words{Text: "Here"})
		delivered <- err
	}()
	require.Eventually(t, func() bool {
		return f.count(t, "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'", nil) == 1
	}, 10*time.Second, 5*time.Millisecond)
	_, err = tx.Exec(t.Context(), `select from deals where id = $1 for update nowait`, d.ID)
	require.NoError(t, err)
	require.NoError(t, tx.Commit(t.Context()))
	require.NoError(t, <-delivered)
	require.Len(t, f.messages(t), 1)
}
