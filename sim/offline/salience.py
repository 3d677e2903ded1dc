"""What weighs much or little whatever it is likened to: dangers, turns of a life, everyday comings and goings.

Likeness to examples goes by the whole sentence, so that a stove in flames is rated by the stove.  The signs here
say how little or how much a sentence may weigh; none of them hangs on who it is about or where.
"""

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from sim.scenario.strict_yaml import parse_yaml

_PUBLIC = 8.0  # the least for what concerns a whole place: who is to lead it, what is closed or given up
_DANGEROUS, _BODILY, _FATEFUL = 8.0, 9.0, 10.0  # the least for a danger, for harm to a body, for a turn of one's life
_EVERYDAY, _TAME = 3.0, 5.0  # the most for comings, goings and chores, and for what only sounds dangerous


@cache
def anchors() -> dict[str, int]:
    """Return the examples of the rater's yardstick, each with its mark from 1 to 10."""
    text = (files("sim.offline") / "anchors.yaml").read_text(encoding="utf-8")
    lists = parse_yaml(text, "anchors.yaml").fields
    return {example.text or "": int(mark) for mark, examples in lists.items() for example in examples.items}


class Bounds(NamedTuple):
    """Between what a sentence weighs, whatever it is like."""

    least: float
    most: float


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{pattern})" for pattern in patterns), re.IGNORECASE)


