"""What the live page's server answers, and to whom; needs starlette, so it is imported only where a page is served."""

from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sim.errors import TownError
from sim.views.live.access import Access

WAITING = (
    '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">'
    "<title>A town</title><p>The town is being set up; this page waits for its first moment.</p></html>"
)
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "frame-ancestors 'none'",  # the rest stands in the page: it knows its scripts
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def build_app(
    access: Access,
    page: Callable[[], str | None],
    news: Callable[[int, str, str], str],
    call: Callable[[str], dict[str, Any] | None],
) -> ASGIApp:
    """Return what answers requests: the page, what is new, and single model calls, as `LivePage` has them."""

    def show_page(request: Request) -> Response:
        html = page()
        response = HTMLResponse(html or WAITING)
        if access.token is not None:
            response.set_cookie(access.cookie, access.pass_, httponly=True, samesite="strict", path="/")
        return response

    def show_news(request: Request) -> Response:
        after, run, me = (request.query_params.get(name, "") for name in ("after", "run", "me"))
        if not (after.isascii() and after.isdigit() and len(after) < 10):
            return PlainTextResponse("after is a whole number\n", 400)
        return Response(news(int(after), run, me[:40]), media_type="application/json")

    def show_call(request: Request) -> Response:
        found = call(request.query_params.get("key", "")[:200])
        return JSONResponse(found) if found else PlainTextResponse("the record does not hold that call\n", 404)

    def show_error(request: Request, error: Exception) -> Response:
        return PlainTextResponse(f"{error}\n", 500)

    routes = [Route("/", show_page), Route("/news", show_news), Route("/call", show_call)]
    return Guard(Starlette(routes=routes, exception_handlers={TownError: show_error}), access)


class Guard:
    """Lets in what was meant for us and may come in, and says how browsers are to treat the answers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request, answer = Request(scope), self._app
        if not self._access.knows_host(request.headers.get("host")):
            answer = PlainTextResponse("this is not the host that you mean\n", 400)
        elif not self._access.admits(request.query_params.get("token"), request.cookies):
            answer = PlainTextResponse("bring the token that the run was given: open /?token=WORD\n", 401)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *kept]}
            await send(message)

        await answer(scope, receive, send_with_headers)
