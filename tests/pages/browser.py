"""A page as a browser would take it: its tags in order, what they refer to, and what its policy allows."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

EMPTY = {"meta", "input", "br", "link", "img", "hr"}
"""Tags that are never closed."""

REFERRING = {"src", "href", "srcset", "action", "data", "poster", "xlink:href"}


class Page(HTMLParser):
    """Collects what a page is made of; fails where tags are not nested as they should be."""

    def __init__(self, text):
        super().__init__()
        self.text, self.open, self.seen, self.words = text, [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data):
        if self.open[-1:] not in (["style"], ["script"]):
            self.words.append(data)

    @property
    def plain(self):
        """All that can be read, with one blank between words."""
        return " ".join(" ".join(self.words).split())

    @property
    def tags(self):
        return {tag for tag, _ in self.seen}


def check_page(text):
    """Well-formed, self-contained, and with a policy that allows our scripts and our style alone; returns it."""
    page = Page(text)
    attributes = {name for _, attrs in page.seen for name in attrs}
    assert {name for name in attributes if name.startswith("on")} | ({"style"} & attributes) == set()
    assert page.tags & {"img", "iframe", "object", "embed", "link", "base", "form", "a:href"} == set()
    referred = [value for _, attrs in page.seen for name, value in attrs.items() if name in REFERRING]
    assert [value for value in referred if not value.startswith("#")] == []
    ids = [attrs["id"] for _, attrs in page.seen if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {value[1:] for value in referred if not value.startswith("#game=")} <= set(ids)
    assert "url(" not in text
    assert "@import" not in text
    _check_policy(page)
    return page


def _check_policy(page):
    (policy,) = [
        a["content"] for t, a in page.seen if t == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    ]
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'none'"
    for tag, count in (("style", 1), ("script", 2)):
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", page.text, re.S)
        hashes = [b64encode(sha256(inside.encode()).digest()).decode() for inside in found]
        assert parts[f"{tag}-src"].split() == [f"'sha256-{each}'" for each in hashes]
        assert [seen for seen, _ in page.seen].count(tag) == len(found) == count
