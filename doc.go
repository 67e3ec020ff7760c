// Package tenure is the root of Tenure, a memory server for AI agents. What conversations say becomes a graph of entities
// joined by facts, and every fact carries the window in which it was true and the time since when that was known. The server
// is the command in cmd/server; docs/architecture.md shows the rooms of this module on one page. This package holds no code
// but the test that keeps the arrows between the rooms pointing one way.
package tenure
