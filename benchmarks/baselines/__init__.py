"""What tracelink is measured beside. Each is a script of its own and runs as a whole process, as tracelink does."""
