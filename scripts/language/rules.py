# SPDX-License-Identifier: MIT
"""Words and patterns that texts of the project avoid, each with the term to write.

A rule is (name, pattern, what to write). Patterns match lower-case text unless they contain an
upper-case letter.
"""
import re

TIME = r"(?:clocks?|cycles?|nodes?|outputs?|inputs?|ports?|links?|flits?|packets?|hops?|levels?|vcs?|lines?|rows?|files?|" \
       r"pages?|directions?|buffers?|chips?|routers?|ranks?|seconds?|minutes?|points?|blocks?|entry|entries|byte|thread)"
COUNTED = r"(?:flits|flit|cycles|packets|bits|bit|bytes|byte|grants?|nanoseconds|ns|kb|mb|lines|wires|registers|points|hops|" \
          r"pins|copies|entries|one|two|three|four|five|six|seven|eight|nine|ten|twice|[0-9](?:[0-9.,]*[0-9])?)"

WORDS = [
    ("clock for cycle", r"\bclocks\b", "cycles"),
    ("clock for cycle", r"\b(?:per|and|each|every|this|that|same|one|next|last|first|previous|earlier|later|at|half|[0-9]) clock\b"
                        r"(?! (?:signal|period|edge|gate|tree|domain|input|pin|frequency|net|generator|rate|cycle))", "cycle"),
    ("clock for cycle", r"\b(?:in|of|for|after|before|within) (?:a|its) clock\b|\bin the clock\b"
                        r"(?! (?:signal|period|edge|gat\w+|tree|domain|input|pin|frequency|net|generator|rate|cycle|skew))", "cycle"),
    ("clock for cycle", r"\bclock (?:[0-9]|\{\}|%)|\b(?:more|fewer) clock\b|"
                        r"\ba clock\b(?! (?:signal|period|edge|gat\w+|tree|domain|input|pin|frequency|net|generator|rate|cycle|skew))",
     "cycle"),
    ("a for per", rf"\b(?<!\.){COUNTED} an? {TIME}\b(?! (?:carries|has|had|needs|takes|is|was|can|may|must|will|holds|sends|waits)\b)", "per"),
    ("person for hardware", r"\b(?:nobody|somebody|whoever|everybody|anybody|whom)\b", "name the port, packet, block or user"),
    ("person for hardware", r"\b(?:for|of|by|to|from|than|as|with|one|knows|see|sees|ask|asks) who\b|\bwho (?:may|takes?|wants?|waits?|"
                            r"is|was|has|holds?|gets?|sends?|goes|comes|drives|wins)\b", "name the port, packet or block"),
    ("tell", r"\b(?:tells?|told|telling)\b", "report, signal, record, show"),
    ("say", r"\b(?:says?|said|saying)\b", "report, state, specify"),
    ("find back", r"\b(?:finds?|found|finding) back\b", "resynchronize, recover"),
    ("fall silent", r"\b(?:falls?|fell|falling) silent\b", "go idle, stop driving"),
    ("lost its place", r"\b(?:lost|loses?|losing|keeps?) (?:its|their) places?\b", "lost synchronization"),
    ("in the place of", r"\bin (?:the|its|their) places?(?: of)?\b|\btakes? the place of\b", "instead of, replaces"),
    ("room, place", r"\broom\b|\b(?:free|no|a) place (?:for|in)\b", "free buffer, space, credit"),
    ("give up", r"\b(?:gives?|given|gave|giving) up\b", "drop, discard, abandon"),
    ("sink", r"\b(?:sinks (?:it|them|packets?|flits?|what|all|the)|sunk|to sink)\b", "consume, discard (the switch is Sink)"),
    ("turn", r"\b(?:its|whose|their|a|the|own|each) turn\b|\bin turns?\b", "round-robin, alternately, grant"),
    ("ask", r"\b(?:asks?|asked|asking)\b", "request, require"),
    ("want", r"\b(?:wants?|wanted|wanting)\b", "request, need, require"),
    ("hold against", r"\b(?:held|holds?|holding)(?: \w+)? against\b|\b(?:held|holds?|keeps?) beside\b", "compare with, match"),
    ("face", r"\bfaces?\b", "model (RTL, SystemC, fast engine)"),
    ("plant", r"\b(?:plants?|planted|planting)\b", "inject; injected bug, mutation"),
    ("how far", r"\bhow far\b", "bounded proof to depth N"),
    ("without a bound", r"\bwithout (?:a|any) bound\b", "unbounded proof"),
    ("crew", r"\bcrews?\b", "worker threads, partitions"),
    ("ledger", r"\bledgers?\b", "scoreboard"),
    ("watcher", r"\bwatchers?\b", "checker, monitor"),
    ("sound", r"\bsound(?:ness)?\b", "valid"),
    ("bad", r"\bbad\b", "malformed, invalid, wrong"),
    ("that cannot be", r"\b(?:that|which|what) cannot be\b(?! \w+(?:ed|t|n)\b)", "unsupported, invalid"),
    ("found out", r"\b(?:finds?|found|finding) out\b", "detect"),
    ("there is not", r"\b(?:that|which|what) there (?:is|are)(?: not)?\b(?! (?:no|a|an|one|more|less|only)\b)", "exists, does not exist"),
    ("under way", r"\bunder way\b", "in flight"),
    ("go on", r"\b(?:goes|go|going|went) on\b", "continue"),
    ("anew", r"\banew\b", "again"),
    ("of one's own", r"\bone's own\b|\ban own\b", "your own, a custom"),
    ("metaphor", r"\b(?:haunt\w*|hush\w*|lives? on|hears?|heard|owes?|owed|forgets?|forgot|poison\w*|wild|lies and|among the living|"
                 r"come true|fond of)\b", "the technical term"),
    ("what for a noun", r"\b(?:of|than|and|or|with|from|by|about|to|as) what (?:is|was|are|were|has|have|it|there|they|a|the|an|can|may)\b",
     "the noun"),
    ("British spelling", r"\b(?:\w*neighbour\w*|\w*colour\w*|behaviour\w*|licence[sd]?|cent(?:re|res|red)|grey|favour\w*|labell\w+|"
                         r"modell\w+|cancell(?:ed|ing)|travell\w+|analys(?:e|es|ed|ing)|ageing|judgement|"
                         r"\w+(?:nis|lis|mis|ris|tis|vis|gis|his|cis|dis)(?:ed|es|ing|ation|ations|er|ers))\b"
                         r"(?<!\brises)(?<!\bsurprised)(?<!\bsurprises)", "American spelling"),
]
# Words that end as the British pattern does and are spelled so in American English as well.
NOT_BRITISH = re.compile(r"^(?:\w*promis\w+|premis\w+|\w*rais\w+|ris\w+|aris\w+|\w*advertis\w+|advis\w+|\w*revis\w+|supervis\w+|"
                         r"devis\w+|televis\w+|exercis\w+|comprom\w+|improvis\w+|surpris\w+|compris\w+|precis\w+|circumcis\w+|excis\w+|"
                         r"vis\w+|mis\w+|his\w*|this\w*|tennis\w*|anis\w+|\w+isher|noi\w+|polis\w+|finis\w+|publis\w+|establis\w+|"
                         r"distinguis\w+|axis|axes|chris\w*|paris\w*|synthesis|synthesises|analysis|emphasis|basis|oasis|thesis|"
                         r"hypothesis|parenthesis|crisis|\w*thesiser)$")

