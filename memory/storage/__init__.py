"""Where memories stand: columns to search, a ledger of what is known of each, and the SQLite file."""
