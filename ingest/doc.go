// Package ingest is the write path: it takes what callers say, stores it before anything else happens, and has it applied to the log.
package ingest
