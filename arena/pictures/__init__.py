"""Pictures of positions: `place` says where the cells of a board are drawn, `draw` makes SVG of a position.

Pure: a picture is text, and who asks for it writes it to a file or into a page.
"""

from arena.pictures.layout import Layout, place
from arena.pictures.svg import draw

__all__ = ["Layout", "draw", "place"]
