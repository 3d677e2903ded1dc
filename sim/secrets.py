"""Keeps keys and passwords out of all that is shown: messages quote what people wrote, and people write keys."""

import re

HIDDEN = "[hidden]"
_LOGIN = re.compile(r"(?<=//)[^\s'\"\[\]{}]*@")  # of an address: user and password
_QUERY = re.compile(r"(?<=[?&])((?!api-version=)[\w.-]+=)[^&#\s'\"\[\]},]+")
_NAME = r"(?:api[_-]?key|[\w-]+[_-]key|\.key|token|secret|passw(?:or)?d|authori[sz]ation|cookie)\b"
_NAMED = re.compile(  # a value by the name of a secret, in --set, or within a mapping of YAML or JSON
    rf"({_NAME}\s*=\s*|[{{,]\s*['\"]?[\w-]*{_NAME}['\"]?\s*:\s*['\"]?)(?!\$)(?:(?:bearer|basic)\s+)?[^\s'\"\]}},\[{{]+",
    re.IGNORECASE,
)
_BEARER = re.compile(r"(\bbearer\s+)[\w.~+/=-]{6,}", re.IGNORECASE)
_KEYLIKE = re.compile(r"\b(?:sk-|gsk_|hf_|xai-|AIza)[\w.-]{10,}")


def hide_secrets(text: str) -> str:
    """Return *text* with whatever in it looks like a key, a password or the login of an address put out of sight."""
    text = _QUERY.sub(rf"\1{HIDDEN}", _LOGIN.sub(f"{HIDDEN}@", text))
    text = _BEARER.sub(rf"\1{HIDDEN}", _NAMED.sub(rf"\1{HIDDEN}", text))
    return _KEYLIKE.sub(HIDDEN, text)
