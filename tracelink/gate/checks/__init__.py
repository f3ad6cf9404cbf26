"""What can be wrong with a history, one file a subject. Each check is a function: history and context → problems. They draw no severity."""
