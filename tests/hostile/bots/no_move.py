"""Has no function `move`, but something of that name.

kind: source files
proof: none
control: no: it only fails to load
expect: no-start
"""

move = 3
