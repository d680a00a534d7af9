package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/google/uuid"

	"amanat/internal/app/catalog"
	"amanat/internal/domain/personal"
	"amanat/internal/lib/fault"
	"amanat/internal/money"
)

// registerPersonal serves the export of a user's data and the closing of the account.
func (s *Server) registerPersonal() {
	register(s, endpoint{
		id: "export-data", method: http.MethodPost, path: "/auth/data-export", tag: accountTag, access: owner, status: http.StatusAccepted,
		summary: "Have an archive made of everything that the user has made; one that is pending is answered instead",
		codes:   []fault.Code{fault.RateLimited},
	}, s.exportData)
	register(s, endpoint{
		id: "data-export", method: http.MethodGet, path: "/auth/data-export", tag: accountTag,
		summary: "The latest archive of what the user has made",
	}, s.dataExport)
	registerAs(s, endpoint{
		id: "data-export-file", method: http.MethodGet, path: "/auth/data-export/{id}/file", tag: accountTag, access: owner,
		summary: "Download an archive",
		codes:   []fault.Code{fault.NotFound},
	}, map[string]*huma.Response{"200": {
		Description: "The archive.",
		Content: map[string]*huma.MediaType{zipType: {
			Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"},
		}},
	}}, s.dataExportFile)
	register(s, endpoint{
		id: "closing", method: http.MethodGet, path: "/auth/close", tag: accountTag,
		summary: "What keeps the user from closing the account",
	}, s.closing)
	register(s, endpoint{
		id: "close-account", method: http.MethodPost, path: "/auth/close", tag: accountTag, access: owner,
		summary: "Close the account for good: all sessions end, and what the user has made is erased",
		codes:   []fault.Code{fault.Conflict},
	}, s.closeAccount)
}

// ExportRequested is the answer to a request for an archive.
type ExportRequested struct {
	Message
	Export personal.Export `json:"export"`
}

// exportData counts a request unless an archive is pending, or the last one failed.
func (s *Server) exportData(ctx context.Context, _ *struct{}) (*output[ExportRequested], error) {
	userID := actor(ctx).ID
	last, err := s.personal.Latest(ctx, userID)
	if err != nil {
		return nil, err
	}
	if last == nil || last.Status == personal.Ready {
		if _, err := s.enforceRateLimits(ctx, perUser("data-export", s.limits.DataExportLimit)); err != nil {
			return nil, err
		}
	}
	export, err := s.personal.Request(ctx, userID)
	if err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "data export asked for", &userID)
	return respond(ExportRequested{Message{personal.OutcomeRequested}, export}), nil
}

// LatestExport is the latest archive of a user's data.
type LatestExport struct {
	Export Nullable[personal.Export] `json:"export" doc:"Null if none was asked for, or the last one has expired."`
}

func (s *Server) dataExport(ctx context.Context, _ *struct{}) (*output[LatestExport], error) {
	last, err := s.personal.Latest(ctx, actor(ctx).ID)
	return respond(LatestExport{orNull(last)}), err
}

const (
	zipType = "application/zip"
	// downloadTimeout bounds a whole download. Each piece of it has answerTimeout.
	downloadTimeout = time.Hour
	// maxDownloads bounds the memory of slow downloads: each holds one part of 1 MiB.
	maxDownloads = 16
)

// downloads are those in progress, one of a user.
type downloads struct {
	mu    sync.Mutex
	users map[uuid.UUID]bool
}

func newDownloads() *downloads { return &downloads{users: map[uuid.UUID]bool{}} }

// start reports whether the user may start a download, which the caller then ends.
func (d *downloads) start(userID uuid.UUID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.users) >= maxDownloads || d.users[userID] {
		return false
	}
	d.users[userID] = true
	return true
}

func (d *downloads) end(userID uuid.UUID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.users, userID)
}

func errDownloadsBusy() error {
	return fault.Retry(fault.Unavailable, time.Minute, "downloads_busy", "Too many downloads at once. Please try again in a minute.")
}

// download is a file that is streamed.
type download struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Length      int64  `header:"Content-Length"`
	Body        func(ctx huma.Context)
}

