"""DuckDB's anti-join: function calls that have no result, by turn and call id, over JSON lines. It uses every core.

The columns are named, so DuckDB reads only these members and guesses no types: that is its fastest way.
"""

import sys

import duckdb

LARGEST = 1 << 30  # bytes of one JSON value; DuckDB's own limit of 16 MiB is less than a snapshot of 20,000 open calls

COLUMNS = {
    "type": "VARCHAR",
    "turn_id": "VARCHAR",
    "call_id": "VARCHAR",
    "item": "STRUCT(type VARCHAR, call_id VARCHAR)",
}

QUERY = """
WITH events AS (SELECT * FROM read_json($files, format='newline_delimited', columns=$columns, maximum_object_size=$largest)),
calls AS (SELECT DISTINCT turn_id, item.call_id AS call_id FROM events WHERE item.type = 'function_call'),
results AS (
    SELECT turn_id, item.call_id AS call_id FROM events WHERE item.type = 'function_call_output'
    UNION ALL SELECT turn_id, call_id FROM events WHERE type = 'agent.session.input.tool_result'
)
SELECT turn_id, call_id FROM calls ANTI JOIN results USING (turn_id, call_id)
"""

rows = duckdb.execute(QUERY, {"files": sys.argv[2:], "columns": COLUMNS, "largest": LARGEST}).fetchall()
for turn_id, call_id in rows:
    print(turn_id, call_id)
