"""The addresses and keys of endpoints: checked before use, shown without secrets."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit, urlunsplit

from sim.errors import ModelError

OPENAI = "https://api.openai.com/v1"
KEY, BASE_URL = "OPENAI_API_KEY", "OPENAI_BASE_URL"  # the variables of the environment that the openai package reads
NO_KEY = "none-needed"  # sent to servers that ask for no key: the client insists on one

_KEYLIKE = re.compile(r"\b(?:sk|pk|gsk|rk|hf|key)[-_][\w*.-]{6,}")
_HIDDEN = "[key]"
_ENDPOINT = re.compile(r"/+(?:chat/completions|completions|embeddings|responses|models)/*$")  # a whole one, pasted


def base_urls(given: Sequence[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the addresses to use: those given, else the environment's, else OpenAI's; each once.

    Raises:
        ModelError: If one of them is no web address.
    """
    urls = [url for url in given if url.strip()] or [environment.get(BASE_URL, "").strip() or OPENAI]
    return tuple(dict.fromkeys(_check_url(url.strip()) for url in urls))


def _check_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or re.search(r"\s", url):
        example = f"http://{url}" if re.fullmatch(r"[\w.-]+(:\d+)?(/[\w/.-]*)?", url) else "http://localhost:8000/v1"
        raise ModelError(f"base_url {without_login(url)!r} is no web address (write it as {example})")
    path, mark, query = url.partition("?")
    return _ENDPOINT.sub("", path).rstrip("/") + mark + query


def is_azure(url: str) -> bool:
    """Return whether *url* is Azure's classic address, which names its version and takes the key in ``api-key``."""
    return "api-version=" in urlsplit(url).query


def without_login(url: str) -> str:
    """Return *url* as messages may show it: without user, password and query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "[address]"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def key_for(urls: Sequence[str], given: str | None, environment: Mapping[str, str], variable: str = KEY) -> str:
    """Return the key to send: the one given, else the environment's, less the white space around it.

    Raises:
        ModelError: If it cannot be a key, or if OpenAI is asked and there is none.  It is never shown.
    """
    key = (given if given is not None else environment.get(variable, "")).strip()
    odd = next((at for at, sign in enumerate(key, 1) if not "!" <= sign <= "~"), None)
    if odd is not None:
        raise ModelError(
            f"the key in {variable} cannot be one: its character {odd} of {len(key)} is a space, a control character "
            "or outside ASCII (copy it again)"
        )
    if not key and variable != KEY:
        raise ModelError(f"there is no key in the environment variable {variable}, which key_env names: put it there")
    if not key and any(urlsplit(url).hostname == urlsplit(OPENAI).hostname for url in urls):
        raise ModelError(
            f"there is no key for {OPENAI}: put it into the environment variable {KEY}, "
            "or name another server with --base-url"
        )
    return key or NO_KEY


def headers_for(headers: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return *headers* with the variables that they name filled in.

    Raises:
        ModelError: If there is no such variable, or a header cannot be sent.
    """
    return {name: _fill_header(name, text, environment) for name, text in headers.items()}


def _fill_header(name: str, text: str, environment: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        variable = found[1] or found[2]
        if not environment.get(variable, "").strip():
            raise ModelError(f"the header {name} names the environment variable {variable}, which is not set")
        return environment[variable].strip()

    filled = re.sub(r"\$(?:\{(\w+)\}|([A-Za-z_]\w*))", value, text)
    if not re.fullmatch(r"[\w-]+", name, re.ASCII) or not all(" " <= sign <= "~" for sign in filled):
        raise ModelError(f"the header {name!r} cannot be sent: it holds a sign outside ASCII, or a control character")
    return filled


def without_secrets(text: str, key: str) -> str:
    """Return *text* as one line without *key* and without what looks like one: servers quote the keys they refuse."""
    hidden = text.replace(key, _HIDDEN) if len(key) > 3 and key != NO_KEY else text
    return " ".join(_KEYLIKE.sub(_HIDDEN, hidden).split())
