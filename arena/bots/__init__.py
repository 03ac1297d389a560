"""A bot as files: which files belong to it, its hash, and how a user's word for it is found."""
