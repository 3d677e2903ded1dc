"""Signs in what is said of people: who is close, whom one cannot stand, who likes company."""

import re

CLOSE = re.compile(
    r"\b(?:friends?|brother|sister|mother|father|son|daughter|wife|husband|spouse|partner|fianc\w+|fond|love\w*|crush"
    r"|\w*mate|sweetheart|dear)\b",
    re.IGNORECASE,
)
HOUSEHOLD = re.compile(
    r"\b(?:brother|sister|mother|father|son|daughter|wife|husband|spouse|fianc\w+|\w*mate|lives? (?:with|under)"
    r"|shares? a)\b",
    re.IGNORECASE,
)
HOSTILE_TO = re.compile(
    r"\b(?:dislikes?|hates?|can(?:no|')t stand|cannot bear|avoids?|enem(?:y|ies)|rivals?|distrusts?|despises?|loathes?"
    r"|quarrel\w*|feud\w*|not (?:on (?:speaking|good) terms|speaking|been on good terms)|turns away"
    r"|never forgive\w*)\b",
    re.IGNORECASE,
)
SOCIABLE = re.compile(
    r"\b(?:friendly|outgoing|warm|sociable|hospitable|curious|chatty|talkative|cheerful|kind|open|funny|lively|generous)\b",
    re.IGNORECASE,
)
SHY = re.compile(
    r"\b(?:shy|solitary|reserved|withdrawn|reclusive|gruff|lonely|timid|grumpy|quiet|stubborn)\b", re.IGNORECASE
)
