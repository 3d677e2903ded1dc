"""Replies that are no answer: a model's refusal, or the text of an error that some layer passed on as a reply."""

import re
import unicodedata

_UNABLE = r"(?:can(?:no|')t|can not|won't|(?:am|'m) (?:not able|unable) to|must decline to)"
_SORRY = r"(?:(?:i'?m |i am )?(?:very |so )?sorry|(?:i|my) apolog\w+|apologies)"
_I_WILL_NOT = rf"\A(?:unfortunately\W+)?(?:i ?{_UNABLE}|unable to)"
_MACHINE = r"an? (?:ai|artificial intelligence|(?:ai |large )?language model)(?: language model| model| assistant)?"
_DO = r"(?:help|assist|comply|fulfil+|engage|continue|provide|create|generate|respond|participate|answer|infer)"
_ASKED = r"(?:request|content|role-?play|question|statement|insight|prompt|task)s?"
_REFUSALS = (
    rf"\A{_SORRY}[ ,.!;:–—-]+(?:but )?(?:i ?)?{_UNABLE}\b",
    rf"{_I_WILL_NOT} {_DO} (?:you )?(?:with |to |in )?(?:that|this)(?: {_ASKED})?\W*\Z",
    rf"{_I_WILL_NOT} {_DO} (?:with |to |in )?(?:(?:that|this|your|such|any|the)(?: \w+)? )?{_ASKED}\b",
    rf"\bas {_MACHINE},? i\b|\bi(?:'?m| am) (?:just |only )?{_MACHINE}(?:[ ,.!;]*\Z|[,.!;]| and\b| created\b)",
    r"\bagainst my (?:guidelines|programming|polic(?:y|ies))\b|\bopenai's (?:use case |content )?polic",
    r"\A(?:很?抱歉|对不起)\W*(?:但是?)?我?(?:无法|不能)|作为(?:一个|一名)?(?:(?:ai|人工智能)(?:助手|,)|\w*语言模型)",
)
_ERRORS = (
    r"\A(?:(?:an?|the|api|http|server|internal|runtime|fatal|unknown|request|connection|network|upstream) )*"
    r"error\b(?: code| message| occurred)?(?: ?[:=(\[#]| [-–—] | ?\d|\Z| while\b)",
    r"\A(?:http(?:/[\d.]+)? (?:error |status )?)[45]\d\d\b",
    r"\A[45]\d\d\W+(?:internal server|bad|service|gateway|too many|unauthori[sz]ed|forbidden|not found)\b",
    r"\A[\w.]*[a-z](?:error|exception)\b ?[:(]",
    r"\Atraceback \(most recent call last\)|\A<(?:!doctype )?html\b",
    r"\A(?:the )?(?:token|context(?: length| window)?|rate|request|usage) limit\b.*\b(?:exceeded|reached)\b",
    r"\A(?:internal server error|bad (?:gateway|request)|service (?:temporarily )?unavailable|gateway time-?out"
    r"|too many requests|unauthori[sz]ed|connection (?:refused|reset)|(?:request|read|connection) time(?:d )?out"
    r"|insufficient quota|(?:incorrect|invalid) api key|maximum context length)\b",
)
_FAILURE = re.compile("|".join(f"(?:{pattern})" for pattern in _REFUSALS + _ERRORS))
_MOST_READ = 2_000  # characters; what refuses does so early


def is_failure(reply: str) -> bool:
    """Tell whether *reply* refuses or reports an error, and is nothing that a person would think or ask."""
    plain = unicodedata.normalize("NFKC", reply[:_MOST_READ]).casefold().replace("’", "'")
    return _FAILURE.search(" ".join(re.sub(r"[*_`]", " ", plain).split()).lstrip(" \"'([{#-.")) is not None
