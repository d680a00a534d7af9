package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"amanat/internal/lib/clock"
)

const clockFile = "clock.json"

// businessClock is a clock that can be moved forward. It keeps its offset over restarts, because
// business time must never run backwards.
type businessClock struct {
	*clock.Offset
	mu   sync.Mutex
	path string
}

// clockState is the content of the clock's file.
type clockState struct {
	Offset string `json:"offset"` // ahead of the machine's clock, such as "72h0m0s"
}

// openClock returns a clock with the offset stored in the data folder, less behind, which the
// caller makes up for with Advance.
func openClock(dataDir string, behind time.Duration) (*businessClock, error) {
	c := &businessClock{path: filepath.Join(dataDir, clockFile)}
	var state clockState
	text, err := os.ReadFile(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		state.Offset = "0s"
	case err != nil:
		return nil, fmt.Errorf("business clock: %w", err)
	default:
		if err := json.Unmarshal(text, &state); err != nil {
			return nil, fmt.Errorf("business clock: %s: %w", c.path, err)
		}
	}
	offset, err := time.ParseDuration(state.Offset)
	if err != nil {
		return nil, fmt.Errorf("business clock: %s: %w", c.path, err)
	}
	c.Offset = clock.NewOffset(offset - behind)
	return c, nil
}

// advance moves the clock and stores the new offset. It writes to disk first: after a crash in
// between, business time is ahead, not behind.
func (c *businessClock) advance(step time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	text, err := json.Marshal(clockState{Offset: (c.Advance(0) + step).String()})
	if err != nil {
		return err
	}
	if err := replaceFile(c.path, text); err != nil {
		return fmt.Errorf("business clock: %w", err)
	}
	c.Advance(step)
	return nil
}

// replaceFile replaces a file atomically.
func replaceFile(path string, text []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
