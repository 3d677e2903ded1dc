"""What is done by saying something: insults, apologies, thanks, promises; and what a gesture that a text tells of does.

The rule reads English.  A text in another language, or without any of the signs, holds no act.
"""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from memory.language.moments import names_a_moment
from memory.language.sentences import sentences
from memory.language.words import content_words, folded, is_abusive

Gesture = Literal["help", "smile", "snub", "insult"]
Act = Literal[
    "insult", "rejection", "promise broken", "accusation", "contradiction", "disagreement", "apology",
    "reconciliation", "help", "promise kept", "thanks", "praise", "joke", "evidence", "agreement",
]  # fmt: skip
_BY_WEIGHT: tuple[Act, ...] = get_args(Act)
HOSTILE: tuple[Act, ...] = ("insult", "rejection", "promise broken", "accusation")

_NOT_COMING = r"(?:didn't|did not|never|wouldn't|forgot)"
_OPENS = r"(?:^|[.!?,;:—-]\s*|\b(?:just|please|now|so|then|oh|and)\s)(?:just |please |now )?"
_CLOSES = r"(?=\s*(?:[.!,;?…]|$|you\b|will you\b|for once\b))"
_BAD = (
    r"(?:awful|terrible|horrible|dreadful|disgusting|rotten|lousy|pathetic|ridiculous|rubbish|trash|garbage|worthless"
    r"|useless|hopeless|shameful|a disgrace|a joke|a mess|a waste of (?:time|money)|cheap|ugly|stupid|boring|worst)"
)
_SIGNS: Mapping[Act, str] = {
    "rejection": rf"{_OPENS}(?:shut up|get lost|go away|get out(?: of my \w+)?|drop dead|go to hell|get a life|grow up"
    rf"|back off|piss off|buzz off|beat it|leave me alone|let me be){_CLOSES}|\bshut up\b|\bleave me alone\b"
    rf"|{_OPENS}(?:mind your own business|save (?:it|your breath)|spare me\b|stay (?:away from|out of) (?:me|my)\b"
    r"|get your (?:\w+ )?hands? off|keep (?:your (?:nose|hands|opinions?|advice|thoughts)|away from (?:me|my)"
    r"|out of my)"
    r"|take your \w+ and (?:go|leave)|get out of my|don't (?:you dare|ever|you ever) (?!worry|doubt|forget|change|give)"
    r"(?:touch|talk|speak|come|call|lie|do|show|set|say|go near|bother|tell|look|mention)\b)"
    r"|\bi (?:really |just |do |absolutely )?(?:hate|despise|detest|loathe|can't stand|cannot stand|can't bear|pity)"
    r" (?:you|the sight of you|your (?:face|guts|voice))(?! (?:had|have|were|are|went|missed|can|feel|got|lost|for)\b)"
    r"|\b(?:i )?never (?:want to |wish to )?(?:see|speak to|talk to|hear from) (?:you|me) again\b|\bnever speak to me\b"
    r"|\bi (?:don't|do not) want (?:anything (?:more )?to do with you|you (?:here|around|near|in my))\b"
    r"|\bi (?:don't|do not|never) want to (?:see|hear from|speak to|speak with|talk to) you(?:r face)?"
    r"(?: again| any ?more| ever again| now)?(?=\s*[.!,;]|$)"
    r"|\bi(?:'m| am) (?:so |just |completely )?(?:done|finished|through) with you\b|\bi(?:'ve"
    r"| have) (?:had )?enough of you"
    r"(?:r (?!kind|lovely|great))?\b|\bi(?:'ve| have) had enough of you(?:r \w+)?\b"
    r"|\bi(?:'m| am) (?:so |really |just )?(?:sick|tired|fed up|sick and tired)(?: of| with) you(?:r \w+)?\b"
    r"|\bi(?:'ll| will| can|'d| would)(?: never|n't| not) (?:forgive|trust|believe|help) you(?! enough)\b"
    r"|\bi have nothing (?:more |left )?to say to you\b|\byou(?:'re| are) (?:dead|nothing|no one) to me\b"
    r"|\byou mean nothing to me\b|\byou(?:'re| are) no (?:longer (?:a |my )?)?friend\b|\bnot my friend any ?more\b"
    r"|\byou(?:'re| are) not welcome\b|\bno longer welcome\b|\bi wish (?:i(?:'d| had) never (?:met|trusted|helped"
    r"|known)"
    r"|you(?:'d| would| were)(?: just)? (?:leave|go away|gone|disappear|never been born))\b"
    r"|\bi (?:regret|rue) (?:ever )?(?:meeting|helping|trusting|knowing|inviting|marrying) you\b"
    r"|\b(?:i )?(?:don't|do not|couldn't|could not) care (?:less )?(?:about |for )?(?:what you|you(?:r (?:opinion"
    r"|feelings)"
    r")?(?=[.!,]|$))|\bnobody (?:asked|cares (?:what|about)|wants|likes|needs|invited|believes) you(?:r \w+)?\b"
    r"|\bnobody asked (?:for your|you)\b|\bwho asked (?:you|for your)\b|\bno ?(?:body|one) (?:here )?(?:likes"
    r"|wants) you\b"
    r"|\bi hope you (?:fail|lose|suffer|choke|regret|rot|never)\b|\byou(?:'ll| will) (?:pay for|regret) (?:this"
    r"|that|it)\b"
    r"|\bi(?:'ve| have)? never (?:really )?(?:liked|loved|trusted|wanted|respected|needed|believed) you\b"
    r"|\b(?:rather|sooner) [^.!?,]+ than [^.!?,]*\b(?:you|your)\b|\b(?:who|nobody|i don't|we don't) needs? you\b"
    rf"|{_OPENS}(?:stop|quit) (?:\w+ing) (?:me|us|at me|around my)\b|{_OPENS}(?:stop|quit) (?:lying|whining"
    rf"|complaining|nagging)"
    rf"|{_OPENS}(?:don't|do not|never) (?:you )?(?:touch|talk to|look at|speak to|follow|lie to|come near|blame"
    rf"|push|rush) (?:me|us)\b"
    rf"|{_OPENS}(?:go and |go )?(?:bother|annoy|pester) (?:someone|somebody|anyone) else\b|\bdo us all a favou?r\b"
    r"|\bcan do without (?:you|your)\b|\btake your \w+ (?:somewhere|elsewhere)\b|\bcry me a river\b"
    r"|\bcan you (?:ever |just |for "
    r"once [\w ]*)be quiet\b|\bmust you (?:always|really)\b|\bi(?:'m| am) ashamed (?:of|to \w+) you\b"
    r"|\bbecause of you\b"
    r"|\byou call (?:that|this)\b|\b(?:dumbest|stupidest|worst|silliest) (?:\w+ )?i(?:'ve| have)? ever (?:heard"
    r"|seen|tasted|met)\b"
    r"|\bwhat a (?:stupid|dumb|idiotic|ridiculous|pathetic|silly) \w+\b|\byou people\b"
    r"|\byou(?:'re| are) (?:just |only )?jealous\b|\byou treat me like\b|\bi(?:'ve| have) never met (?:anyone"
    r"|anybody) (?:so|as) "
    r"(?!kind|good|nice|lovely|sweet|generous|funny|brave|smart|talented|amazing|wonderful)\w+"
    r"|\b(?:it )?serves you right\b|\bthanks for nothing\b|\bsome (?:friend|help|neighbou?r|brother|sister) you\b",
    "accusation": r"\byou(?:'ve| have)? (?:just |always |only )?(?:ruin(?:ed)?|cheat(?:ed)?|wreck(?:ed)?|sabotaged?"
    r"|humiliated?|deceived?|tricked|betray(?:ed)?|insult(?:ed)?|mock(?:ed)?|used me|lied|backstabbed)\b"
    r"|\byou(?:'ve| have)? (?:just |always )?(?:stole|stolen|destroy(?:ed)?|spoil(?:ed|t)?)"
    r"(?! (?:the show|my heart|me\b|us\b|that|it\b))|\byou (?:broke my (?!record)|took my|sold my|went behind)"
    r"|\bbehind my back\b|(?<!think )(?<!like )(?<!if )(?<!say )\b(?:it's|it is|it was|this is|that's|that is|that was)"
    r" (?:all )?your (?:own )?fault\b|\byou(?:'re| are) (?:the one )?to blame\b|\bi blame you\b"
    r"|\bi can(?:'t|not) believe (?:that )?you (?:would|did that|could|lied|forgot|never|didn't|ruined|sold|broke"
    r"|let)\b"
    r"|\bi(?:'m| am) (?:so |very |really )?(?:angry|furious|disappointed|mad)(?: with| at| in) you\b"
    r"|\byou (?:disgust|sicken|disappoint|bore|annoy|infuriate) me\b|\byou make me (?:sick|want to (?:vomit|scream"
    r"|throw up)"
    r"|so (?:angry|mad))\b|\byou (?:never|don't ever|hardly ever|can't even|won't even|don't even) (?:listen|care|help"
    r"|think|pay|apologi[sz]e|do anything|keep|try|clean|learn|shut)\b|\byou (?:don't|do not) care (?:about (?:me"
    r"|anyone"
    r"|anybody|us|others)|at all)\b|\byou (?:only|just) (?:ever )?(?:think|care) (?:of|about) (?:yourself|money)\b"
    r"|\byou always (?:have to )?(?:complain|blame|lie|interrupt|spoil|ruin|start|make everything|let)\b"
    r"|\byou have no (?:idea what you(?:'re| are) talking|right to|shame|manners|heart|decency|respect|taste|brain"
    r"|business"
    r"|clue)|\byou (?:talk|complain|whine|drink) too much\b|\byou(?: ought to|'d better| should) be ashamed\b"
    r"|\bshame on you\b|\bwhat(?:'s| is| on earth is| the hell is) (?:the matter|wrong) with you\b(?=\s*[?!]*$|[?!])"
    r"|\bwho do you think you are\b|\bhow (?:dare|could) you(?! (?:tell|know|afford|help))\b|\bi knew (?:i"
    r"|we) (?:could not"
    r"|couldn't|can't|shouldn't|should never) (?:have )?trust(?:ed)? you\b|\b(?:everyone|everybody|they all"
    r"|people) (?:here )?"
    r"(?:laughs? (?:at|about)|hates?|avoids?|knows? (?:that )?you(?:'re| are) (?:a )?(?:liar|fraud|cheat)"
    r"|talks? behind)"
    r" ?you\b|\byou couldn't \w+ [^.!?]*\bif (?:your life|you tried)|\b(?:rotten|nasty|cruel|mean|horrible|terrible"
    r"|awful"
    rf"|vile|low) thing to (?:do|say)\b(?! happen)|\byou(?:r (?!poor|day|week|boss|ex|landlord|trip)[\w-]+(?: [\w-]+)?)"
    rf" (?:is|are|was|were|tastes?|looks?|smells?|sounds?)"
    rf"(?: (?:so|just|really|always|absolutely|simply|truly|like|a|the|such))* {_BAD}\b"
    r"|\b(?:tastes?|smells?) like (?:cardboard|dirt|rubbish|garbage|mud|feet|old socks)\b",
    "promise broken": rf"\byou promised\b[^.!?]*\b(?:but|and)\b[^.!?]*\b{_NOT_COMING}\b|\byou (?:let me down|lied\b)"
    r"|\b(?:broke|break|broken) (?:your|a|the) (?:promise|word)\b|\b(?:didn't|did not) keep your (?:promise|word)\b"
    rf"|\byou {_NOT_COMING} (?:come|came|show(?:ed)? up|turn(?:ed)? up)\b|\byou stood me up\b|\byou betrayed\b",
    "contradiction": r"(?<!something )\byou(?:'re| are) (?:so |quite |dead |just |simply |completely |totally "
    r"|all )?wrong\b"
    r"(?! (?:size|room|place))|^nah[.!,]?(?= (?:that|you|i (?:don't|disagree)|it's not)|$)"
    r"|\bthat(?:'s| is) (?:so |just |simply |completely |plain |all )?(?:wrong|nonsense|rubbish|false|a lie)\b"
    r"|\bthat(?:'s| is) (?:just |simply )?not true\b|\bi don't believe (?:you\b|a word)|\bwhat (?:utter )?nonsense\b"
    r"|^nonsense[.!]*$|\byou(?:'re| are) (?:just |simply )?(?:mistaken|talking nonsense|being (?:ridiculous|unfair"
    r"|silly"
    r"|unreasonable))\b",
    "disagreement": r"\bi (?:(?:do|must|have to|strongly|completely|totally|politely|respectfully) )*disagree\b"
    r"|\bi (?:don't|do not|can't|cannot) agree\b|\bi (?:don't|do not) (?:think|see it) (?:so|that way)\b"
    r"|\bi see it differently\b|\bi beg to differ\b|\bi object\b|\bi(?:'m| am) against (?:it|that|this|you)\b"
    r"|\bi doubt that\b",
    "apology": r"\bi(?:'m| am)(?: so| very| really| truly| terribly)? sorry\b"
    r"(?! to (?:hear|see|say)|,? (?:but )?i(?:'m|'ve| am| have| can| must| won't| need| will be))"
    r"|\bi apologi[sz]e\b|\bforgive me\b|\bmy apologies\b|\b(?:it was|that was|that's) my (?:own )?fault\b"
    r"|\bi was wrong\b|\bi shouldn't have\b|\bi owe you an apology\b"
    r"|\bmake it up to you\b|\bi take it back\b",
    "reconciliation": r"\bi(?: have|'ve)? (?:forgive|forgiven) you\b"
    r"|\b(?:i )?accept your apology\b|\bbury the hatchet\b"
    r"|\b(?:let's|let us|we (?:should|can|could)) (?:make (?:peace|up)|be friends(?: again)?"
    r"|put (?:this|it|that) behind us|start (?:over|afresh))\b|\bno hard feelings\b|\bwater under the bridge\b"
    r"|\bfriends again\b",
    "help": r"\b(?:let me|i can|i could|i'll|i will|happy to|glad to) (?:gladly |always )?(?:help|lend)\b"
    r"|\bi(?:'ve| have)? (?:helped|fixed|repaired|brought|made) (?:you|this for you|it for you|your)\b"
    r"|\bgive you a hand\b|\bcount on me\b|\bi(?:'m| am) here for you\b|\bcan i help\b",
    "promise kept": r"\b(?:kept|keep|keeping) (?:your|my) (?:promise|word)\b|\b(?:just )?as (?:you|i) promised\b"
    r"|\bknew i could (?:count|rely) on you\b",
    "thanks": r"(?<!well, )(?<!fine, )(?<!good, )\bthank(?:s| you)\b|\bi(?:'m| am) (?:so |very |really )?grateful\b"
    r"|\bi (?:really )?appreciate\b",
    "praise": r"\bwell done\b|\bcongrat(?:ulation)?s\b|\bi (?:really |absolutely |just |do )?(?:love|like"
    r"|adore) (?:you\b|your\b"
    r"|how you\b|spending time with you)|\bwhat an? (?:\w+ )?(?:great|good|lovely|wonderful|brilliant|splendid"
    r"|fantastic"
    r"|beautiful|excellent|fine|sweet) (?!day|night|morning|evening|weekend)\w+|\bi(?:'m| am) (?:so |very |really "
    r"|always )?"
    r"(?:glad|happy|pleased|delighted|thrilled|lucky) (?:that )?(?:you(?:'re| are|'ve)?\b|to (?:see|have|know) you"
    r"|for you)"
    r"|\b(?:how |so |it's |it is |always )?(?:lovely|nice|good|great|wonderful) to (?:see|have|meet|know) you\b"
    r"|\bi(?:'ve| have)? (?:really )?missed? you\b|\bi(?:'m| am) (?:always )?with you\b|\byou(?:'re| are) the best\b"
    r"|\b(?:that's|that is|that was|how) (?:so |very |really )?(?:kind|sweet|thoughtful|nice|good|generous) of you\b"
    r"|\byou look (?:so |really |very )?(?:great|lovely|wonderful|beautiful|good|amazing|well)\b|\byou rock\b"
    r"|\b(?:great|good|nice|amazing|awesome|excellent|fantastic|wonderful) (?:job|work|idea)\b|\bi (?:trust|believe in)"
    r" you\b|\byou make (?:me|my day|everything) (?:so |better|happy|smile|feel (?:better|good|safe|welcome))"
    r"|\bkeep (?:it|that) up\b|\bi(?:'m| am) (?:so |very )?proud of you\b"
    r"|\bi (?:really )?(?:like|admire) you\b"
    r"|\byou(?:'re| are) (?:so |very |really |such )?(?:a )?(?:kind|wonderful|brilliant|generous|clever|talented"
    r"|good friend)\b|\byou(?:'ve| have)? (?:did|done) (?:a )?(?:great|good|wonderful|lovely|fine)\b",
    "joke": r"\blo+l\b|\b(?:ha ?){2,}h?\b|\b(?:just )?kidding\b|\bjoking\b|\bhilarious\b|\byou make me laugh\b"
    r"|[\U0001F602\U0001F923\U0001F604\U0001F606]",
    "evidence": r"\baccording to\b|\bevidence\b|\b(?:my|a good|the) sources? (?:is|are|says?)\b"
    r"|\bi read (?:that|in)\b|\b(?:research|studies) shows?\b",
    "agreement": r"\bi (?:completely |totally |fully |quite |do )?agree\b"
    r"|\byou(?:'re| are) (?:quite |so |absolutely )?right\b|\bgood point\b|\bexactly[.!,]|\babsolutely\b(?! not)"
    r"|\bcount me in\b|\bwith pleasure\b|\bi(?:'d| would) love to\b"
    r"|\bsounds? (?:good|great|lovely|wonderful|like fun)\b|\bwell said\b|\bgladly\b",
}
_PATTERNS = {act: re.compile(sign) for act, sign in _SIGNS.items()}
_ASCRIBED = re.compile(
    r"(?<![\w'])(?!i\b|can't\b|cannot\b|not\b|don't\b)[\w']+ "
    r"(?:says?|said|thinks?|thought|told|claims?|believes?|calls?)(?: \w+)?(?: that)? ?$"
)
# What one says of a person, or of what a person does, to blame: stems, so that "lying", "lies" and "liar" are one.
_BLAME = (
    r"(?:stupid|dumb|idio|moron|imbecil|fool(?:ish)?\b|li(?:ar|es|ed|ying)\b(?! (?:down|in|on))|cheat|thie[fv]"
    r"|steal|fraud"
    r"|crook|coward|hypocri|selfish|arrogan|greed|jealous|env(?:y|ious)|cruel|nasty|rude|mean-|vicious|spite|malic|evil"
    r"|wicked|shame(?:less|ful)|ashamed|disgrac|disgust|pathetic|ridicul|worthless|useless|hopeless|incompeten"
    r"|clumsy|lazy"
    r"|idle talk|ignoran|arrogan|vain\b|conceited|smug|snob|bully|bull(?:ies|ied|ying)|tyran|monster|parasit|leech"
    r"|traitor"
    r"|betray|treacher|sneak|two-faced|dishonest|untrust|unreliab|irrespons|ungrateful|thankless|heartless|insuffer"
    r"|unbear|intoler|impossible to (?:live|work|talk|deal|please)|so difficult|ruin|wreck|botch|bungl|spoil(?! me| us)"
    r"|sabotag|humiliat|insult|mock|ridicul|pester|bother me|annoy|nag(?:s|ging)?\b|whin(?:e|ing)\b|complain|blam"
    r"|excus(?:es)"
    r"|nonsense|rubbish|garbage|trash|crap|dirt\b|scum|filth|stink|stench|smells? (?:awful|bad|terrible)|awful|horribl"
    r"|terribl|dreadful|lousy|rotten|miserable\b|disappoint(?:ment|ing)|embarrass|laughing ?stock|joke\b|failure|loser"
    r"|nothing without|nobody (?:likes|visits|wants|cares|believes|trusts)|no (?:manners|shame|decency|respect|heart)"
    r"|better than (?:us|me|everyone|everybody)|don't deserve|do not deserve|waste (?:of|another|my|any)"
    r"|for once in your life"
    r"|means? nothing|all the same|not (?:any|got any) smarter|haven't got any|owe me an apology)"
)
_YOU = r"\b(?:you|your|yours|yourself|you're|you've|you'd|you'll|ya)\b"
_BLAMES = re.compile(rf"{_YOU}.*\b{_BLAME}|\b{_BLAME}.*{_YOU}")
# Not blame, though the words are there: sympathy, what befell somebody, modesty, thanks, and a question whether.
_SPARES = re.compile(
    r"\b(?:sorry|poor (?:you|thing|dear)|for you\b|to you\b|happened|happen to|hope|worr(?:y|ied)|must (?:be|feel"
    r"|have been)"
    r"|don't (?:be|feel|worry|let)|do not (?:be|feel)|never mind|if (?:you|i|it|they|he|she)\b|whether|no idea|thank"
    r"|i(?:'m| am| was| feel| felt| must| hate to| have been)(?: \w+)? (?:so |such |being )?(?:a |an )?\w*(?:stupid"
    r"|silly|fool"
    r"|awful|terribl|horribl|annoying|bother|lazy|clumsy|jealous|embarrass|rude|selfish)|my (?:\w+ )?(?:boss|ex"
    r"|landlord"
    r"|brother|sister|teacher|neighbou?r|colleague)|his\b|her\b|he\b|she\b|they\b|their\b|them\b|awfully|terribly"
    r"|you (?:feel|look|seem|had|got|went through|dealt|saw|heard|hear|read|see|watch|know|told|tell|like|love"
    r"|enjoy|need"
    r"|want|remember|ever)\b)"
)
_NO_BLAME = re.compile(r"\b(?:not|n't|never|no|isn't|aren't|don't|won't|without|hardly|less|stop)(?: \w+){0,2} $")
_BEFELL = re.compile(
    r"^\w* (?:day|days|week|weeks|month|year|time|times|night|morning|accident|storm|news|loss|weather|trip"
    r"|headache|dream"
    r"|thing|things|situation|experience|experiences|moment|moments|job|commute|traffic|allerg\w+|pain|injur\w+"
    r"|illness)\b"
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|hardly|nor|without|n't|don't|didn't|can't|won't|isn't|doesn't)(?: \w+){0,2} $"
)
_MILD = (
    "stupid|liar|fool|loser|coward|pathetic|disgusting|useless|worthless|cheat|thief|hypocrite|jerk|selfish|crook|"
    "traitor|disgrace|incompetent|lazy|backstabber|weasel|snake|swine|bully|brute|parasite|despicable|vile|heartless|"
    "ungrateful|two-faced|good-for-nothing|busybody|snob"
)
# Of these "you mean", "are you mad" and "you waste" are no names: they count after "you are" alone.
_TRAITS = (
    "rude|mean|cruel|nasty|awful|horrible|terrible|dreadful|rotten|hateful|disgraceful|dishonest|arrogant|ignorant|"
    "spiteful|greedy|hopeless|ridiculous|clueless|insufferable|unbearable|annoying|boring|ugly|dumb|petty|sneaky|"
    "cowardly|"
    "cheater|pig|rat|clown|fraud|phony|failure|nuisance|pest|joke|waste|burden|monster|witch|hag|creep|nobody|trouble|"
    "gossip|tyrant|worst|thoughtless|inconsiderate|irresponsible|unreliable|untrustworthy|shameless"
)
_YOU_ARE = re.compile(
    r"\byou(?P<are>'re|r| are| were)?(?: (?:a|an|such|so|just|nothing|but|really|always|the|most|complete|little|old|my"
    r"|absolutely|simply|truly|too|quite|rather|very))* (?P<word>[\w-]+)"
)
_GESTURE_SIGNS: Mapping[Gesture, str] = {
    "insult": r"\b(?:insult|mock|curse|swear|spit|jeer|sneer|yell|shout|taunt|ridicule)(?:s|es|ed|ing|ting)?\b",
    "snub": r"\b(?:ignor|snub|shun|avoid|rebuff)(?:s|e|es|ed|ing|bed|bing|ned|ning)?\b"
    r"|\bturn(?:s|ed|ing)? (?:away|h(?:is|er) back)\b|\bwalk(?:s|ed|ing)? past\b"
    r"|\broll(?:s|ed|ing)? (?:his|her|their|my) eyes\b|\bglare[sd]?\b|\bscowl\w*\b",
    "help": r"\b(?:help|assist)(?:s|ed|ing)?\b|\bhold(?:s|ing)? the door\b"
    r"|\bcarr(?:y|ies|ied|ying) \w+ (?:bag|basket|box)|\bgiv(?:e|es|ing) (?:\w+ )?a hand\b|\bcomfort(?:s|ed|ing)?\b",
    "smile": r"\b(?:smil|grin|beam)(?:s|e|es|ed|ing)?\b|\bwav(?:e|es|ed|ing)\b|\bnod(?:s|ded|ding)? (?:warmly|kindly)\b"
    r"|\bhug(?:s|ged|ging)?\b|\bwink(?:s|ed|ing)?\b",
}
_GESTURE_PATTERNS = {gesture: re.compile(sign) for gesture, sign in _GESTURE_SIGNS.items()}
_ADVERB = r"(?:really|also|just|still|always|often|usually|sometimes|already|now|certainly|probably|\w+ly)"
_OWNER = r"(?:a|an|the|my|his|her|their|our|some)"
_OTHERS = (
    r"(?:every(?:one|body)|any(?:one|body)|people|all(?:\s+(?:of\s+)?" + _OWNER + r")?(?:\s+\w+)?"
    r"|(?:" + _OWNER + r"\s+)?(?:customers|guests|friends|neighbou?rs|visitors|colleagues|students|regulars|villagers)"
    r"|others|the\s+others|whoever\s+\w+)"
)
_TO_COME = re.compile(
    r"\b(?:will|shall)\s+(?!not\b|never\b)\w|['’]ll\s+(?!not\b|never\b)\w"
    r"|\b(?:going|about|hoping|planning|intending|wanting|aiming)\s+to\s+(?!" + _OWNER + r"\b)(?-i:[a-z])"
    r"|\b(?<!n['’]t )(?<!not )(?:plans?|wants?|intends?|hopes?|means?|wish|wishes|would\s+like|['’]d\s+like"
    r"|decided|agreed|promised|am\s+due|is\s+due)\s+to\s+\w"
    r"|\blook(?:s|ing)?\s+forward\s+to\b|\b(?:is|are|am|['’]m|['’]s|['’]re)\s+(?:" + _ADVERB + r"\s+)?"
    r"(?:running\s+for|standing\s+for|getting\s+married|moving\s+to|inviting"
    r"|(?:giving|hosting|throwing|organi[sz]ing|planning|arranging|celebrating)\s+" + _OWNER + r"\b)"
    r"|\b(?:takes?|taking)\s+place\b|\b(?:scheduled|planned)\s+for\b"
    r"|\bplan(?:s|ning)?\s+on\s+\w+ing\b|\bplanning\s+(?:on|for)\s+" + _OWNER + r"\b",
    re.IGNORECASE,
)
# These speak of something to come only with a day or an hour: "there is a fire", "holding a cup" do not.
_IF_DATED = re.compile(
    r"\b(?:there\s+(?:is|are)|there['’]s)\s+(?!no\b|nothing\b)"
    r"|\b(?:is|are|am|['’]m|['’]s|['’]re)\s+(?:holding|having|opening|preparing)\b"
    r"|\b(?:tell|ask|invit|urg|encourag|want|wish|expect|would\s+like|['’]d\s+like)(?:e|s|es|ing)?\s+"
    + _OTHERS
    + r"\s+(?:along\b|over\b|to\s+(?:"
    + _OWNER
    + r"|join|come|attend|visit|celebrate|gather|meet|drop|stop|be|take\s+part)\b)|\b"
    + _OTHERS
    + r"\s+(?:is|are)\s+(?:\w+ly\s+)?(?:invited|welcome)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hello|hi|hey|hiya|greetings|welcome|good (?:morning|afternoon|evening|day)"
    r"|(?:it['’]s |how )?(?:nice|good|great|lovely) to (?:see|meet) you|how are you|how do you do"
    r"|how['’]s it going|what['’]s up)\b",
    re.IGNORECASE,
)
_BYE = r"(?:good ?bye|bye|see you|see ya|farewell|take care|good ?night|so long)\b"
_FAREWELL = re.compile(
    rf"{_BYE}|(?:"
    r"until (?:then|later|next time|tomorrow)|talk to you (?:later|soon)"
    r"|have a (?:nice|good|great|lovely|wonderful)"
    r"|i (?:must|have to|should|need to|had better) (?:go|leave|be off)"
    r"|(?:it was )?(?:nice|good|great|lovely) (?:to talk|talking|seeing|chatting|meeting))\b",
    re.IGNORECASE,
)
# A clause of its own that is a goodbye, with nothing after it but a name or a "for now": "it was a good night",
# "how good to see you", "take care of the wool" and "it has been so long" are none.
_TO_WHOM = r"(?:\s*,?\s+(?:(?:my )?(?:dear|friends?|all|both|everyone|everybody|now|then|(?-i:[A-Z][\w'-]*\.?)))){0,4}"
_WHEN = (
    r"(?:\s+(?:around|later|soon|again|then|there|tomorrow|tonight|next|on|at|in|this|by|when|before|after"
    r"|(?-i:[A-Z]))\b.*)?"
)
_GOODBYE = re.compile(
    r"(?:^|[,;:.!…–—-]\s*)"
    r"(?:(?:well|so|then|and|but|now|oh|ok|okay|alright|all right|right|anyway|until then|have a|a|thanks|thank you"
    r"|I(?:['’]ll| will| shall)|we(?:['’]ll| will| shall)|I (?:must|should|have to) say)[,\s]+){0,3}"
    rf"(?:(?:good ?bye|bye(?:[- ]bye)?|farewell|good ?night|so long)(?:\s+(?:for now|till then|until then))?{_TO_WHOM}"
    rf"|take care(?:\s+of yoursel(?:f|ves))?(?:\s+(?:out there|on the way|till then|until then))?{_TO_WHOM}"
    rf"|see (?:you|ya)(?:\s+(?:all|both))?{_TO_WHOM}{_WHEN})"
    r"\s*(?:,?\s*(?:and )?(?:thanks|thank you|sleep well|sweet dreams)\b.*)?$",
    re.IGNORECASE,
)
_STAGED = re.compile(r"\*[^*\n]*\*|\([^()\n]*\)")  # *waves*, (smiles)
_LAST_MARKS = re.compile(r"^[\s\"“”'’]+|[^\w]+$")
_POLITE = re.compile(r"(?:thanks?|thank you|likewise|you too|fine|well|oh|and you|cheers)\b", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_NOT = r"(?:(?:do|did|have|could|can)(?: not|n['’]t)|cannot|can['’]t|(?:have )?never)"
_DENIES = re.compile(
    rf"\bI(?:['’]ve)? (?:(?:really|honestly|simply|quite|just) )?{_NOT} (?:(?:\w+ ){{0,2}})"
    r"(?:know|hear|heard|met|meet|say|tell|remember|recall|recogni[sz]e|decided|thought|come to)\b"
    r"|\b(?:no idea|not that I (?:know|remember|recall)|nothing (?:that )?I (?:know|remember)|means nothing to me)\b"
    r"|\bI (?:am|['’]m) (?:not|un)\s?(?:sure|aware|familiar)\b|\b(?:unknown|unfamiliar) to me\b"
    r"|\bI (?:have|know(?: of)?|remember) (?:no\b|nobody|nothing|no one)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"\b(?:would|might|could|should|(?-i:may)|hope|wish|perhaps|maybe|if)\b|['’]d\b", re.IGNORECASE)


def acts_in(text: str) -> list[Act]:
    """Return the acts that *text* holds, the weightiest first; what it quotes is not read."""
    plain = _plain(text)
    found: list[Act] = ["insult"] if _insults(plain) else []
    found += [act for act, pattern in _PATTERNS.items() if _says(pattern, plain, act)]
    if not any(act in found for act in HOSTILE) and _blames(plain):
        found.append("accusation")
    if "agreement" in found and ("disagreement" in found or "contradiction" in found):
        found.remove("agreement")
    return sorted(found, key=_BY_WEIGHT.index)


def read_gesture(text: str) -> Gesture | None:
    """Return the gesture that *text* tells of (``Nora smiles at Samir``), None for any other doing."""
    plain = _plain(text)
    return next((gesture for gesture, pattern in _GESTURE_PATTERNS.items() if _says(pattern, plain, "help")), None)


def denies(sentence: str) -> bool:
    """Return whether *sentence* says that one does not know."""
    return bool(_DENIES.search(sentence))


def supposes(sentence: str) -> bool:
    """Return whether *sentence* says what may be, not what is."""
    return bool(_SUPPOSES.search(sentence))


def is_question(sentence: str) -> bool:
    """Tell whether *sentence* ends as a question."""
    return sentence.rstrip(" \t\n\"”'’*)」").endswith(("?", "？", "؟"))


def is_intention(sentence: str) -> bool:
    """Return whether *sentence* states something to come: a will, a plan, a wish, a fixed event."""
    spoken = _QUOTED.sub(" ", sentence).strip()
    if not spoken or spoken.rstrip('"”').endswith(("?", "？")):
        return False
    return bool(_TO_COME.search(spoken)) or bool(_IF_DATED.search(spoken) and names_a_moment(spoken))


def is_greeting(sentence: str) -> bool:
    """Return whether the sentence opens as a greeting."""
    return bool(_GREETING.match(sentence.strip()))


def is_farewell(sentence: str) -> bool:
    """Return whether the sentence opens as a farewell."""
    return bool(_FAREWELL.match(sentence.strip()))


def says_goodbye(text: str) -> bool:
    """Return whether somebody takes leave at the end of *text*; a question takes none."""
    said = sentences(_STAGED.sub(" ", text))
    return bool(said) and not is_question(said[-1]) and bool(_GOODBYE.search(_LAST_MARKS.sub("", said[-1])))


def is_greeting_or_farewell(text: str) -> bool:
    """Return whether *text* holds nothing but greetings, thanks and farewells."""
    said = sentences(text)
    polite = [bool(_POLITE.match(sentence)) and len(sentence) < 40 for sentence in said]
    civil = [is_greeting(sentence) or is_farewell(sentence) for sentence in said]
    short = all(len(content_words(sentence)) <= 6 and not is_intention(sentence) for sentence in said)
    return any(civil) and short and all(a or b for a, b in zip(polite, civil, strict=True))


def _plain(text: str) -> str:
    """Return *text* in lower case without what stands in double quotes, unless all of it does."""
    whole = folded(text)
    unquoted = re.sub(r"[\"“][^\"“”]*[\"”]", " ", whole)
    return " ".join((unquoted if unquoted.strip(" .,!?") else whole).split())


def _says(pattern: re.Pattern[str], text: str, act: Act) -> bool:
    """Tell whether *text* holds the sign without a word just before it that takes it back."""
    # These signs hold their own negation, or none makes sense.
    own = act in ("disagreement", "promise broken", "rejection", "accusation")
    before = [text[: match.start()] for match in pattern.finditer(text)]
    return any(not _ASCRIBED.search(said) and (own or not _NEGATED.search(said)) for said in before)


def _blames(text: str) -> bool:
    """Tell whether a clause of *text* speaks to somebody and blames them, in whatever words."""
    for clause in re.split(r"[.!?;:,…]+|\bbut\b|\bbecause\b(?! of you)", text):
        blame = _BLAMES.search(clause)
        if blame is None or _SPARES.search(clause) or _ASCRIBED.search(clause[: blame.start()]):
            continue
        own = [match for match in re.finditer(rf"\b{_BLAME}", clause)]
        if any(not _NO_BLAME.search(clause[: one.start()]) and not _BEFELL.match(clause[one.end() :]) for one in own):
            return True
    return False


def _insults(text: str) -> bool:
    """Tell whether *text* calls the listener names: ``you idiot``, ``you are a liar``, or a name alone."""
    alone = re.findall(r"[\w'-]+", text)
    if len(alone) <= 2 and any(is_abusive(word) for word in alone):
        return True
    for match in _YOU_ARE.finditer(text):
        names = f"{_MILD}|{_TRAITS}" if match["are"] else _MILD
        is_name = is_abusive(match["word"]) or re.fullmatch(rf"(?:{names})s?", match["word"])
        if is_name and not _ASCRIBED.search(text[: match.start()]):
            return True
    return False
