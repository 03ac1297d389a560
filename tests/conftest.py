"""What holds for all tests: nothing of this user's own is read or written."""

import os
import tempfile

from hypothesis import settings

# The key that signs caches lies in the user's configuration folder: tests, and what they start, have one apart.
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="arena-tests-")

# How long an example takes says more about this machine, which is busy, than about what is tested.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
