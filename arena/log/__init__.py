"""The log: `results/<name>/`, of which `games.sqlite` is the only truth.

    schema     the tables, by version
    door       the only way to open a folder: it is a stranger's document until it was looked at
    asking     a folder that can be asked                 inventory  what the games were played with
    reading    all that is asked of the games             writing    the only writer
    sound      whether all rows can be what they say      archive    bots, variants and openings as values
    cache      what was computed, signed by this user     grades     how well each bot kept its wins
    audits     games that were played again               lock       one writer at a time

All SQL is in this room. A run folder may have come from an enemy. So nothing is handed out before it was
looked at, and looking costs in proportion to what is then used: the shape of the file always, a bot's source
when it is read, all games when all of them are counted. What does not pass becomes one sentence (StoreError)
that says what is wrong where; what else is in the folder can still be read.
"""
