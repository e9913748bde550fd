"""Redaction measured: what is a secret or personal, and what only looks like it."""
