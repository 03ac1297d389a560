"""The runs of a folder as web pages, live while a run goes on."""
