"""The words that say nothing about anybody: those of the wire and of programming. A member name, a type or a status made of them alone is kept.

The idea: a fixed list decides word by word, without memory, so the same name is kept or replaced in the same way in every file, in
arguments as in the schema that declares them. What holds any other word is not understood, and is replaced.
"""

import re
from functools import lru_cache

LONGEST = 80
"""Characters of a text made of such words."""

_WIRE = """
a access action actions active added advisory after agent agents allowed alpha always annotation annotations anthropic any api app apply approval
approve approved arguments args artifact artifacts as assistant async at audio authentication auto automation automations available await before
billing block blocked browser budget busy by cache cached call callback called calls can cancel cancelled canceled candidate candidates
capability chat choice choices chunk city class client close closed code codex command commentary compaction completed completion completions computer concise
concurrent config configuration conflict connect connected connection connector container content contents context conversation count country create
created credential credit cyber data decision declared default defer delete delta deltas deny denied description desktop detail detailed details
developer digest directories directory disabled disconnected discovery domain domains done duration edit effort enabled encoding encrypted end ended
endpoint entries entry env environment environments error errors event events exceeded executed execution executor exit expired
experimental failed failure fast fetch field fields file files filter final find finish first flex format found frequency from function functions
generate generation get google group guardrail handoff handoffs head header headers high history hosted http https idle image images in
incompatible incomplete index inline input inputs instructions interpreter interrupt invalid ip item items job json key keys kind label large last
length level limit limits list listed live llm load loading local location log logs logprobs low managed mask max mcp medium memory message messages metadata method
mime minimal minimum misalignment missing mode model models ms multi must name names namespace network new next no none not npm null number object
occured occurred of off ok on open opened openai option options order organization origin other otlp out outbound output outputs own page
parallel param parameter parameters params parent part partial parts patch path pattern payload pending permission persisted
plugin plugins policy post posted pre previous priority private process processed program programmatic progress project prompt property properties provider public
python queries query queue queued quota rate raw reached read ready realtime reason reasoning received recipient record recorded records refusal refused region rejected
remote request requested requests required requires reset resource resources response responses restricted result results resume retrieve return returned
review role root run running safety sandbox save schema scope score screenshot screenshots search selected self send sender sent sequence server service
session sessions settings shell silence size skill skills small snapshot source span spans spawn spend standard start started state
status stderr stdin stdio stdout steerable step steps stop stopped store stream streaming strict string structured style sub subagent subagents submit success succeeded
suffix summary suspended system tag tags target task tasks temperature text thinking thread threads tier time timeout timezone title to token tokens
tool tools top total trace traces tracelink tracing transport truncated truncation ttl turn turns type ultrafast unavailable unknown until update updated upload uri
url usage use used user value values vault vaults verbosity version view visibility vars wait waiting warning web webhook weight when
with workflow workspace world write xhigh id ids sse iso custom has more aggregated asc desc inbound receive put obfuscation video caller
additional trigger compacted msg aborted generated original replacement recipients vector store note foreign recording kinds lists gemini set
mention mentions namespaced summaries phase direct uses openrouter
"""
_RECORDERS = """
api auth base64 body bodies bytes captured cookies count creator date datetime dir direction elapsed flow har href host http incoming ingested
kept line lines logged meta mime now observed outgoing port postdata protocol receivedat recv redirect req res resp route rx seq sequence side
span started startedDateTime stamp time timestamp times timings ts tx unix nano utf way wrapper s2c c2s gzip utf8 starteddatetime
requestbody responsebody sessionid requesturl statuscode httpstatus recordedat loggedat capturedat timeunixnano eventtime resourceSpans
"""
_PROGRAMMERS = """
abstract account active actual add address age alias amount and answer array at attachment attempts attribute attributes author available average back balance batch
begin between bool boolean bottom branch bucket buffer build by byte category cell change changed channel char characters chars check child children clock cluster
code col color column columns comment commit compare condition confirm constraint contact content cost counter coupon created credits cron currency current customer cwd
database dataset date day days deadline deleted department depth destination device diff discount distance document dollars domain double due
dry edition element email employee empty enum estimated expires expiry external extra false feature fee filename final flag float folder for force from full
global grams guest hash height help hidden hint hour hours html icon if ignore imported include info instance int integer interval invoice
issue iso items job join kg kilometers km language lang latitude lat layer left length lines link links locale logger long longitude lon lng lower main
manager map match matches measure member members merge meters min minute minutes module month months name nested node notes num numeric object offset old operation
operator or order orders owner owned package page pages parent password payment people percent period phone pixel place plan point
points position prefix preview price primary priority problem product products profile promo purchase qty quantity question range rating ratio reference refund
related repo repository report reservation revision right room row rows rule rules sale schedule sec second seconds section select sensor serial shape shipping
sku slot sort sql src stage station stock street subject subscription sum supplier symbol table tax template test threshold ticket tickets title topic total tracking true
unique unit units unread unset until up upper username uuid vendor visible volume warehouse week weeks weight width window word words year years zip zone
"""
WORDS = frozenset(word.lower() for word in f"{_WIRE} {_RECORDERS} {_PROGRAMMERS}".split())

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SEPARATORS = re.compile(r"[._\-/ $@:]+")


@lru_cache(maxsize=20_000)
def plain(text: str) -> bool:
    """Whether a text consists of such words only: `agent.session.turn.completed`, `receivedAt`, `line_2`."""
    if not text or len(text) > LONGEST or not text.isascii():
        return False
    if text.lower() in WORDS:
        return True
    for part in _SEPARATORS.split(text):
        if part.lower() in WORDS or not part:
            continue
        pieces = _PART.findall(part)
        if "".join(pieces) != part:
            return False
        for piece in pieces:
            if piece.isdigit():
                if len(piece) > 2:
                    return False
            elif piece.lower() not in WORDS:
                return False
    return any(map(str.isalpha, text))
