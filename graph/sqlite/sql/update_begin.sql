-- Begins an update: takes the lock that only one writer of the file holds.
BEGIN IMMEDIATE
