package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// defaults is what --print-config says when nothing is set.
const defaults = `TENURE_ADDR=127.0.0.1:8080
TENURE_STORE=sqlite:tenure.db
TENURE_TENANT=default
TENURE_WORKERS=2
TENURE_LOG_LEVEL=info
TENURE_LOG_FORMAT=text
TENURE_API_KEY=
`

func TestConfigFlagsOverVariablesOverDefaults(t *testing.T) {
	t.Parallel()
	set := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(defaults) }
	for _, c := range []struct {
		name string
		args []string
		env  map[string]string
		want string
	}{
		{"nothing is set", nil, nil, defaults},
		{"the command is named", []string{"serve"}, nil, defaults},
		{"a flag", []string{"--addr", "127.0.0.1:0"}, nil, set("127.0.0.1:8080", "127.0.0.1:0")},
		{"a variable", nil, map[string]string{"TENURE_ADDR": "[::1]:1"}, set("127.0.0.1:8080", "[::1]:1")},
		{"an empty variable is none", nil, map[string]string{"TENURE_ADDR": "", "TENURE_WORKERS": ""}, defaults},
		{"a flag over a variable", []string{"serve", "--store=sqlite:a"}, map[string]string{"TENURE_STORE": "sqlite:b"}, set("sqlite:tenure.db", "sqlite:a")},
		{
			"all variables", nil,
			map[string]string{
				"TENURE_ADDR": "localhost:9", "TENURE_STORE": "sqlite:", "TENURE_TENANT": "acme", "TENURE_WORKERS": "7",
				"TENURE_LOG_LEVEL": "debug", "TENURE_LOG_FORMAT": "json", "TENURE_API_KEY": "hush",
			},
			"TENURE_ADDR=localhost:9\nTENURE_STORE=sqlite:\nTENURE_TENANT=acme\nTENURE_WORKERS=7\nTENURE_LOG_LEVEL=debug\nTENURE_LOG_FORMAT=json\nTENURE_API_KEY=(hidden)\n",
		},
		{"a password in the store's address", []string{"--store", "neo4j://neo4j:hush@db:7687"}, nil, set("sqlite:tenure.db", "neo4j://hidden@db:7687")},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, log bytes.Buffer
			err := run(t.Context(), append(c.args, "--print-config"), func(name string) string { return c.env[name] }, &out, &log)
			if err != nil {
				t.Fatal(err)
			}
			same(t, c.want, out.String())
			if strings.Contains(out.String()+log.String(), "hush") {
				t.Error("a secret is printed")
			}
		})
	}
}

func TestConfigIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		env  map[string]string
		want string // part of the error
	}{
		{"all addresses without a key", []string{"--addr", ":0"}, nil, "set TENURE_API_KEY"},
		{"any IPv4 address without a key", []string{"--addr", "0.0.0.0:8080"}, nil, "or listen on 127.0.0.1:8080"},
		{"any IPv6 address without a key", []string{"--addr", "[::]:0"}, nil, "set TENURE_API_KEY"},
		{"a public address without a key", nil, map[string]string{"TENURE_ADDR": "192.0.2.1:80"}, "set TENURE_API_KEY"},
		{"no port", []string{"--addr", "127.0.0.1"}, nil, "--addr: want HOST:PORT"},
		{"a port by name", []string{"--addr", "127.0.0.1:http"}, nil, "--addr: want a port"},
		{"a port too high", []string{"--addr", "127.0.0.1:65536"}, nil, "--addr: want a port"},
		{"a key with a space", nil, map[string]string{keyVariable: "hush hush"}, "TENURE_API_KEY: want"},
		{"a key as a flag", []string{"--api-key", "hush"}, nil, "unknown flag"},
		{"Neo4j", []string{"--store", "neo4j://u:hush@localhost:7687"}, nil, "not in this build yet"},
		{"Neo4j with encryption", []string{"--store", "neo4j+s://x.databases.neo4j.io"}, nil, "not in this build yet"},
		{"an unknown store", []string{"--store", "postgres://u:hush@h/d"}, nil, "--store: want sqlite:FILE"},
		{"a bare path", []string{"--store", "tenure.db"}, nil, "--store: want sqlite:FILE"},
		{"a directory that is not there", []string{"--addr", "127.0.0.1:0", "--store", "sqlite:" + filepath.Join("none", "here", "x.db")}, nil, "store sqlite:"},
		{"no workers", []string{"--workers", "0"}, nil, "--workers: want 1 to 256"},
		{"workers in words", nil, map[string]string{"TENURE_WORKERS": "two"}, "workers"},
		{"an unknown level", []string{"--log-level", "loud"}, nil, "log-level"},
		{"an unknown level in a variable", nil, map[string]string{"TENURE_LOG_LEVEL": "loud"}, "log-level"},
		{"a tenant with a slash", []string{"--tenant", "a/b"}, nil, "--tenant: want"},
		{"an unknown command", []string{"import"}, nil, "import"},
		{"an export without scope", []string{"export"}, nil, "--scope"},
		{"an export of no file", []string{"export", "--scope", "s", "--store", "sqlite:none.db"}, nil, "no such file"},
		{"an export of a throw-away store", []string{"export", "--scope", "s", "--store", "sqlite:"}, nil, "nothing to export"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var out, log bytes.Buffer
			err := run(t.Context(), c.args, func(name string) string { return c.env[name] }, &out, &log)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("want %q, got %v", c.want, err)
			}
			if strings.Contains(err.Error()+out.String()+log.String(), "hush") {
				t.Errorf("a secret is printed: %v", err)
			}
			if report(err, &log) != 1 || !strings.HasPrefix(log.String(), "tenure: ") {
				t.Errorf("want it reported, got %q", log.String())
			}
		})
	}
	if _, err := os.Stat("none.db"); !errors.Is(err, os.ErrNotExist) {
		t.Error("an export has made a store")
	}
}

func TestAddressInUseIsAnError(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var log bytes.Buffer
	err = run(t.Context(), []string{"--addr", taken.Addr().String(), "--store", "sqlite:"}, func(string) string { return "" }, &log, &log)
	if err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("got %v", err)
	}
}

func TestKeyOpensAllAddresses(t *testing.T) {
	t.Parallel()
	cfg := config{Addr: "0.0.0.0:0", Key: "hush"}
	if address, err := cfg.resolve(); err != nil || address.IP.IsLoopback() {
		t.Errorf("got %v, %v", address, err)
	}
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--help"}, []string{"serve", "demo", "export", "version", "TENURE_API_KEY"}},
		{[]string{"serve", "--help"}, []string{"--addr", "$TENURE_ADDR", "--store", "$TENURE_STORE", "$TENURE_LOG_FORMAT", "--print-config"}},
		{[]string{"export", "--help"}, []string{"--scope", "NDJSON"}},
		{[]string{"version"}, []string{"tenure "}},
	} {
		var out, log bytes.Buffer
		if err := run(context.Background(), c.args, func(string) string { return "" }, &out, &log); err != nil {
			t.Errorf("%v: %v", c.args, err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%v: want %q in %s", c.args, want, out.String())
			}
		}
	}
}
