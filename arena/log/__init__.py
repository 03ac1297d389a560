"""The log: `results/<name>/`, of which `games.sqlite` is the only truth.

    schema     the tables, by version
    door       the only way to open a folder: it is a stranger's document until it was checked
    asking     a folder that can be queried               inventory  what the games were played with
    reading    all queries about the games                writing    the only writer
    sound      whether all rows are possible              archive    bots, variants and openings as values
    cache      what was computed, signed by this user     grades     how well each bot kept its wins
    audits     games that were played again               lock       one writer at a time

All SQL is in this room. A run folder may have come from an attacker. So nothing is handed out unchecked, and
only what is used is checked: the shape of the file always, a bot's source when it is read, all games when all
of them are counted. A check that fails becomes one sentence (StoreError) that says what is wrong and where;
the rest of the folder can still be read.
"""
