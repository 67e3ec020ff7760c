package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	driverlib "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"tenure/graph"
)

var (
	errColumn     = errors.New("sqlite: a column has a type that this store does not write")
	errClosed     = fmt.Errorf("%w: the store is closed", graph.ErrUnavailable)
	errParameters = errors.New("sqlite: a statement was not passed just the parameters it has")
	errEnded      = errors.New("sqlite: a writer was used after its update")
)

// translate turns an error of the driver into one of the contract. No type of the driver leaves the package: what is neither a
// context's end nor a passing trouble is a fault, of which only the text is kept.
func translate(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		return fmt.Errorf("%w: the connection to the file was lost", graph.ErrUnavailable)
	}
	var fault *driverlib.Error
	if !errors.As(err, &fault) {
		return err
	}
	if reason, ok := passing[fault.Code()&0xff]; ok {
		return fmt.Errorf("%w: %s (code %d)", graph.ErrUnavailable, reason, fault.Code())
	}
	return fmt.Errorf("sqlite: %s", fault.Error())
}

// passing names the primary result codes that may be other the next time.
var passing = map[int]string{
	codes.SQLITE_BUSY:      "the file is locked by another writer",
	codes.SQLITE_LOCKED:    "the file is locked",
	codes.SQLITE_PROTOCOL:  "the file is locked",
	codes.SQLITE_INTERRUPT: "the call was interrupted",
	codes.SQLITE_FULL:      "the disk is full",
	codes.SQLITE_IOERR:     "the disk answered with an error",
	codes.SQLITE_CANTOPEN:  "the file cannot be opened",
	codes.SQLITE_READONLY:  "the file cannot be written",
	codes.SQLITE_NOMEM:     "there is no memory left",
}
