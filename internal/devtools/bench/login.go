package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/sync/errgroup"
)

const loginPassword = "of-the-bench"

// signUp creates a user with a password for each client.
func (e *environment) signUp(ctx context.Context) error {
	for n := range e.options.Clients {
		person := credentials(n)
		person["email"] = person["username"] + "@amanat.test"
		if err := e.authenticate(ctx, "/api/auth/signup", person, http.StatusCreated); err != nil {
			return err
		}
	}
	return nil
}

// logIn measures logins with the correct password, each of which computes an argon2 hash.
func (e *environment) logIn(ctx context.Context) (Sample, error) {
	return closedLoop(ctx, e.options.Clients, e.options.Duration, e.logInOnce)
}

func (e *environment) logInOnce(ctx context.Context, client int) error {
	return e.authenticate(ctx, "/api/auth/login", credentials(client), http.StatusOK)
}

// stormRate is the number of logins per second during which payments are measured.
const stormRate = 50

// payDuringLogins measures payments at a fixed rate while users log in at stormRate, or as fast as
// the machine can if that is less.
func (e *environment) payDuringLogins(ctx context.Context, perSecond float64) (payments, logins Sample, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		payments, err = e.pay(ctx, perSecond)
		return err
	})
	group.Go(func() (err error) {
		logins, err = pacedLoop(ctx, e.options.Clients, stormRate, e.options.Duration, e.logInOnce)
		return err
	})
	err = group.Wait()
	return payments, logins, err
}

func credentials(client int) map[string]string {
	return map[string]string{"username": "login" + strconv.Itoa(client), "password": loginPassword}
}

func (e *environment) authenticate(ctx context.Context, path string, body map[string]string, expected int) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	status, answer, err := e.call(ctx, http.DefaultClient, request{method: http.MethodPost, path: path, body: encoded})
	if err == nil && status != expected {
		err = fmt.Errorf("%s: %d %s", path, status, answer)
	}
	return err
}
