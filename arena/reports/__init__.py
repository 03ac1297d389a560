"""What people and their scripts read: tables as text, and the files beside the log."""
