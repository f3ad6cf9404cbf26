"""Reports into text and JSON: one file a format, and the escaping that all of them share."""
