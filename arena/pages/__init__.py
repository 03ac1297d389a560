"""A run as a page for a browser: `report.html`, one file that needs no other and no network."""
