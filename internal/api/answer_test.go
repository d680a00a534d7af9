package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"amanat/internal/app/catalog"
	"amanat/internal/lib/fault"
)

func TestEncodeWithin(t *testing.T) {
	t.Parallel()
	row := strings.Repeat("ক", 40) // 122 bytes with the quotes
	for _, test := range []struct {
		name      string
		rows, fit int
	}{
		{"empty", 0, 0},
		{"one row", 1, 1},
		{"all rows fit", 7, 7},
		{"first rows fit", 20, 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			list := make([]string, test.rows)
			for i := range list {
				list[i] = row
			}
			answer, err := encodeWithin(list, 1000)
			require.NoError(t, err)
			var sent []string
			require.NoError(t, json.Unmarshal(answer, &sent))
			require.Len(t, sent, test.fit)
			require.LessOrEqual(t, len(answer), 1000)
		})
	}
	_, err := encodeWithin([]string{strings.Repeat(row, 10)}, 1000)
	require.ErrorIs(t, err, errAnswerTooLarge, "an empty list would never end")
	_, err = encodeWithin(Message{catalog.Outcome{Message: strings.Repeat(row, 10), Code: "long"}}, 1000)
	require.ErrorIs(t, err, errAnswerTooLarge)
	_, err = encodeWithin(map[string]any{"x": func() {}}, 1000)
	require.Error(t, err)
}

func TestRegister_answer_too_large(t *testing.T) {
	t.Parallel()
	s, log := bare(t)
	size := maxAnswer
	register(s, endpoint{id: "test-large", method: http.MethodGet, path: "/test-large", tag: "Test", access: anyone, summary: "Large"},
		func(context.Context, *struct{}) (*output[Message], error) {
			return respond(Message{catalog.Outcome{Message: strings.Repeat("x", size), Code: ""}}), nil
		})
	get := func() *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		s.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/test-large", nil))
		return recorder
	}
	answer := get()
	require.Equal(t, http.StatusInternalServerError, answer.Code)
	var failure Error
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &failure))
	require.Equal(t, fault.Internal, failure.Code)
	require.Contains(t, log.String(), "answer too large")
	require.Contains(t, log.String(), "level=ERROR")

	size = maxAnswer - 100
	require.Equal(t, http.StatusOK, get().Code)
}

// stalling is a client that accepts a number of bytes and then fails.
type stalling struct {
	http.ResponseWriter
	left      int
	deadlines []time.Time
}

func (s *stalling) SetWriteDeadline(at time.Time) error {
	s.deadlines = append(s.deadlines, at)
	return nil
}

var errStalled = errors.New("stalled")

func (s *stalling) Write(piece []byte) (int, error) {
	if s.left -= len(piece); s.left < 0 {
		return 0, errStalled
	}
	return len(piece), nil
}

func TestWriteAnswer(t *testing.T) {
	t.Parallel()
	answer := make(encoded, 3*answerPiece+1)
	client := &stalling{left: len(answer)}
	before := time.Now()
	require.NoError(t, writeAnswer(client, answer))
	require.Len(t, client.deadlines, 4)
	for _, at := range client.deadlines {
		require.WithinDuration(t, before.Add(answerTimeout), at, 5*time.Second)
	}
	client = &stalling{left: answerPiece}
	require.ErrorIs(t, writeAnswer(client, answer), errStalled)
	require.Len(t, client.deadlines, 2, "nothing more is tried")
	require.NoError(t, writeAnswer(io.Discard, answer))
}
