"""Forms that were sent already."""

from arena.web.once import MOST_REMEMBERED, Once, make_id


def test_a_form_is_remembered_with_what_it_said():
    """Another word is another deed; a form without an id, as of a script, is never the same."""
    once = Once()
    once.note("id", "withdraw", "anna")
    once.note("", "pause")
    assert once.is_done("id", "withdraw", "anna")
    assert not once.is_done("id", "withdraw", "bert")
    assert not once.is_done("other", "withdraw", "anna")
    assert not once.is_done("", "pause")


def test_only_so_many_forms_are_remembered():
    """The oldest are forgotten, and long words are cut: nobody fills the memory."""
    once = Once()
    for number in range(MOST_REMEMBERED + 1):
        once.note(str(number), "x" * 100_000)
    assert len(once._done) == MOST_REMEMBERED
    assert not once.is_done("0", "x" * 100_000)
    assert max(len(word) for key in once._done for word in key) < 1000
    assert make_id() != make_id()
