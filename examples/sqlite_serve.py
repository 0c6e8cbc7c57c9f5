#!/usr/bin/env python3
"""A database for `isoscope record exec:...`: SQLite, through Python's own module.

    isoscope record "exec:python3 examples/sqlite_serve.py test.db" --workload bank

Each client starts this program once. It answers one line of JSON for each line it reads, and ends with its input
(docs/recording.md). Tables of values only: a bank, counters, registers.
"""

import json
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=5)
db.execute("PRAGMA journal_mode=WAL")


def answer(ask):
    what = ask["do"]
    if what == "hello":
        return {"server": "SQLite " + sqlite3.sqlite_version, "isolation": "serializable", "promise": "serializable"}
    if what == "set-up":
        db.executescript("DROP TABLE IF EXISTS t; CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER)")
        db.executemany("INSERT INTO t VALUES (?, ?)", ask["rows"])
    elif what in ("begin", "commit"):
        db.execute(what)
    elif what == "rollback":
        if db.in_transaction:
            db.execute("rollback")
    elif ask["operation"][0] == "r":
        row = db.execute("SELECT v FROM t WHERE k = ?", ask["operation"][1:]).fetchone()
        return {"value": row[0] if row else None}
    elif ask["operation"][0] == "w":
        db.execute("INSERT INTO t VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v", ask["operation"][1:])
    else:
        return {"trouble": "refused", "message": "this example knows reads and writes only"}
    return {}


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except sqlite3.OperationalError as error:
        reply = {"trouble": "serialization", "message": str(error)}
    print(json.dumps(reply), flush=True)
