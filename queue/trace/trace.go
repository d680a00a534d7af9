// Package trace carries the request id and the trace of a call to the jobs that it enqueues, and
// measures jobs.
package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"amanat/internal/lib/tracing"
)

// requestIDKey is the key of the request id in the metadata of a job, beside those of the W3C trace
// context.
const requestIDKey = "request_id"

// Insert returns the middleware of clients that insert jobs. It writes the request id and the span
// of the context into the jobs' metadata.
func Insert() rivertype.Middleware { return &insert{} }

type insert struct{ river.MiddlewareDefaults }

// InsertMany implements rivertype.JobInsertMiddleware.
func (*insert) InsertMany(
	ctx context.Context, params []*rivertype.JobInsertParams, inner func(context.Context) ([]*rivertype.JobInsertResult, error),
) ([]*rivertype.JobInsertResult, error) {
	carried := propagation.MapCarrier{}
	tracing.Inject(ctx, carried)
	if id := tracing.RequestID(ctx); id != "" {
		carried[requestIDKey] = id
	}
	if len(carried) == 0 {
		return inner(ctx)
	}
	for _, p := range params {
		merged, err := merge(p.Metadata, carried)
		if err != nil {
			return nil, fmt.Errorf("metadata of %s: %w", p.Kind, err)
		}
		p.Metadata = merged
	}
	return inner(ctx)
}

func merge(metadata []byte, carried map[string]string) ([]byte, error) {
	all := map[string]any{}
	if len(metadata) > 0 {
		if err := json.Unmarshal(metadata, &all); err != nil {
			return nil, err
		}
	}
	for key, value := range carried {
		all[key] = value
	}
	return json.Marshal(all)
}

// Context returns a context for work on the job, which continues the call that has enqueued it.
func Context(ctx context.Context, job *rivertype.JobRow) context.Context {
	var metadata struct {
		RequestID   string `json:"request_id"` //nolint:tagliatelle // as it is stored
		TraceParent string `json:"traceparent"`
		TraceState  string `json:"tracestate"`
	}
	if json.Unmarshal(job.Metadata, &metadata) != nil {
		return ctx // not written by Insert
	}
	ctx = tracing.WithRequestID(ctx, metadata.RequestID)
	return tracing.Extract(ctx, propagation.MapCarrier{"traceparent": metadata.TraceParent, "tracestate": metadata.TraceState})
}

// Results of attempts.
const (
	completed = "completed"
	failed    = "failed"
	cancelled = "cancelled"
	snoozed   = "snoozed"
)

// Work returns the middleware of clients that run jobs, which continues the trace of the call and
// measures each attempt. kinds are those that are run; metrics may be nil.
func Work(metrics prometheus.Registerer, kinds []string) (rivertype.Middleware, error) {
	w := &work{seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "amanat_job_seconds",
		Help:    "Time of an attempt of a job.",
		Buckets: []float64{.005, .025, .1, .5, 1, 5, 20, 120, 900},
	}, []string{"kind", "result"})}
	for _, kind := range kinds {
		w.seconds.WithLabelValues(kind, completed)
		w.seconds.WithLabelValues(kind, failed)
	}
	if metrics != nil {
		if err := metrics.Register(w.seconds); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	return w, nil
}

type work struct {
	river.MiddlewareDefaults
	seconds *prometheus.HistogramVec
}

// Work implements rivertype.WorkerMiddleware.
func (w *work) Work(ctx context.Context, job *rivertype.JobRow, inner func(context.Context) error) (err error) {
	ctx, span := tracing.Start(Context(ctx, job), "job "+job.Kind, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		attribute.Int64("amanat.job.id", job.ID), attribute.Int("amanat.job.attempt", job.Attempt), attribute.String("amanat.queue", job.Queue)))
	started := time.Now() //nolint:forbidigo // duration of a job
	result := failed      // of a panic
	defer func() {
		tracing.End(span, err)
		w.seconds.WithLabelValues(job.Kind, result).Observe(time.Since(started).Seconds()) //nolint:forbidigo // duration of a job
	}()
	err = inner(ctx)
	result = resultOf(err)
	return err
}

func resultOf(err error) string {
	var cancel *river.JobCancelError
	var snooze *river.JobSnoozeError
	switch {
	case err == nil:
		return completed
	case errors.As(err, &cancel):
		return cancelled
	case errors.As(err, &snooze):
		return snoozed
	}
	return failed
}
