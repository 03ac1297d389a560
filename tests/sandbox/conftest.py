"""The same bots from a few lines of text as the tests of hosts have."""

from tests.hosts.conftest import bot, command, template

__all__ = ["bot", "command", "template"]
