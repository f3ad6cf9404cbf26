"""The post-mortem as one HTML file: opens from disk, asks nobody for anything, runs nothing of what was recorded.

What must be seen first (the answer, what happened, the findings) is written by a template and needs no script. The timeline, the graph
and the table are drawn by the page's own script from rows of data in it. `keep` bounds the rows, `rows` and `bars` make them, `embed`
puts them into the page, `page` fills the template; `templates/`, `style/` and `script/` are what the browser gets.
"""

from tracelink.render.html.page import render

__all__ = ["render"]
