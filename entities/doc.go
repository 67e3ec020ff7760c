// Package entities decides which entity a mention is: by name, alias and kind, never by similarity.
package entities
