"""What commands answer scripts: plain values for `--format json`. docs/json.md lists every key."""
