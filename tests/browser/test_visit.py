"""The watch over pages is able to fail."""

import pytest

from tests.browser.looking import overflow

FAULTS = {
    "a picture from elsewhere": "<img alt='' src='http://example.invalid/x.png'>",
    "a file beside it": "<img alt='' src='beside.png'>",
    "an error of a script": "<script>nobody.knows()</script>",
    "a complaint": "<script>console.error('no')</script>",
    "a script against the policy": "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'\"><script>1</script>",
    "a dialog": "<script>alert(1)</script>",
}
FEWER = ("a file beside it", "a complaint", "a dialog")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(body, marks=[pytest.mark.long] if name in FEWER else [], id=name)
        for name, body in FAULTS.items()
    ],
)
def test_what_goes_wrong_on_a_page_is_seen(visit, tmp_path, body):
    """Whatever a page loads, or complains of, is a fault."""
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><title>t</title>{body}")
    visit(tmp_path / "page.html")
    assert visit.faults != []
    visit.faults.clear()


def test_a_page_that_is_too_wide_is_seen(visit, tmp_path):
    """A table that does not fit makes the whole page wider."""
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><title>t</title><pre>{'x' * 999}</pre>")
    assert overflow(visit(tmp_path / "page.html", width=360)) > 0
