// Command bench measures the speed and the size of the embedded store under its HTTP interface, on loopback, in one run.
// Absolute times depend on the machine: compare figures of one run with one another. See README.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"tenure/api"
	"tenure/extract/rules"
	"tenure/facts"
	"tenure/graph/sqlite"
	"tenure/ingest"
	"tenure/retrieval"
	"tenure/temporal"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	sizes := flag.String("sizes", "1000,10000,100000", "numbers of facts to measure reads at")
	lane := flag.Int("lane", 10_000, "number of claims in the long lane")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this file")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	dir, err := os.MkdirTemp("", "tenure-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Printf("%s, %d CPUs, %s\n", runtime.Version(), runtime.GOMAXPROCS(0), runtime.GOARCH)
	if err := measureWrites(ctx, filepath.Join(dir, "writes.db")); err != nil {
		return err
	}
	if err := measureLane(ctx, filepath.Join(dir, "lane.db"), *lane); err != nil {
		return err
	}
	for _, text := range strings.Split(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		if err := measureReads(ctx, filepath.Join(dir, text+".db"), n); err != nil {
			return err
		}
	}
	return nil
}

// server is a server on a loopback port of its own, without the program around it.
type server struct {
	url   string
	close func() error
	ready time.Duration // from opening the store to the first answer
}

func start(ctx context.Context, path string) (*server, error) {
	begin := time.Now()
	clock := temporal.SystemClock{}
	store, err := sqlite.Open(ctx, sqlite.Config{Path: path, Clock: clock})
	if err != nil {
		return nil, err
	}
	extractor, err := rules.New(facts.Shipped().All())
	if err != nil {
		return nil, err
	}
	write, err := ingest.New(ingest.Config{Store: store, Clock: clock, Extractor: extractor})
	if err != nil {
		return nil, err
	}
	read, err := retrieval.New(retrieval.Config{Store: store, Clock: clock})
	if err != nil {
		return nil, err
	}
	handler, err := api.New(api.Config{
		Write: write, Read: read, Tenant: "default", Clock: clock, Version: "bench",
		Log: slog.New(slog.DiscardHandler), Ready: func(context.Context) error { return nil },
	})
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	working := make(chan error, 1)
	go func() { working <- write.Run(ctx) }()
	httpServer := &http.Server{Handler: handler}
	go httpServer.Serve(listener)
	s := &server{url: "http://" + listener.Addr().String()}
	s.close = func() error {
		httpServer.Close()
		cancel()
		<-working
		return store.Close()
	}
	if err := call(s, "GET", "/readyz", nil, nil); err != nil {
		return nil, err
	}
	s.ready = time.Since(begin)
	return s, nil
}