# Only at the beginning of a sentence.
BEGINNINGS = [
    ("leading Of", r"^of (?!course\b)", "a subject"),
    ("leading That", r"^that (?!is\b|was\b|are\b|means\b|gives\b|makes\b|page\b|file\b|run\b|test\b|way\b|value\b)\w+", "a subject"),
    ("leading What", r"^what (?!if\b).*[^?]$", "a subject"),
]
# Test names and assertion texts stand alone when they are printed.
FRAGMENTS = [
    ("begins with a conjunction or pronoun", r"^(?:and|it|its|nor|or|but|of|that|what|who|they|so|then|not|neither|whoever|nobody|as)\b",
     "subject and predicate"),
]

MAX_SENTENCE = 40
MAX_MEAN = 20


def compiled(rules):
    return [(name, re.compile(pattern), advice) for name, pattern, advice in rules]


WORD_RULES, BEGINNING_RULES, FRAGMENT_RULES = compiled(WORDS), compiled(BEGINNINGS), compiled(FRAGMENTS)


def avoided(text):
    """(rule, words found, what to write) for a text."""
    # Identifiers are names, not words.
    low = re.sub(r"[\w.:>-]*[_:](?=\w)\w*|\w+\(\)", "`name`", re.sub(r"\s+", " ", text.lower()))
    found = []
    for name, pattern, advice in WORD_RULES:
        for match in pattern.finditer(low):
            if name == "British spelling" and NOT_BRITISH.match(match[0]):
                continue
            found.append((name, match[0], advice))
    return found


def beginnings(sentence):
    low = re.sub(r"\s+", " ", sentence.lower()).strip()
    return [(name, " ".join(low.split()[:4]), advice) for name, pattern, advice in BEGINNING_RULES if pattern.search(low)]


def fragments(text):
    low = text.lower().strip()
    return [(name, " ".join(low.split()[:4]), advice) for name, pattern, advice in FRAGMENT_RULES if pattern.search(low)]
