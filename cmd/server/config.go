package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// commands are the commands and their flags.
type commands struct {
	Serve   config       `cmd:"" default:"withargs" help:"Serve a store over HTTP (the default command)."`
	Demo    struct{}     `cmd:"" help:"Tell a story to a throw-away server and ask it questions."`
	Export  exportConfig `cmd:"" help:"Write a scope to standard output as NDJSON, lossless on both time axes."`
	Version struct{}     `cmd:"" help:"Say what version this is."`
}

// config is all that serving can be told.
type config struct {
	place
	Addr        string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen; port 0 takes a free one. Without an API key only loopback addresses are accepted."`
	Workers     int    `default:"2" placeholder:"N" help:"How many episodes are worked off at the same time, of different scopes."`
	LogLevel    string `default:"info" enum:"debug,info,warn,error" help:"How much to log: ${enum}."`
	LogFormat   string `default:"text" enum:"text,json" help:"How to log: ${enum}."`
	PrintConfig bool   `help:"Print what would be in force, as variables and without secrets, and exit."`
	// Key is the API key. It is no flag because everybody on the machine can read command lines.
	Key secret `kong:"-"`
}

// exportConfig is all that an export can be told.
type exportConfig struct {
	place
	Scope string `required:"" placeholder:"NAME" help:"The scope to export."`
}

// place says where data is.
type place struct {
	Store  string `default:"sqlite:tenure.db" placeholder:"STORE" help:"sqlite:FILE, or sqlite: for a throw-away store in a temporary file."`
	Tenant string `default:"default" placeholder:"NAME" help:"The owner of the scopes."`
}

// secret is a text that is never printed.
type secret string

// String hides the text and says whether there is one.
func (s secret) String() string {
	if s == "" {
		return ""
	}
	return "(hidden)"
}

// GoString hides the text from %#v.
func (s secret) GoString() string { return s.String() }

const (
	// prefix is what the variable of each flag begins with.
	prefix = "TENURE_"
	// keyVariable holds the API key.
	keyVariable = prefix + "API_KEY"
)

// description is what --help begins with.
const description = `Tenure remembers for AI agents: facts with the window in which they were true, and when that was known.

A flag wins over its variable, and that over the default. ` + keyVariable + ` is the API key that requests must bear; it has no flag.`

// parse reads the command and its flags. The command is "" if there is nothing left to do, as after --help.
func parse(args []string, getenv func(string) string, stdout io.Writer) (string, *commands, error) {
	var flags commands
	done := false
	parser, err := kong.New(&flags,
		kong.Name("tenure"), kong.Description(description), kong.Writers(stdout, stdout), kong.Exit(func(int) { done = true }),
		kong.ConfigureHelp(kong.HelpOptions{WrapUpperBound: 120}), kong.ValueFormatter(helpOf),
		kong.Resolvers(kong.ResolverFunc(func(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
			if value := getenv(variable(flag.Name)); hasVariable(flag.Name) && value != "" {
				return value, nil
			}
			return nil, nil // the default
		})))
	if err != nil {
		return "", nil, err
	}
	parsed, err := parser.Parse(args)
	if done {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	flags.Serve.Key = secret(getenv(keyVariable))
	return parsed.Command(), &flags, nil
}

// variable is the variable of a flag: TENURE_LOG_LEVEL of --log-level.
func variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// hasVariable tells settings from what is said once.
func hasVariable(flag string) bool {
	return flag != "help" && flag != "print-config" && flag != "scope"
}

// helpOf is the help of a flag, with its variable.
func helpOf(value *kong.Value) string {
	if value.Flag == nil || !hasVariable(value.Name) {
		return value.Help
	}
	return value.Help + " ($" + variable(value.Name) + ")"
}

// print writes what is in force as variables, so that it can be taken over into an environment.
func (c config) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s=%s\n%s=%s\n%s=%s\n%s=%d\n%s=%s\n%s=%s\n%s=%s\n",
		variable("addr"), c.Addr, variable("store"), withoutPassword(c.Store), variable("tenant"), c.Tenant, variable("workers"), c.Workers,
		variable("log-level"), c.LogLevel, variable("log-format"), c.LogFormat, keyVariable, c.Key)
	return err
}

// withoutPassword hides what a store's address may say of credentials.
func withoutPassword(store string) string {
	if at, err := url.Parse(store); err == nil && at.User != nil {
		at.User = url.User("hidden")
		return at.String()
	}
	return store
}

var (
	tenantName = regexp.MustCompile(`^[A-Za-z0-9._:@-]{1,128}$`)
	keyText    = regexp.MustCompile(`^[!-~]{1,512}$`)
)

// check reports everything that is wrong.
func (c config) check() error {
	_, storeErr := sqliteFile(c.Store)
	return errors.Join(c.place.check(), storeErr, c.checkKey(), c.checkAddr(), c.checkWorkers())
}

func (p place) check() error {
	if !tenantName.MatchString(p.Tenant) {
		return errors.New("--tenant: want 1 to 128 of letters, digits and . _ : @ -")
	}
	return nil
}

func (c config) checkWorkers() error {
	if c.Workers < 1 || c.Workers > 256 {
		return errors.New("--workers: want 1 to 256")
	}
	return nil
}

func (c config) checkKey() error {
	if c.Key != "" && !keyText.MatchString(string(c.Key)) {
		return errors.New(keyVariable + ": want at most 512 visible ASCII characters, no spaces")
	}
	return nil
}

func (c config) checkAddr() error {
	_, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("--addr: want HOST:PORT, as 127.0.0.1:8080")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("--addr: want a port from 0 to 65535")
	}
	return nil
}

// resolve returns the address to listen on, or an error if it is open to others and nothing keeps them out. What is
// resolved here is what is listened on, so a name cannot be one thing when checked and another later.
func (c config) resolve() (*net.TCPAddr, error) {
	address, err := net.ResolveTCPAddr("tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("--addr: %w", err)
	}
	if c.Key == "" && !address.IP.IsLoopback() {
		return nil, fmt.Errorf("--addr %s can be reached from other machines and there is no API key: set %s to a secret that requests must bear, or listen on 127.0.0.1:%d",
			c.Addr, keyVariable, address.Port)
	}
	return address, nil
}
