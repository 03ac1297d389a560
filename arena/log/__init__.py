"""The log: `results/<name>/`, of which `games.sqlite` is the only truth.

    schema     the tables, by version
    door       the only way to open a folder: it is a stranger's document until it was looked at
    reading    everything that is asked of a log         writing    the only writer
    sound      whether all rows can be what they say      field      what the plan was made from
    archive    bots, variants and openings as values      cache      what was computed, signed by this user
    lock       one writer at a time                       key        this user's own
    audits     games that were played again               grades     how well each bot kept its wins

All SQL is in this room. A run folder may have come from an enemy. So nothing is handed out before it was
looked at, and looking costs in proportion to what is then used: the shape of the file always, a bot's source
when it is read, all games when all of them are counted. What does not pass becomes one sentence (StoreError)
that says what is wrong where; what else is in the folder can still be read.
"""
