"""Standalone pictures as PNG, for what shows no SVG."""

import re
from pathlib import Path

import resvg_py

from jitterscope.reports.elements import CHART_STYLE

_FONT = Path(__file__).with_name("fonts") / "DejaVuSansMono.ttf"
_FAMILY = "DejaVu Sans Mono"
# Dots for a pixel of the picture, so that its text is sharp on any screen.
_ZOOM = 2

_MEDIA = re.compile(r"@media[^{]*\{[^{}]*\{[^{}]*\}\s*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"(--[\w-]+):\s*([^;]+);")
_ANY_OF = re.compile(r":is\(([^)]*)\)")
_SYSTEM_COLOURS = {"CanvasText": "#000000", "Canvas": "#ffffff"}


def png(svg: str) -> bytes:
    """What `picture` has drawn, in the colours of the light theme, twice as large.

    Its text is in the font that comes with the program; characters that it lacks are left out.
    """
    # Whatever comes from traces is escaped, so that there is no other such element.
    styled = re.sub(
        r"<style>.*?</style>", lambda _: f"<style>{_STYLE}</style>", svg, count=1, flags=re.DOTALL
    )
    return resvg_py.svg_to_bytes(
        svg_string=styled,
        skip_system_fonts=True,
        font_files=[str(_FONT)],
        font_family=_FAMILY,
        monospace_family=_FAMILY,
        sans_serif_family=_FAMILY,
        zoom=_ZOOM,
    )


def _resolved(style: str) -> str:
    """The light theme's style sheet without what resvg does not know: variables, `:is()`, system colours."""
    style = _MEDIA.sub("", re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL))
    values = dict(_VARIABLE.findall(style))
    lines = []
    for selector, body in _RULE.findall(style):
        if selector.strip() == ":root":
            continue
        known = re.sub(r"var\((--[\w-]+)\)", lambda found: values[found[1]], body)
        for name, colour in _SYSTEM_COLOURS.items():
            known = known.replace(name, colour)
        lines += [f"{one} {{{known}}}" for one in _alternatives(selector.strip())]
    return "\n".join(lines)


def _alternatives(selector: str) -> list[str]:
    any_of = _ANY_OF.search(selector)
    if any_of is None:
        return [selector]
    return [selector.replace(any_of[0], one.strip()) for one in any_of[1].split(",")]


_STYLE = _resolved(CHART_STYLE)
