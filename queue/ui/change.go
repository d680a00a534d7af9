package ui

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"amanat/queue/repair"
)

// changeReason is the reason in the audit log: the page does not ask for one.
const changeReason = "in River UI"

const (
	maxBody = 64 << 10
	maxJobs = 1_000
)

var errNotOffered = errors.New("this is not offered here")

// change carries out what the page asks for as the commands of amanat do, never as River UI would.
func (h *Handler) change(w http.ResponseWriter, r *http.Request) {
	if !h.changes {
		refuse(w, http.StatusForbidden, "River UI only shows jobs here. Use amanat jobs, or set RIVER_UI_CHANGES.")
		return
	}
	err := h.apply(r)
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	case errors.Is(err, errNotOffered):
		refuse(w, http.StatusForbidden, "River UI does not offer this here.")
	case errors.Is(err, errBadRequest):
		refuse(w, http.StatusBadRequest, "The request names no jobs.")
	case errors.Is(err, repair.ErrNoJob), errors.Is(err, repair.ErrNoQueue):
		refuse(w, http.StatusNotFound, err.Error())
	case errors.Is(err, repair.ErrMoney), errors.Is(err, repair.ErrState):
		refuse(w, http.StatusConflict, err.Error())
	default:
		h.log.ErrorContext(r.Context(), "River UI: change failed", "error", err)
		refuse(w, http.StatusInternalServerError, "The change failed; the log of the worker says why.")
	}
}

func (h *Handler) apply(r *http.Request) error {
	path := strings.TrimPrefix(r.URL.Path, Prefix+"api/")
	switch r.Method + " " + path {
	case "POST jobs/retry":
		return eachJob(r, func(ctx context.Context, id int64) error {
			_, err := h.repair.Retry(ctx, id)
			return err
		})
	case "POST jobs/cancel":
		return eachJob(r, func(ctx context.Context, id int64) error {
			_, err := h.repair.Cancel(ctx, id, changeReason)
			return err
		})
	}
	queue, action, _ := strings.Cut(strings.TrimPrefix(path, "queues/"), "/")
	switch {
	case r.Method == http.MethodPut && action == "pause":
		return h.repair.Pause(r.Context(), queue, changeReason)
	case r.Method == http.MethodPut && action == "resume":
		return h.repair.Resume(r.Context(), queue)
	}
	return errNotOffered
}

var errBadRequest = errors.New("bad request")

// eachJob calls do with the jobs that the request names, up to the first error.
func eachJob(r *http.Request, do func(ctx context.Context, id int64) error) error {
	var body struct {
		IDs []json.RawMessage `json:"ids"` // numbers, or strings of digits
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, maxBody)).Decode(&body); err != nil {
		return errBadRequest
	}
	if len(body.IDs) == 0 || len(body.IDs) > maxJobs {
		return errBadRequest
	}
	ids := make([]int64, len(body.IDs))
	for i, raw := range body.IDs {
		id, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
		if err != nil {
			return errBadRequest
		}
		ids[i] = id
	}
	for _, id := range ids {
		if err := do(r.Context(), id); err != nil {
			return err
		}
	}
	return nil
}

// refuse answers with an error in the form that the page shows.
func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]string{"message": message})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only if the client is gone
}
