package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
)

// secretVariables may hold a password or a key. Each has a variant NAME_FILE that names a file with
// the value, as orchestrators mount secrets: the environment of a process is easier to read than
// its files.
var secretVariables = []string{
	"API_DB_PASSWORD", "BLOBS_S3_ACCESS_KEY", "BLOBS_S3_SECRET_KEY", "DATABASE_URL", "OTEL_EXPORTER_OTLP_HEADERS",
	"REDIS_URL", "RIVER_UI_TOKEN", "SMTP_URL", "VAPID_PRIVATE_KEY", "WORKER_DB_PASSWORD",
}

const (
	fileSuffix     = "_FILE"
	maxSecretBytes = 64 << 10
)

// withFiles returns the environment with the values of the files that it names, for the variables
// of a struct.
func withFiles(of reflect.Type, environment map[string]string) (map[string]string, error) {
	var p problems
	filled := maps.Clone(environment)
	for _, field := range reflect.VisibleFields(of) {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		path := environment[name+fileSuffix]
		if path == "" || !slices.Contains(secretVariables, name) {
			continue
		}
		if environment[name] != "" {
			p.check(name, fmt.Errorf("is set, and so is %s: set one of them", name+fileSuffix))
			continue
		}
		value, err := readSecret(path)
		p.check(name+fileSuffix, err)
		filled[name] = value
	}
	return filled, p.err()
}

// readSecret returns the content of a file without the line break that editors put at its end.
func readSecret(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	if err != nil {
		return "", err
	}
	if len(content) > maxSecretBytes {
		return "", fmt.Errorf("%s has more than %d bytes", path, maxSecretBytes)
	}
	value := strings.TrimRight(string(content), "\r\n")
	if value == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	if strings.ContainsAny(value, "\r\n\x00") {
		return "", errors.New(path + " has more than one line")
	}
	return value, nil
}
