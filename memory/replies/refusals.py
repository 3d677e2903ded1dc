"""Replies that are no answer: a model's refusal, or the text of an error that some layer passed on as a reply."""

import re
import unicodedata

_MACHINE = (
    r"an? (?:ai|artificial intelligence|(?:ai |large )*language model)(?: language model| model| assistant| system)?"
)
_MADE = r"(?:created|developed|trained|designed|built|made)"
_UNABLE = r"(?:can(?:no|')t|can not|(?:am|'m) (?:not able|unable) to|must decline to)"
_UNWILLING = rf"(?:{_UNABLE}|won't|will not)"
_SORRY = r"(?:(?:i'?m |i am )?(?:very |so )?sorry|(?:i|my) apolog\w+|apologies)[ ,.!;:–—-]+(?:but )?"
_HELP = r"(?:help|assist|comply)"
_DO = rf"(?:{_HELP}|fulfil+|engage|continue|provide|create|generate|respond|participate|infer)"
_SAY = rf"(?:{_DO}|answer|discuss)"
_PROMPT = r"(?:requests?|content|role-?play|statements?|insights?|prompts?)"
_ASKED = rf"(?:{_PROMPT}|questions?|tasks?|conversations?)"
_THAT = r"(?:that|this|it|these|those)"
_REFUSALS = (
    # With an apology "I can't help" needs no object; without one it is a person's, and so is "I can't answer that".
    rf"\A{_SORRY}(?:i ?)?{_UNWILLING} {_SAY}(?: you)?(?: (?:with|to|in))?(?: {_THAT})?(?: {_ASKED})?\W*\Z",
    rf"\A(?:unfortunately\W+)?(?:i ?{_UNABLE}|unable to) {_DO} (?:you )?(?:with |to |in )?{_THAT}(?: {_ASKED})?\W*\Z",
    rf"\A(?:{_SORRY}|unfortunately\W+)?(?:i ?{_UNWILLING}|unable to) {_SAY} (?:you )?(?:with |to |in )?(?:\w+ing )?"
    rf"(?:(?:that|this|your|such|any|the)(?: \w+)? )?{_PROMPT}\b",
    rf"\bas {_MACHINE}(?: {_MADE}\b[^.,]*)?,? (?:i|my)\b",
    rf"\bi(?:'?m| am) (?:just |only )?{_MACHINE}(?:\W*\Z|[,.!;:]| (?:and|{_MADE}|so|without|with no|not|who|that)\b)",
    r"\bagainst my (?:guidelines|programming|polic(?:y|ies))\b|\bopenai's (?:use case |content )?polic",
    r"\bviolat\w+ (?:(?:the|our|my|any) )?(?:usage|content|safety) (?:polic|guideline)",
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


def is_refusal(text: str) -> bool:
    """Return whether *text* refuses or reports an error, and is nothing that a person would think, say or ask."""
    plain = unicodedata.normalize("NFKC", text[:_MOST_READ]).casefold().replace("’", "'")
    return _FAILURE.search(" ".join(re.sub(r"[*_`]", " ", plain).split()).lstrip(" \"'([{#-.")) is not None
