"""Looks for something to read in a dozen places, one after the other.

kind: files
proof: leaked
control: yes
expect: plays
"""

import os
from contextlib import suppress

PLACES = ["/", "/root", "/home", "/etc/shadow", "/etc/hostname", "/proc/1/environ", "/proc/self/maps"]
PLACES += ["/proc/mounts", "/var/log", "/run", "/sys/kernel", "/dev/kmsg", "@FOLDER@", "@FOLDER@/secret.txt"]


def move(position):
    for place in PLACES:
        with suppress(Exception):
            print(place, os.listdir(place))
        with suppress(Exception), open(os.open(place, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            print(place, file.read(200))
    return position.legal_moves[0]