# Fires that warm, tales, figures of speech, what is over: taken out before dangers are looked for.
_HARMLESS = _any(
    r"(?:read\w*|writ\w*|wrote|study\w*|paint\w*|draw\w*|films?|movies?|novels?|books?|stor(?:y|ies)|tales?|poems?|history"
    r"|lectures?|lessons?|essays?|songs?|documentar\w+)\b[^.!?]{0,40}\b(?:about|of|on\s+the\s+history)\b.*",
    r"in\s+case\s+of\s+(?:an?\s+)?\w+",
    r"(?:by|beside|around|round|in\s+front\s+of)\s+(?:the|a|an\s+open)\s+(?:camp\s?)?fires?\b",
    r"(?:light|lights|lit|lighting|mak(?:e|es|ing)|made|build\w*|built|tend\w*|stok\w+|feed\w*|start\w*)\s+(?:up\s+)?"
    r"(?:a|the|his|her|my|our)\s+(?:\w+\s+)?(?:fires?|stove|oven|candles?|lamps?)\b",
    r"fires?\s+(?:burns?\s+|is\s+burning\s+|is\s+lit\s+)?in\s+the\s+(?:hearth|fireplace|grate)\b",
    r"(?:fire\s?places?|camp\s?fires?|hearths?|candles?|lamps?|incense|logs?|lanterns?)\s+(?:is|are|was|were)\s+"
    r"(?:still\s+)?(?:burning|lit)\b",
    r"fire\s?(?:places?|wood|works?|fl(?:y|ies)|fighters?|m[ae]n|extinguishers?|alarms?|drills?|safety|station|insurance)\b",
    r"(?:fires?|flames?)\s+(?:is|are|was|were|has\s+been|have\s+been)\s+(?:now\s+)?"
    r"(?:out|put\s+out|extinguished|under\s+control)\b",
    r"bl[oe]w\w*\s+up\s+(?:the\s+|some\s+|a\s+|\w+\s+)?(?:balloons?|tyres?|tires?|mattress\w*|photo\w*|pictures?)\b",
    r"balloons?\b[^.!?]{0,30}\bblown\s+up\b",
    r"collaps\w+\s+(?:the|an?|his|her|my|our|some)\s+(?:\w+\s+)?(?:chairs?|tables?|umbrellas?|stalls?|tents?|box\w*)\b",
    r"flood(?:ed|s|ing)?\s+(?:with|by)\s+(?!water)\w+",
    r"drown\w*\s+(?:out|in\s+(?:work|paper\w*|homework|letters|orders|debts?))\b",
    r"(?:break|broke|burst|explod)\w*\s+(?:in(?:to)?|out)\s+(?:\w+\s+)?(?:song|laughter|laughing|smiles?|tears|applause)\b",
    r"(?:steal|stole)\w*\s+(?:an?|the)\s+(?:\w+\s+)?(?:glance|look|show|kiss|nap|march)\b",
    r"(?:batter(?:y|ies)|phones?|engines?|motors?|radios?|lamps?|lights?|signal|music|wind|rain|plants?|flowers?"
    r"|conversation|talk)\s+(?:has\s+|have\s+|had\s+)?(?:died|is\s+dead|is\s+dying)\b",
    r"died\s+(?:down|away|out)\b|dying\s+(?:to|for)\b|dead\s+(?:tired|end|heat|line|wood|leaves)\b",
    r"by\s+accident\b|ambulance\s+(?:driver|station|service)s?\b|murder\s+myster\w+|killed\s+(?:time|an?\s+hour)\b",
    r"(?:no|without)\s+(?:any\s+)?(?:danger|fires?|accidents?|explosions?|thieves|robber\w+)\b",
)
_DANGER = _any(
    r"(?:on|catch(?:es|ing)?|caught|sets?|setting)\s+(?:\w+\s+)?fire\b",
    r"flames?\b|ablaze\b|blazing\s+(?!sun|hot|row)|inferno\b|burn(?:s|ing|ed|t)?\s+down\b|goes\s+up\s+in\s+smoke\b",
    r"(?:is|are|was|were|begins?\s+to|began\s+to|starts?\s+to)\s+burn(?:ing)?\b(?!\s+to\b)",
    r"fires?\s+(?:\w+\s+)?(?:breaks?|broke|breaking|broken|started|spread\w*|rag\w+|destroy\w*|engulf\w*|rages?|at|in|on)\b",
    r"(?:there\s+is|there's|there\s+was|fire!)\s*(?:a\s+)?(?:big\s+|large\s+)?(?:fire|smoke)\b|fire!",
    r"smoke\s+(?:is\s+|was\s+)?(?:pour|fill|ris|com|billow|chok)\w*|(?:thick|black|dense)\s+smoke\b",
    r"explo(?:d\w+|sions?)\b|bl(?:ow|ew|own|ows|owing)\s+up\b|deton\w+|bombs?\b|bombing\b",
    r"(?:boilers?|tanks?|dams?|dykes?|bottles?|cylinders?|mains?)\s+(?:has\s+|have\s+)?bursts?\b|gas\s+leak\w*|leaking\s+gas",
    r"flood(?:s|ed|ing|water|waters)?\b|burst\w*\s+its\s+banks\b|under\s+water\b|(?:river|water|sea)\s+(?:\w+\s+)?rising\b",
    r"collaps\w+|cav(?:e|es|ed|ing)\s+in\b|(?:gives?|gave|giving)\s+way\b|landslides?\b|avalanches?\b|earthquakes?\b",
    r"(?:roof|ceiling|wall|bridge|chimney|scaffold\w*|floor|tower|tree|beam|crane)s?\b[^.!?]{0,15}"
    r"\b(?:fall(?:s|en|ing)?|fell|comes\s+down|came\s+down|crash\w*|crumbl\w*)\b",
    r"tornado\w*|hurricanes?\b|lightning\s+(?:strikes|struck|hits?)\b|swept\s+away\b|sweeps?\s+away\b",
    r"rob(?:s|bed|bing|ber|bers|bery|beries)\b|burgl\w+|mugg(?:ed|ers?|ing)\b|thie(?:f|ves)\b|steals?\b|stealing\b|stole\b"
    r"|stolen\b|br(?:eak|oke)\w*\s+into\b|break-?ins?\b|hostages?\b|kidnap\w*|abduct\w*",
    r"h[oe]lds?\s+up\s+(?:the|a)\s+(?:shop|bank|store|post|cashier|clerk|baker|inn)\w*",
    r"crash(?:es|ed|ing)?\s+into\b|(?:car|road|train|traffic|bad|serious)\s+(?:crash|accident)\w*|evacuat\w+|emergency\b",
    r"ambulances?\b|paramedics?\b|calls?\s+for\s+help\b|cr(?:y|ies|ied|ying)\s+for\s+help\b|in\s+(?:mortal\s+)?danger\b",
)
_HARM = _any(
    r"injur\w+|wound(?:s|ed)\b|bleed\w*|bled\b|unconscious\b|heart\s+attacks?\b|chok(?:es|ed|ing)\b|poisoned\b|electrocut\w+",
    r"(?:badly|seriously|gravely)\s+(?:hurt|burn(?:t|ed))\b|hurt\s+(?:badly|seriously)\b|is\s+hurt\b|(?:was|were|got)\s+hurt\b",
    r"br(?:eak|oke|oken|eaks)\s+(?:a|an|the|his|her|my|their)\s+(?:leg|arm|neck|hip|back|wrist|ankle|skull|ribs?|collarbone)\b",
    r"(?:has|had|suffers?|suffered|having)\s+a\s+(?:stroke|seizure)\b|can(?:not|['’]t|\s+not)\s+(?:breathe|swim)\b",
    r"gun(?:shots?|fire|men|man|point)\b|knife-?point\b|shots?\s+(?:\w+\s+)?(?:fired|r[iau]ngs?)\b|shoots?\s+(?:at|dead|down)\b"
    r"|shooting\s+at\b|(?:is|was|were|been|gets|got)\s+(?:shot|stabbed)\b|shot\s+(?:at|dead|by)\b|stabs?\b|stabbing\b",
    r"(?:point|aim|wav|brandish|threaten)\w*\b[^.!?]{0,30}\b(?:gun|pistol|rifle|knife|weapon|axe)\b",
    r"drown\w*|overboard\b|f(?:all|alls|ell|allen)\s+into\s+the\s+(?:\w+\s+)?(?:river|harbour|lake|sea|well|canal|pond|water)\b",
    r"(?:hit|struck|run\s+over|knocked\s+down)\s+by\s+(?:an?|the)\b|attack(?:s|ed|ing)\b|murder\w*|killed\b|(?:has\s+)?died\b"
    r"|passed\s+away\b|(?:is|are|was|lies|lying|found|shot)\s+dead\b|(?:is|was|are|lies)\s+dying\b|trapped\b",
)
_CLOSE = (
    r"(?:mother|father|mum|mom|dad|parents?|husband|wife|partner|son|daughter|child|children|baby|brother|sister|fianc[ée]e?"
    r"|grand(?:mother|father|ma|pa)|(?:best|dear|dearest|closest|oldest)\s+friend|boyfriend|girlfriend|twins?|family)"
)
_SCHOOL = r"(?:college|university|academy|conservator\w+|medical\s+school|law\s+school|art\s+school)"
_FATE = _any(
    rf"(?:my|our)\s+(?:\w+\s+)?{_CLOSE}\b[^.!?]{{0,40}}\b(?:died|passed\s+away|(?:is|was|are)\s+dead|(?:was|were|been)\s+killed"
    r"|murdered|(?:has|have)\s+drowned|drowned)\b",
    rf"(?:death|funeral|loss)\s+of\s+(?:my|our)\s+(?:\w+\s+)?{_CLOSE}\b",
    r"(?:broke|broken|break|breaks|breaking|split|splits)\s+up\b[^.!?]{0,40}\b(?:after|years|for\s+good|for\s+ever|forever)\b",
    r"(?:left|leaves|leaving|walked\s+out\s+on)\s+me\b[^.!?]{0,30}\b(?:after|years|marriage|for\s+ever|forever|for\s+good)\b",
    r"(?:we|I)\b[^.!?]{0,20}\b(?:divorced|getting\s+a\s+divorce|have\s+separated)\b",
    rf"(?:accepted|admitted)\s+(?:to|at|into|by)\s+(?:\w+\s+){{0,4}}{_SCHOOL}\b|college\s+acceptance\b",
    rf"(?:got|get|gotten|have\s+made\s+it)\s+into\s+(?:\w+\s+){{0,3}}{_SCHOOL}\b",
    rf"{_SCHOOL}\b[^.!?]{{0,40}}\b(?:accepted|admitted|offered)\s+me\b",
    r"(?:I|wife|we)\s+(?:\w+\s+)?(?:gave|have\s+given)\s+birth\b|birth\s+of\s+(?:my|our)\b",
    r"(?:my|our)\s+(?:\w+\s+)?(?:daughter|son|child|baby|twins?)\b[^.!?]{0,15}\b(?:born|(?:has|have)\s+arrived)\b",
    r"(?:my|our)\s+(?:own\s+)?li(?:fe|ves)\s+(?:is|was|are|were)\s+in\s+danger\b|afraid\s+for\s+my\s+life\b",
    r"I\b[^.!?]{0,15}\b(?:nearly|almost|could\s+have)\s+(?:been\s+|was\s+)?(?:died|drown(?:ed)?|killed|burn(?:t|ed)|suffocated)\b",
    r"I\s+(?:am|was)\s+(?:being\s+)?(?:trapped|drowning|stabbed|shot|bleeding|choking|attacked|dying)\b",
    r"(?:point|aim|shoot|shot|fir)\w*\b[^.!?]{0,30}\bat\s+me\b|(?:attack\w*|stab\w*|threaten\w*)\s+me\s+with\b",
)
_COMMON = _any(
    r"(?:runs?|running|stands?|standing)\s+for\s+(?:election|office)\b",
    r"(?:run|stand)(?:s|n?ing)?\s+for\b[^.!?]{0,40}\belections?\b|(?:is|was|been|be)\s+(?:re-?)?elected\b",
    r"(?:on|go(?:es|ing)?\s+on|calls?\s+(?:for\s+)?an?)\s+strike\b|mutin\w+|revolt\w*|resigns?\b|abdicat\w+",
    r"(?:will|is\s+to|are\s+to|going\s+to|wants?\s+to)\s+(?:be\s+)?(?:clos|shut|sell|sold|give\s+up|pull)\w*\s+(?:down\s+)?(?:the|our)\b",
)
_CHORE = r"washing\s+up|washing\s+the\s+dishes|doing\s+the\s+(?:dishes|washing-?up)"
_PLACE = r"(?:\s+(?:at|in|into|to|for|from|by|through|out|of|home|again|here|there|the|a|now)\b)*"
_PASSING = re.compile(
    rf"(?:[^\s.,!?:\"“]+\s+){{1,4}}?(?:(?:has|have|is|am|are|was)\s+)?(?:(?:just|now)\s+)?"
    rf"(?:arriv(?:es?|ed|ing)|com(?:es?|ing)\s+(?:in|home|back)|came\s+(?:in|home|back)|left|leav(?:es?|ing)|enter(?:s|ed|ing)?"
    rf"|(?:goes|going|went)\s+(?:out|home|away)|{_CHORE}){_PLACE}(?:\s+[^\s.,!?:]+){{0,4}}\s*[.!]?",
    re.IGNORECASE,
)
_NO_PASSING = _any(
    r"me\b|us\b|him\b|her\b|husband\b|wife\b|partner\b|girlfriend\b|boyfriend\b|child\w*|ever\b|forever\b|good\b|years?\b|jobs?\b"
    r"|job\b|dead\b|alone\b|behind\b|message\b|note\b|baby\b|twins?\b|son\b|daughter\b|letter\b|for\s+(?:college|university)\b|ambulance\b|police\b|bl?eeding\b"
)
_NOTHING_SAID = _any(r"(?:of|about)\s+nothing\s+in\s+particular\b")


def bounds_of(sentence: str) -> Bounds:
    """Return the least and the most that *sentence* weighs: from 1 to 10 where no sign in it says otherwise."""
    rest = _HARMLESS.sub(" ; ", sentence)
    if _FATE.search(rest):
        return Bounds(_FATEFUL, 10.0)
    if _HARM.search(rest):
        return Bounds(_BODILY, 10.0)
    if _DANGER.search(rest):
        return Bounds(_DANGEROUS, 10.0)
    if _COMMON.search(rest):
        return Bounds(_PUBLIC, 10.0)
    if _NOTHING_SAID.search(rest) or (_PASSING.fullmatch(sentence.strip()) and not _NO_PASSING.search(sentence)):
        return Bounds(1.0, _EVERYDAY)
    return Bounds(1.0, 10.0 if rest == sentence else _TAME)
