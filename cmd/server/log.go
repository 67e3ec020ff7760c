package main

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"time"
)

// newLog returns the log of a configuration, whose level and format kong has checked.
func newLog(cfg config, w io.Writer) *slog.Logger {
	var level slog.Level
	if level.UnmarshalText([]byte(cfg.LogLevel)) != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// announce logs whatever the level: who starts the program with port 0 has to learn the address.
func announce(ctx context.Context, log *slog.Logger, message string, args ...any) {
	r := slog.NewRecord(time.Now(), slog.LevelInfo, message, 0)
	r.Add(args...)
	_ = log.Handler().Handle(ctx, r) // as slog does: there is nowhere to complain
}

// version is what the build knows of itself: the module's version, else the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return "devel"
	}
	if settings["vcs.modified"] == "true" {
		return "devel-" + revision[:min(12, len(revision))] + "-dirty"
	}
	return "devel-" + revision[:min(12, len(revision))]
}