func (s *Server) dataExportFile(ctx context.Context, _ *IDPath) (*download, error) {
	user := actor(ctx)
	export, err := s.personal.Find(ctx, user.ID, pathID(ctx))
	if err != nil {
		return nil, err
	}
	if !s.downloads.start(user.ID) {
		return nil, errDownloadsBusy()
	}
	s.securityEvent(ctx, slog.LevelInfo, "data export downloaded", &user.ID)
	name := fmt.Sprintf("amanat-%s-%s.zip", user.Username, export.ReadyAt.UTC().Format(time.DateOnly))
	return &download{
		Type: zipType, Disposition: `attachment; filename="` + name + `"`, Length: export.Size,
		Body: func(ctx huma.Context) { //nolint:contextcheck // the context of the handler has ended by then
			defer s.downloads.end(user.ID)
			s.stream(ctx.Context(), ctx, export)
		},
	}, nil
}

// stream writes an archive part by part. The client must receive each piece in time.
func (s *Server) stream(ctx context.Context, c huma.Context, export personal.Export) {
	_, w := humachi.Unwrap(c)
	elapsed := stopwatch()
	for number, more := 0, true; more && elapsed() < downloadTimeout; number++ {
		var data []byte
		var err error
		data, more, err = s.findPart(ctx, export.ID, number)
		if err == nil {
			err = writePieces(w, data)
		}
		if err != nil {
			s.logger.InfoContext(ctx, "download ended early", "request_id", requestInfoOf(ctx).id, "error", err)
			panic(http.ErrAbortHandler) // the client must not take it for the whole file
		}
	}
}

// writePieces writes data. The client must receive each piece in time.
func writePieces(w http.ResponseWriter, data []byte) error {
	for len(data) > 0 {
		piece := data[:min(answerPiece, len(data))]
		setWriteDeadline(w, answerTimeout)
		if _, err := w.Write(piece); err != nil {
			return err
		}
		data = data[len(piece):]
	}
	return nil
}

func (s *Server) findPart(ctx context.Context, id uuid.UUID, number int) ([]byte, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, handleTimeout)
	defer cancel()
	return s.personal.Part(ctx, id, number)
}

// Closing says what keeps the user from closing the account.
type Closing struct {
	Blockers     []string    `json:"blockers" enum:"open_deals,pending_money,balance,admin" doc:"In the order in which closing is refused; empty when nothing keeps the user."`
	OpenDeals    int         `json:"openDeals" doc:"Pending ones, too." example:"0"`
	PendingMoney int         `json:"pendingMoney" doc:"Deposits and withdrawals that are pending." example:"0"`
	Balance      money.Cents `json:"balance" doc:"USD, with rewards that are not credited yet." example:"0"`
}

func (s *Server) closing(ctx context.Context, _ *struct{}) (*output[Closing], error) {
	owed, err := s.accounts.Obligations(ctx, actor(ctx).ID)
	closing := Closing{Blockers: []string{}, OpenDeals: owed.OpenDeals, PendingMoney: owed.PendingMoney, Balance: owed.Balance}
	for _, b := range owed.Blockers() {
		closing.Blockers = append(closing.Blockers, string(b))
	}
	return respond(closing), err
}

// CloseBody is the body that closes an account.
type CloseBody struct {
	Username string `json:"username" doc:"Typed by the user, to confirm it." example:"rahim"`
}

func (s *Server) closeAccount(ctx context.Context, in *struct{ Payload Payload[CloseBody] }) (*signedOut, error) {
	body, err := in.Payload.decode()
	if err != nil {
		return nil, err
	}
	user := actor(ctx)
	if err := s.accounts.Close(ctx, user, body.Username); err != nil {
		return nil, err
	}
	s.securityEvent(ctx, slog.LevelInfo, "account closed", &user.ID)
	done := catalog.Outcome{Code: "account_closed", Message: "Your account has been closed."}
	return &signedOut{SetCookie: s.sessionCookie(""), ClearSiteData: `"cache"`, Body: Message{done}}, nil
}
