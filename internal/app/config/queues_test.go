package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQueues(t *testing.T) {
	setWorker(t)
	c, err := LoadWorker()
	require.NoError(t, err)
	require.Empty(t, c.Queues, "all of them")
	t.Setenv("QUEUES", "money, mail=20")
	c, err = LoadWorker()
	require.NoError(t, err)
	require.Equal(t, Queues{"money": 0, "mail": 20}, c.Queues)
	for value, message := range map[string]string{
		"money,":       "must be names of queues",
		"money,money":  "must be names of queues",
		"money=":       "must be names of queues",
		"money=many":   "must be names of queues",
		"=3":           "must be names of queues",
		"money=0":      "must be 1 to 1000 workers; money has 0",
		"money=100000": "must be 1 to 1000 workers",
	} {
		t.Setenv("QUEUES", value)
		_, err = LoadWorker()
		require.ErrorContains(t, err, "QUEUES: "+message, value)
	}
}
