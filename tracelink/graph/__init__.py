"""A trace as a graph: `build` gives the networkx graph, `vocabulary` says which nodes and edges there are.

networkx is imported here and in no room to the left, and only when a graph is built.
"""

from tracelink.graph.builder import build, cleared_action
from tracelink.graph.marking import marks_of, nodes_of

__all__ = ["build", "cleared_action", "marks_of", "nodes_of"]
