package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

const loginPassword = "of-the-bench"

// signUp makes a person for each client, who has a password.
func (m *market) signUp(ctx context.Context) error {
	for n := range m.options.Clients {
		person := credentials(n)
		person["email"] = person["username"] + "@amanat.test"
		if err := m.authenticate(ctx, "/api/auth/signup", person, http.StatusCreated); err != nil {
			return err
		}
	}
	return nil
}

// logIn measures logins with the right password, which cost an argon2 each.
func (m *market) logIn(ctx context.Context) (Sample, error) {
	return closedLoop(ctx, m.options.Clients, m.options.Duration, func(ctx context.Context, client int) error {
		return m.authenticate(ctx, "/api/auth/login", credentials(client), http.StatusOK)
	})
}

func credentials(client int) map[string]string {
	return map[string]string{"username": "login" + strconv.Itoa(client), "password": loginPassword}
}

func (m *market) authenticate(ctx context.Context, path string, body map[string]string, expected int) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, answer, err := m.call(ctx, http.DefaultClient, request{method: http.MethodPost, path: path, body: encoded})
	if err == nil && status != expected {
		err = fmt.Errorf("%s: %d %s", path, status, answer)
	}
	return err
}
