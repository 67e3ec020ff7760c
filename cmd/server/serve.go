package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"tenure/api"
	"tenure/extract"
	"tenure/extract/rules"
	"tenure/facts"
	"tenure/graph"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

const (
	// headerTime bounds how long a request's headers may take; the api room bounds bodies and answers.
	headerTime = 10 * time.Second
	// idleTime is how long a connection is kept without a request.
	idleTime = 2 * time.Minute
	// drainTime and cutTime bound a shutdown: what orchestrators allow is seldom less than half a minute.
	drainTime = 10 * time.Second
	cutTime   = 2 * time.Second
)

// runServe serves until ctx ends, then lets requests finish, stops the worker and closes the store, in this order.
func runServe(ctx context.Context, cfg config, clock temporal.Clock, stderr io.Writer) error {
	extractor, err := newExtractor()
	if err != nil {
		return err
	}
	return serve(ctx, cfg, clock, extractor, newLog(cfg, stderr), nil)
}

// newExtractor returns what reads episodes, and an error if the shipped predicates are wrong: better now than in an episode.
func newExtractor() (extract.Extractor, error) {
	shipped, err := facts.Load()
	if err != nil {
		return nil, err
	}
	return rules.New(shipped.All())
}

// serve is runServe with any extractor. It calls ready, if there is one, with the address once it listens there.
func serve(ctx context.Context, cfg config, clock temporal.Clock, extractor extract.Extractor, log *slog.Logger, ready func(net.Addr)) (err error) {
	if err := cfg.check(); err != nil {
		return err
	}
	address, err := cfg.resolve()
	if err != nil {
		return err
	}
	listener, err := net.ListenTCP("tcp", address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed(listener.Close())) }()
	store, err := openStore(ctx, cfg.Store, clock)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	s, err := wire(cfg, clock, extractor, store, log)
	if err != nil {
		return err
	}
	announce(ctx, log, "serving", "addr", listener.Addr().String(), "store", withoutPassword(cfg.Store), "version", version())
	if cfg.Key == "" {
		log.Info("no API key is set: whoever is on this machine may read and write", "variable", keyVariable)
	}
	if ready != nil {
		ready(listener.Addr())
	}
	err = s.run(ctx, listener)
	if err == nil {
		log.Info("stopped")
	}
	return err
}

// server is what runs while the program serves.
type server struct {
	work    func(context.Context) error // works off episodes until its context ends
	handler http.Handler
	log     *slog.Logger
	drain   time.Duration // how long a shutdown waits for requests to finish by themselves
	cut     time.Duration // how long it then waits for those whose context has ended
}

// wire joins the rooms.
func wire(cfg config, clock temporal.Clock, extractor extract.Extractor, store graph.Store, log *slog.Logger) (*server, error) {
	write, err := ingest.New(ingest.Config{Store: store, Clock: clock, Extractor: extractor, Log: log, Workers: cfg.Workers})
	if err != nil {
		return nil, err
	}
	read, err := retrieval.New(retrieval.Config{Store: store, Clock: clock})
	if err != nil {
		return nil, err
	}
	handler, err := api.New(api.Config{
		Write: write, Read: read, Key: string(cfg.Key), Tenant: cfg.Tenant, Log: log, Version: version(), Clock: clock,
		Ready: func(ctx context.Context) error {
			_, err := store.Backlog(ctx)
			return err
		},
	})
	return &server{work: write.Run, handler: handler, log: log, drain: drainTime, cut: cutTime}, err
}

// run serves and works off episodes until ctx ends or one of the two fails. The worker outlives the requests, some of which
// wait for it.
func (s *server) run(ctx context.Context, listener net.Listener) error {
	requests, endRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer endRequests()
	work, endWork := context.WithCancel(context.WithoutCancel(ctx))
	defer endWork()
	web := &http.Server{
		Handler: s.handler, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.work(work) })
	g.Go(func() error { return closed(web.Serve(listener)) })
	g.Go(func() error {
		<-ctx.Done()
		defer endWork()
		return s.shutdown(web, endRequests)
	})
	return g.Wait()
}

// shutdown stops accepting and lets requests finish. Those that take too long are told to end, and then cut off.
func (s *server) shutdown(web *http.Server, endRequests func()) error {
	s.log.Info("stopping: running requests may finish", "at_most", s.drain)
	err := within(s.drain, web.Shutdown)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("some requests take too long: they are told to end")
		endRequests()
		err = within(s.cut, web.Shutdown)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("some requests do not end: their connections are closed")
		err = web.Close()
	}
	return err
}

// within runs f with a context that ends after a while.
func within(d time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	return f(ctx)
}

// closed is err, unless it says no more than that something was closed as it should be.
func closed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
