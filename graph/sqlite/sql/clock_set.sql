-- Sets the time of the last committed update.
-- Parameters: $last.
INSERT INTO clock (one, last) VALUES (1, $last)
ON CONFLICT (one) DO UPDATE SET last = excluded.last
