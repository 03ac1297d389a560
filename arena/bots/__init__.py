"""A bot as files: what belongs to it, its hash, and how it is found by what people type."""
