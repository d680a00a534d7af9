package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"amanat/internal/app/config"
	"amanat/internal/lib/webpush"
)

const pushKeysFile = "push-keys.json"

// setPushKeys gives the keys of pushes in the data folder, which it creates, to api and worker,
// unless the environment has some.
func setPushKeys(dataDir string, api *config.API, worker *config.Worker) error {
	if api.VAPIDPublicKey != "" {
		return nil
	}
	path := filepath.Join(dataDir, pushKeysFile)
	var keys webpush.Keys
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if keys, err = webpush.NewKeys(); err != nil {
			return err
		}
		if text, err = json.Marshal(keys); err != nil {
			return err
		}
		if err := replaceFile(path, text); err != nil {
			return fmt.Errorf("keys of pushes: %w", err)
		}
	case err != nil:
		return fmt.Errorf("keys of pushes: %w", err)
	default:
		if err := json.Unmarshal(text, &keys); err != nil {
			return fmt.Errorf("keys of pushes: %s: %w", path, err)
		}
	}
	if err := keys.Check(); err != nil {
		return fmt.Errorf("keys of pushes: %s: %w", path, err)
	}
	api.VAPIDPublicKey, worker.VAPIDPublicKey, worker.VAPIDPrivateKey = keys.Public, keys.Public, keys.Private
	return nil
}
