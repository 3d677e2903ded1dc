"""The live page: a run that goes on, watched in a browser from the machine that runs it."""

from sim.views.live.access import LOOPBACK, Access, open_access
from sim.views.live.server import LivePage, live_page

__all__ = ["LOOPBACK", "Access", "LivePage", "live_page", "open_access"]
