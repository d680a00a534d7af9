package personal

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/clock"
	"amanat/internal/lib/postgres"
	"amanat/internal/realtime"
	"amanat/queue/jobs"
)

// Bounds of an archive.
const (
	partSize = 1 << 20
	// maxPictures is the size at which no further pictures are added.
	maxPictures = 500 << 20
)

// Notifier notifies a user of a change, in the transaction that makes it.
type Notifier interface {
	Notify(ctx context.Context, tx *postgres.Tx, userID uuid.UUID, kind catalog.Kind, params catalog.Params, link string) error
}

// Images reads the files of pictures. *images.Service implements it.
type Images interface {
	Original(ctx context.Context, tx *postgres.Tx, id uuid.UUID) (contentType string, data []byte, err error)
}

// Exporter makes archives and deletes expired ones. It is for workers.
type Exporter struct {
	DB      postgres.DB
	Clock   clock.Clock
	Events  *realtime.Log
	Notices Notifier
	Jobs    jobs.Enqueuer
	Images  Images

	pictures int64 // instead of maxPictures, for tests; 0: maxPictures
}

// page is the page of the UI where users find their exports.
const page = "/security"

// Make makes the archive of a pending export, in place of what an earlier attempt left, and tells
// its user. It does nothing if the export is not pending or the account is closed.
func (e *Exporter) Make(ctx context.Context, id uuid.UUID) error {
	of, found, err := exportOwner.Find(ctx, e.DB, postgres.Args{"id": id})
	if err != nil || !found {
		return err
	}
	if err := deleteParts(ctx, e.DB, id); err != nil {
		return err
	}
	parts := &partWriter{ctx: ctx, db: e.DB, export: id}
	size, err := e.writeSnapshot(ctx, of, parts)
	if err == nil {
		err = parts.flush()
	}
	if err != nil {
		return fmt.Errorf("export %s: %w", id, err)
	}
	now := e.Clock.Now()
	return e.finish(ctx, id, of.UserID, size, &now)
}

// Write writes the archive of a user to out, as Make stores it. The user need not have requested
// it, and is not told. It is for the operator's command line only.
func (e *Exporter) Write(ctx context.Context, userID uuid.UUID, out io.Writer) error {
	of, err := findOwner.One(ctx, e.DB, postgres.Args{"user": userID})
	if err != nil {
		return err
	}
	_, err = e.writeSnapshot(ctx, of, out)
	return err
}

// writeSnapshot writes the archive of a user, all of one moment, and returns its size.
func (e *Exporter) writeSnapshot(ctx context.Context, of owner, out io.Writer) (size int64, err error) {
	counted := &countingWriter{out: out}
	err = postgres.Snapshot(ctx, e.DB, func(tx *postgres.Tx) error {
		if err := useUTC.Run(ctx, tx, nil); err != nil {
			return err
		}
		return e.write(ctx, tx, of, counted)
	})
	return counted.size, err
}

// countingWriter counts what is written to out.
type countingWriter struct {
	out  io.Writer
	size int64
}

// Write implements io.Writer.
func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.size += int64(n)
	return n, err
}

// Fail tells the user of an export that it could not be made. It does nothing if the export is not
// pending.
func (e *Exporter) Fail(ctx context.Context, id uuid.UUID) error {
	userID, found, err := exportUser.Find(ctx, e.DB, postgres.Args{"id": id})
	if err != nil || !found {
		return err
	}
	return e.finish(ctx, id, userID, 0, nil)
}

// finish makes a pending export ready, or failed if ready is nil, and tells its user.
func (e *Exporter) finish(ctx context.Context, id, userID uuid.UUID, size int64, ready *time.Time) error {
	return postgres.WithTx(ctx, e.DB, func(tx *postgres.Tx) error {
		export, found, err := finishExport(ctx, tx, id, size, ready)
		if err != nil || !found {
			return err
		}
		e.Events.Append(tx, userID, realtime.TypeDataExportReady, ExportReady{export})
		if ready == nil {
			return e.Notices.Notify(ctx, tx, userID, catalog.DataExportFailed, nil, page)
		}
		if _, err := e.Jobs.InsertTx(ctx, tx, jobs.Mail{MailKind: string(catalog.DataExportReady), SubjectID: userID}, nil); err != nil {
			return fmt.Errorf("enqueue the email: %w", err)
		}
		return e.Notices.Notify(ctx, tx, userID, catalog.DataExportReady, nil, page)
	})
}

