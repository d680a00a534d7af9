package config

import (
	"errors"
	"net/url"

	"amanat/internal/lib/blobs"
)

// Values of Blobs.Store.
const (
	BlobsInPostgres = "postgres"
	BlobsInS3       = "s3"
)

// Blobs says where the files of pictures are. The api, the worker and the commands on blobs must
// have the same values.
type Blobs struct {
	// Store is where new files go: postgres or s3. Files that are elsewhere are still read.
	Store string `env:"BLOBS_STORE" envDefault:"postgres"`
	// The object storage; required with s3, and with postgres as long as it has files.
	S3Endpoint  string `env:"BLOBS_S3_ENDPOINT"` // https://host, or http:// in a private network
	S3Bucket    string `env:"BLOBS_S3_BUCKET"`
	S3Region    string `env:"BLOBS_S3_REGION"`
	S3AccessKey string `env:"BLOBS_S3_ACCESS_KEY"`
	S3SecretKey string `env:"BLOBS_S3_SECRET_KEY"`
	// S3Prefix begins every key, as in pictures/.
	S3Prefix string `env:"BLOBS_S3_PREFIX"`
	// S3PathStyle is whether the bucket is in the path instead of the host name.
	S3PathStyle bool `env:"BLOBS_S3_PATH_STYLE" envDefault:"true"`
}

// LoadBlobs reads and checks where the files of pictures are, for the operator's commands.
func LoadBlobs() (Blobs, error) { return load[Blobs]() }

// HasS3 reports whether there is an object storage.
func (c Blobs) HasS3() bool { return c.S3Endpoint != "" }

// InS3 reports whether new files go to the object storage.
func (c Blobs) InS3() bool { return c.Store == BlobsInS3 }

// S3 returns where the object storage is.
func (c Blobs) S3() blobs.Options {
	return blobs.Options{
		Endpoint: c.S3Endpoint, Bucket: c.S3Bucket, Region: c.S3Region, AccessKey: c.S3AccessKey, SecretKey: c.S3SecretKey,
		Prefix: c.S3Prefix, PathStyle: c.S3PathStyle,
	}
}

// Validate reports all invalid values. Errors contain no keys.
func (c Blobs) Validate() error {
	var p problems
	c.check(&p)
	return p.err()
}

func (c Blobs) check(p *problems) {
	p.check("BLOBS_STORE", oneOf(c.Store, BlobsInPostgres, BlobsInS3))
	given := c.S3Endpoint + c.S3Bucket + c.S3AccessKey + c.S3SecretKey
	if !c.InS3() && given == "" {
		return
	}
	p.check("BLOBS_S3_ENDPOINT", endpoint(c.S3Endpoint))
	for name, value := range map[string]string{
		"BLOBS_S3_BUCKET": c.S3Bucket, "BLOBS_S3_ACCESS_KEY": c.S3AccessKey, "BLOBS_S3_SECRET_KEY": c.S3SecretKey,
	} {
		if value == "" {
			p.check(name, errors.New("is required with an object storage"))
		}
	}
}

func endpoint(value string) error {
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || value != u.Scheme+"://"+u.Host {
		return errors.New("must be scheme and host alone, as in https://s3.example.com")
	}
	return nil
}
