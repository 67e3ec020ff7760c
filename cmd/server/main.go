// Command server is Tenure as one program: it serves a store over HTTP, shows what that is good for, and exports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // scopes name their zone, and not every machine has the database

	"tenure/temporal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	os.Exit(report(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr), os.Stderr))
}

// run does what the arguments say until it is done or ctx ends. Answers go to stdout, log lines to stderr.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) error {
	command, flags, err := parse(args, getenv, stdout)
	if err != nil || command == "" {
		return err
	}
	switch command {
	case "demo":
		return runDemo(ctx, newPaper(stdout, getenv))
	case "export":
		return runExport(ctx, flags.Export, stdout)
	case "version":
		_, err := fmt.Fprintln(stdout, "tenure", version())
		return err
	}
	cfg := flags.Serve
	if cfg.PrintConfig {
		return cfg.print(stdout)
	}
	return runServe(ctx, cfg, temporal.SystemClock{}, stderr)
}

// report says what went wrong and returns the exit code.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	if !errors.Is(err, errWrongAnswer) { // the transcript has said it
		fmt.Fprintln(stderr, "tenure:", err)
	}
	return 1
}