// write writes the archive of a user, as the transaction sees it.
func (e *Exporter) write(ctx context.Context, tx *postgres.Tx, of owner, out *countingWriter) error {
	archive := zip.NewWriter(out)
	now := e.Clock.Now().UTC()
	for _, s := range sources {
		file, err := archive.CreateHeader(&zip.FileHeader{Name: s.file, Method: zip.Deflate, Modified: now})
		if err != nil {
			return err
		}
		if err := writeRows(ctx, tx, file, s, of.UserID); err != nil {
			return err
		}
	}
	omitted, err := e.writePictures(ctx, tx, archive, of.UserID, out)
	if err != nil {
		return err
	}
	readme, err := archive.CreateHeader(&zip.FileHeader{Name: "README.txt", Method: zip.Deflate, Modified: now})
	if err != nil {
		return err
	}
	if _, err := io.WriteString(readme, readmeOf(of, now, omitted)); err != nil {
		return err
	}
	return archive.Close()
}

// writeRows writes the rows of a source as a JSON array, one a line.
func writeRows(ctx context.Context, tx *postgres.Tx, file io.Writer, s source, userID uuid.UUID) error {
	before := "[\n"
	err := eachRow(ctx, tx, s, userID, func(row string) error {
		_, err := io.WriteString(file, before+row)
		before = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	after := "\n]\n"
	if before == "[\n" { // no rows
		after = "[]\n"
	}
	_, err = io.WriteString(file, after)
	return err
}

// writePictures adds the user's pictures until the archive is too large, and returns how many it
// has left out.
func (e *Exporter) writePictures(
	ctx context.Context, tx *postgres.Tx, archive *zip.Writer, userID uuid.UUID, out *countingWriter,
) (omitted int, err error) {
	ids, err := listPictures.Many(ctx, tx, postgres.Args{"user": userID})
	if err != nil {
		return 0, err
	}
	limit := int64(maxPictures)
	if e.pictures > 0 {
		limit = e.pictures
	}
	for i, id := range ids {
		if out.size >= limit {
			return len(ids) - i, nil
		}
		contentType, data, err := e.Images.Original(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		name := "pictures/" + id.String() + map[string]string{"image/png": ".png", "image/jpeg": ".jpg"}[contentType]
		file, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: e.Clock.Now().UTC()})
		if err != nil {
			return 0, err
		}
		if _, err := file.Write(data); err != nil {
			return 0, err
		}
		if err := archive.Flush(); err != nil { // so that size counts it
			return 0, err
		}
	}
	return 0, nil
}

// readmeOf returns the text that explains the archive, in the language of its user.
func readmeOf(of owner, at time.Time, omitted int) string {
	text := catalog.Render(of.Language, catalog.DataExportReadme, catalog.Params{
		"username": of.Username, "at": at.Format(time.RFC3339),
	})
	if omitted > 0 {
		text += "\n" + catalog.Render(of.Language, catalog.DataExportOmitted, catalog.Params{"count": fmt.Sprint(omitted)})
	}
	return text + "\n"
}

// partWriter stores what is written to it in parts.
type partWriter struct {
	ctx    context.Context //nolint:containedctx // of the one call that writes
	db     postgres.DB
	export uuid.UUID
	buffer bytes.Buffer
	number int
}

// Write implements io.Writer.
func (w *partWriter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), partSize-w.buffer.Len())
		w.buffer.Write(rest[:n])
		rest = rest[n:]
		if w.buffer.Len() == partSize {
			if err := w.flush(); err != nil {
				return 0, err
			}
		}
	}
	return len(p), nil
}

// flush stores what has been written since the last part.
func (w *partWriter) flush() error {
	if w.buffer.Len() == 0 {
		return nil
	}
	err := insertPart.Run(w.ctx, w.db, postgres.Args{"id": w.export, "number": w.number, "data": w.buffer.Bytes()})
	w.buffer.Reset()
	w.number++
	return err
}

const (
	expiredBatch = 100
	// abandonedAfter is more than the attempts of a job take.
	abandonedAfter = 24 * time.Hour
)

// RemoveExpired deletes archives that can no longer be downloaded, and records of those that could
// not be made, and returns how many. Exports that no job makes any more become failed.
func (e *Exporter) RemoveExpired(ctx context.Context) (removed int64, err error) {
	now := e.Clock.Now()
	abandoned, err := listAbandoned.Many(ctx, e.DB, postgres.Args{"before": now.Add(-abandonedAfter), "limit": expiredBatch})
	for _, id := range abandoned {
		if err == nil {
			err = e.Fail(ctx, id)
		}
	}
	for err == nil {
		var expired []uuid.UUID
		expired, err = listExpired(ctx, e.DB, now, expiredBatch)
		for _, id := range expired {
			if err == nil {
				err = deleteParts(ctx, e.DB, id)
			}
			if err == nil {
				err = deleteExport.Run(ctx, e.DB, postgres.Args{"id": id})
				removed++
			}
		}
		if len(expired) < expiredBatch {
			break
		}
	}
	return removed, err
}
