"""A run on its way to others: as a folder that can be played again, or as tables for everybody.

folder     a run becomes a folder that runs: tournament file, bots, variants
texts      what is written into its TOML files
sameness   whether playing that folder gives the digest of the run, and why not
tables     what may be published: tables and games, and nothing that a bot's author wrote
"""
