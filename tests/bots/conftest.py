"""The same bots from a few lines of text as the tests of hosts have."""

from tests.hosts.conftest import bot, command, one_core, template

__all__ = ["bot", "command", "one_core", "template"]
