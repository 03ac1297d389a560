"""The scale of ratings, which is Elo's: 400 points are odds of 10:1, and the mean of a field is 1500."""

from math import log

POINTS = 400 / log(10)
"""Points for a unit of log odds."""

MEAN = 1500.0
"""The mean rating of a field."""

SURE = 1.959964
"""Standard deviations on either side that hold 95 % of a normal distribution."""
