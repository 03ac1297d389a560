"""Charts as files: whole without the page, and harmless."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from arena.pages.charts import chart_meetings, chart_ratings
from arena.pages.figures import FIGURES, LEVELS, draw_figures, write_figures
from arena.pages.rendering import LONGEST_NAME, TEMPLATES
from arena.pages.report import chart_all
from arena.reports.screen import shorten
from tests.cli.command import inside
from tests.pages.test_numbers import table
from tests.tournament.small import copied, play

OF_ALL = ["ratings", "ledger", "meetings", "lengths", "cpu"]
"""What a run of any format has."""

OF_A_FORMAT = {"knock-out": "bracket", "ladder": "ladder"}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run."""
    return play(tmp_path_factory.mktemp("drawn"), variants=["snort:line-9"])


def test_every_figure_has_its_template():
    """And no template is left over."""
    names = {file.name for file in (TEMPLATES / "figures").glob("*.j2")}
    assert names == {"figure.svg.j2", *(f"{name}.svg.j2" for name in FIGURES)}


def test_every_chart_is_a_file_that_stands_alone(run, tmp_path):
    """Well-formed, with a title, a description, a width and its own style; it refers to nothing."""
    files = write_figures(run, tmp_path / "charts")
    assert [file.stem for file in files] == OF_ALL
    for file in files:
        root = ET.fromstring(file.read_text())
        assert int(root.attrib["width"]) >= 360
        assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
        title, said = (root.find(SVG + tag) for tag in ("title", "desc"))
        assert title is not None
        assert said is not None
        assert title.text == f"{FIGURES[file.stem].title}: cup"
        assert said.text
        text = file.read_text()
        assert [word for word in ("href", "url(", "@import", "var(", "<script") if word in text] == []
        if file.stem != "lengths":
            assert all(bot in text for bot in run.field.bots)


@pytest.mark.parametrize("format", OF_A_FORMAT)
def test_a_format_has_a_figure_of_its_own(tmp_path, format):
    """Drawn with pixels, since not every program keeps the strength of a stretched line."""
    played = play(tmp_path, format=format, variants=["snort:line-6"], openings=2)
    files = {file.stem: file for file in write_figures(played, tmp_path / "charts")}
    assert files.keys() == {*OF_ALL, OF_A_FORMAT[format]}
    text = files[OF_A_FORMAT[format]].read_text()
    ET.fromstring(text)
    assert "preserveAspectRatio" not in text
    assert "liar" in text or format == "ladder"


def test_names_are_text_and_long_ones_are_shortened():
    """A name of 64 letters, and one that looks like tags: a stranger may have written the log."""
    names = ["x" * 64, "<script>&\"'"]
    standings = table((1600, 1700), (1400, 1500)).assign(bot=names)
    nothing = chart_ratings(standings.iloc[:0])
    charts: dict[str, Any] = {name: nothing if name in OF_ALL else None for name in FIGURES}
    charts["meetings"] = chart_meetings(standings[["bot"]].iloc[:0])
    ((name, text),) = draw_figures({**charts, "ratings": chart_ratings(standings)}, "cup")
    words = [node.text for node in ET.fromstring(text).iter(SVG + "text")]
    assert name == "ratings"
    assert shorten("x" * 64, LONGEST_NAME) in words
    assert "<script>&\"'" in words


def test_the_command_writes_the_charts_and_no_page(run, tmp_path):
    """Into a folder that is made; with numbers for names if that is asked for."""
    folder = copied(run, tmp_path / "results" / "cup").folder
    done = inside("report", "cup", "--svg", "charts", cwd=tmp_path)
    assert done.stdout.splitlines() == [f"wrote charts/{name}.svg" for name in OF_ALL]
    assert not (folder / "report.html").exists()
    done = inside("report", "cup", "--svg", "nameless", "--anonymous", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "wrote nameless/figures-key.csv: who is who, for you alone"
    text = "".join(file.read_text() for file in (tmp_path / "nameless").glob("*.svg"))
    assert [bot for bot in run.field.bots if f">{bot}<" in text] == []
    done = inside("report", "cup", "--svg", "charts", "--output", "x.html", cwd=tmp_path)
    assert (done.returncode, "--svg writes charts and no page" in done.stderr) == (1, True)


def test_figures_and_page_have_the_same_charts(run):
    """Every figure is drawn from a value of the page."""
    assert FIGURES.keys() <= chart_all(run).keys()


def test_a_cell_of_the_heat_map_has_the_colour_that_it_has_in_the_page():
    """The style sheet of the page and the figures name the same shares of the accent colour."""
    style = (TEMPLATES / "style.css").read_text()
    assert tuple(int(much) for much in re.findall(r"\.h\d+ { --much: (\d+)% }", style)) == LEVELS
