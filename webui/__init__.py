"""The pages of one table: tablet scoreboard, referee desk, phone camera, and the program interface behind them."""

from webui.access_file import FILE_NAME as ACCESS_FILE
from webui.app import create_app
from webui.hall import Hall, neighbour
from webui.ports import Subscription, Table
from webui.server import Server, make_server, serve
from webui.texts import catalogue
from webui.trust import Authority
from webui.webhooks import FILE_NAME as WEBHOOKS_FILE
from webui.webhooks import Webhooks, deliver

__all__ = [
    "ACCESS_FILE",
    "WEBHOOKS_FILE",
    "Authority",
    "Hall",
    "Server",
    "Subscription",
    "Table",
    "Webhooks",
    "catalogue",
    "create_app",
    "deliver",
    "make_server",
    "neighbour",
    "serve",
]
