// Package blobs keeps files in an object storage that speaks the protocol of Amazon S3.
package blobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Timeouts of one call. openTimeout is until the headers of the response; how long the body may
// take is up to the caller's context.
const (
	putTimeout    = 10 * time.Second
	openTimeout   = 5 * time.Second
	deleteTimeout = 5 * time.Second
	// attempts of a call, with a pause of up to a second between them.
	attempts = 2
	// idleConns are connections kept open for the next calls.
	idleConns = 64
)

// ErrMissing is returned by Get if there is no object of that key.
var ErrMissing = errors.New("blobs: no such object")

// Options say where the objects are. All but Region and Prefix are required.
type Options struct {
	Endpoint  string // http://host:port or https://host
	Bucket    string
	Region    string // "": the storage is asked for it
	AccessKey string
	SecretKey string
	Prefix    string // of all keys
	PathStyle bool   // the bucket is in the path instead of the host name
}

// S3 is a bucket, or the part of it below a prefix. It is safe for concurrent use.
type S3 struct {
	core    *minio.Core
	bucket  string
	prefix  string
	metrics *Metrics
}

// NewS3 returns a bucket. It connects with the first call.
func NewS3(o Options, metrics *Metrics) (*S3, error) {
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil {
		return nil, errors.New("blobs: the endpoint is not a URL")
	}
	transport, err := minio.DefaultTransport(endpoint.Scheme == "https")
	if err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	transport.MaxIdleConnsPerHost = idleConns
	lookup := minio.BucketLookupDNS
	if o.PathStyle {
		lookup = minio.BucketLookupPath
	}
	core, err := minio.NewCore(endpoint.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(o.AccessKey, o.SecretKey, ""),
		Secure: endpoint.Scheme == "https", Region: o.Region, BucketLookup: lookup, Transport: transport, MaxRetries: attempts,
	})
	if err != nil {
		return nil, fmt.Errorf("blobs: %w", err)
	}
	return &S3{core: core, bucket: o.Bucket, prefix: o.Prefix, metrics: metrics}, nil
}

// Put writes an object. It is complete when Put returns nil; after an error it may or may not
// exist.
func (s *S3) Put(ctx context.Context, key, contentType string, data []byte) (err error) {
	defer s.metrics.observe(ctx, callPut, &err)()
	ctx, cancel := context.WithTimeout(ctx, putTimeout)
	defer cancel()
	_, err = s.core.Client.PutObject(ctx, s.bucket, s.prefix+key, bytes.NewReader(data), int64(len(data)),
		minio.PutObjectOptions{ContentType: contentType, DisableMultipart: true})
	return wrap("put", err)
}

// Get opens an object from an offset in bytes on, which must be less than its size. The response
// must begin within seconds; its body can be read until ctx ends. ErrMissing if there is none.
func (s *S3) Get(ctx context.Context, key string, offset int64) (_ io.ReadCloser, err error) {
	defer s.metrics.observe(ctx, callGet, &err)()
	ctx, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(openTimeout, cancel)
	options := minio.GetObjectOptions{}
	if offset > 0 {
		if err := options.SetRange(offset, 0); err != nil {
			cancel()
			return nil, fmt.Errorf("blobs: get: %w", err)
		}
	}
	body, _, _, err := s.core.GetObject(ctx, s.bucket, s.prefix+key, options)
	if !late.Stop() { // ctx was cancelled by late, or is about to be
		if err == nil {
			_ = body.Close()
		}
		err = context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		if isMissing(err) {
			return nil, ErrMissing
		}
		return nil, wrap("get", err)
	}
	return &object{ReadCloser: body, cancel: cancel}, nil
}

// object releases its context when it is closed.
type object struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close ends the transfer.
func (b *object) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// Delete removes an object. That it does not exist is no error.
func (s *S3) Delete(ctx context.Context, key string) (err error) {
	defer s.metrics.observe(ctx, callDelete, &err)()
	ctx, cancel := context.WithTimeout(ctx, deleteTimeout)
	defer cancel()
	err = s.core.RemoveObject(ctx, s.bucket, s.prefix+key, minio.RemoveObjectOptions{})
	if isMissing(err) {
		err = nil
	}
	return wrap("delete", err)
}

func isMissing(err error) bool {
	response := minio.ToErrorResponse(err)
	return response.StatusCode == http.StatusNotFound && response.Code == minio.NoSuchKey
}

func wrap(call string, err error) error {
	if err != nil {
		err = fmt.Errorf("blobs: %s: %w", call, err)
	}
	return err
}
