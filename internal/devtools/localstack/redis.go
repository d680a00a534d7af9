package localstack

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

const redisTick = 100 * time.Millisecond

// Redis is an in-process server. It persists nothing: Amanat keeps only disposable data in Redis.
type Redis struct {
	server *miniredis.Miniredis
	stop   chan struct{}
	done   chan struct{}
}

// StartRedis starts a server on a free port of 127.0.0.1. The caller must stop it.
func StartRedis() (*Redis, error) {
	server, err := miniredis.Run()
	if err != nil {
		return nil, err
	}
	r := &Redis{server: server, stop: make(chan struct{}), done: make(chan struct{})}
	go r.tick()
	return r, nil
}

// tick advances the server's clock, which otherwise stands still, so that keys expire.
func (r *Redis) tick() {
	defer close(r.done)
	ticker := time.NewTicker(redisTick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-r.stop:
			return
		case now := <-ticker.C:
			r.server.FastForward(now.Sub(last))
			last = now
		}
	}
}

// URL returns the server's address.
func (r *Redis) URL() string { return "redis://" + r.server.Addr() }

// Interrupt closes all connections and refuses new ones until Resume, like a crashed server.
func (r *Redis) Interrupt() { r.server.Close() }

// Resume serves again at the same address, without the data.
func (r *Redis) Resume(context.Context) error {
	r.server.FlushAll()
	return r.server.Restart()
}

// Stop ends the server.
func (r *Redis) Stop() {
	close(r.stop)
	<-r.done
	r.server.Close()
}

const (
	redisWait     = 10 * time.Second
	redisPause    = 10 * time.Millisecond
	redisAttempts = 5
)

// RedisServer is a real Redis in its own process.
type RedisServer struct {
	program string
	dir     string
	port    int
	server  *Program
}

// StartRedisServer starts program, a redis-server, in dir on a free port of 127.0.0.1 and waits
// until it accepts connections. The caller must stop it.
func StartRedisServer(ctx context.Context, program, dir string) (*RedisServer, error) {
	var err error
	// Another process may take the port before the server does.
	for range redisAttempts {
		r := &RedisServer{program: program, dir: dir}
		if r.port, err = freePort(ctx); err != nil {
			return nil, err
		}
		if err = r.Resume(ctx); err == nil {
			return r, nil
		}
	}
	return nil, fmt.Errorf("start Redis: %w", err)
}

// URL returns the server's address.
func (r *RedisServer) URL() string { return "redis://127.0.0.1:" + strconv.Itoa(r.port) }

// Interrupt kills the server; Resume starts it again.
func (r *RedisServer) Interrupt() { _ = r.server.Stop(redisWait, syscall.SIGKILL) }

// Resume serves again at the same address, without the data.
func (r *RedisServer) Resume(ctx context.Context) error {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), r.program,
		"--port", strconv.Itoa(r.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
	cmd.Dir = r.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var err error
	if r.server, err = StartProgram(cmd); err != nil {
		return err
	}
	if err := r.awaitReady(ctx); err != nil {
		r.Interrupt()
		return err
	}
	return nil
}

// Stop ends the server.
func (r *RedisServer) Stop() { r.Interrupt() }

func (r *RedisServer) awaitReady(ctx context.Context) error {
	opts, err := redis.ParseURL(r.URL())
	if err != nil {
		return err
	}
	client := redis.NewClient(opts)
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(ctx, redisWait)
	defer cancel()
	for {
		err := client.Ping(ctx).Err()
		if err == nil {
			return nil
		}
		select {
		case <-r.server.done:
			return fmt.Errorf("redis-server ended: %w", err)
		case <-ctx.Done():
			return err
		case <-time.After(redisPause):
		}
	}
}
