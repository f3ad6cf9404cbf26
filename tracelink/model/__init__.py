"""The values everything is made of. Imports nothing else of the project."""
