"""The pages of one table: tablet scoreboard, referee desk, phone camera, and the program interface behind them."""

from webui.access_file import FILE_NAME as ACCESS_FILE
from webui.app import create_app
from webui.hall import Hall, neighbour
from webui.ports import Subscription, Table
from webui.server import Server, make_server, serve
from webui.texts import catalogue
from webui.trust import Authority

__all__ = [
    "ACCESS_FILE",
    "Authority",
    "Hall",
    "Server",
    "Subscription",
    "Table",
    "catalogue",
    "create_app",
    "make_server",
    "neighbour",
    "serve",
]
