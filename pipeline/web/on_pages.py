"""Messages on pages: where one names a command or its option, the page says what to press instead."""

import re
from collections.abc import Iterable

from pipeline.board import Power
from pipeline.problems import Problem

# The words of a command's message (a pattern) -> the words on a page. A command without a page keeps its
# name.
_ON_PAGES = (
    # the draw
    (
        r"repeat the command with one of these, or with several",
        "take one of these, or several",
    ),
    (
        r"add --why to --six, --plays, --twice or --out",
        "fill in why, and say who plays twice or is left out, or how many boards have six",
    ),
    (r"; to do it all the same, say why with --why", "; to do it all the same, fill in why"),
    (r"; say --wish \S+?=must, =should or =no", "; choose it beside the question"),
    (r"; say --meetings-most 2, or none", "; give a number, or leave it at 'any'"),
    (r"never published, repeat the command with --again", "never published, press 'Draw again…'"),
    (r"all the same, repeat the command with --again and collect", "all the same, press 'Draw again…' and collect"),
    (r"'draw --again' draws anew", "'Draw again…' on the page Round draws anew"),
    (r"nobody has said so on the roster \(column '[^']*'\), ask", "nobody on the list of players has said so; ask"),
    (r"nobody on the roster is a director \(column 'director'\)", "nobody on the list of players is a director"),
    (r" is no director \(column 'director'\)", " is no director"),
    (r"no player is a beginner \(roster, column 'beginner'\)", "nobody on the list of players is a beginner"),
    (
        r"by the roster's column 'standing' \(.*\), and it is missing or unknown for (.*?); fill it in, or name",
        r"by membership and journey, and the list of players does not say them of \1; tick",
    ),
    (
        r"by the roster's column 'distance_km', and it is missing for (.*?); fill it in, or name",
        r"by the distance from home, which is not known of \1; enter it on the page Notes, or tick",
    ),
    (r" \(column 'distance_km'\)", "; enter it on the page Notes"),
    (r"; fill in the roster's column 'distance_km', or name who plays with --finalist", "; enter it on the page Notes"),
    (r"; name (\d+|\{\}) with --finalist, best first", r"; tick \1 who take an open seat of it, best first"),
    (
        r"; let a lot decide with --final-lot, or name who declines with --declines",
        "; tick that a lot decides, or who plays but not in a pool",
    ),
    (
        r"; or let a lot decide among those who are level with --final-lot",
        "; or tick that a lot decides among those level for the final",
    ),
    (
        r"; enter them in it, --final NAME=POWER for each of the seven",
        "; enter them under 'final table: who chose which power'",
    ),
    (r", and repeat the command with --word WORD", ", and type it where the lot is shown"),
    (
        r"named under two of --here, --later and --away; once is enough",
        "both here and later or away; press one of these",
    ),
    (r"; use 'ordersheets draw'", "; draw it on the page Round"),
    (r"; change it in event.toml, or note it: 'players'", "; change it in event.toml, or on the page Round"),
    (
        r": 'enter EVENT substitute [^']*', or 'nobody' for NAME: civil disorder",
        "; say it on the page Notes, 'Somebody takes a seat'; 'nobody' there is civil disorder",
    ),
    # prints
    (r"; say how many, such as --pads 4", "; say for how many seasons"),
    (r"; leave --round out, or name another", "; choose another round"),
    (r"; for the same once more: --reprint (\d+|\{\})", "; the same are in the list of what was printed"),
    (r"; print the slips without --named", "; print the slips without names"),
    (r"; print --design line, or add", "; print free lines, or add"),
    (r"; give one with --text", "; write one on the page Round, among the settings"),
    # corrections
    (r"until 'correct' adjudicates it again", "until it is adjudicated again on the page Correct"),
    (r"[:;] 'ordersheets correct .*' shows what changes", "; the page Correct shows what changes"),
    (r"see what 'correct' would change", "see on the page Correct what would change"),
    (r"'correct' plays a published phase again", "the page Correct plays a published phase again"),
    (r"; to correct it all the same, say why with --why", "; to correct it all the same, give the reason"),
    (r"no --serial says which sheet is chosen", "it is not said which sheet is chosen"),
    # votes and ends
    (r" first \('end --undo'\)", " first, on the page Votes and ends"),
    (r"; end the game: end --how \S+", "; end the game on the page Votes and ends"),
    (r"; to correct a published phase, name it with --phase", "; its end is taken back on the page Votes and ends"),
    (r"say it \(--absent-votes\)", "say it beside the ballots"),
    (r" are not there \(--absent\), and how many have abandoned the game \(--gone\)", " are not there or have gone"),
    (r"; use 'ordersheets forms EVENT vote --board'", "; print them on the page Forms"),
    (
        r"take it off with 'ordersheets position EVENT [^']*'",
        "take it off on the page Votes and ends: set the position by hand",
    ),
    # notes
    (
        r"; you may allow it with --ruled, or with 'allowed by the director' on the page",
        "; to allow it, choose 'allowed by the director'",
    ),
    (r": --six, on the page 'a board of six, without Turkey'", ": choose 'a board of six, without Turkey'"),
    (r"; make one with 'ordersheets new'", "; make one below"),
    (
        r"; 'enter EVENT undo (\d+|\{\})' if it was not voluntary; '--back' takes both back",
        r"; take back number \1 on the page Journal if it was not voluntary; 'back' takes both back",
    ),
    (r"; see 'ordersheets enter EVENT list'", "; the list below has them"),
    (r"taken back in the journal \('ordersheets undo'\)", "taken back on the page Journal"),
    (r"; see 'ordersheets journal'$", "; the page Journal lists them"),
    (r": ordersheets players EVENT --rename .* 'CURRENT NAME'", ", on the page Players"),
    (
        r"put it back, or close and open the event to go by it",
        "put it back, or open the event again on the page All events",
    ),
    (r"--sure takes it as it stands", "or add it as it stands"),
    # copies
    (
        r"To go on from that copy: 'ordersheets restore EVENT.*? --copy (\S+|\{\}) --replace'; to go on from what is"
        r" here: 'ordersheets backup EVENT', then 'restore' the copy that it makes",
        r"To go on from that copy, restore \1 under More, All events; to go on from what is here, press 'Copy now'"
        r" among the settings, and restore the copy that it makes",
    ),
    (
        r"End all programs that have this event open; then go on from there with 'ordersheets restore .*? --copy (\S+)"
        r" --replace'",
        r"To go on from it, restore \1 on the page All events",
    ),
    (
        r"See 'ordersheets journal' for the last decisions; if some are missing, 'ordersheets restore'",
        "See the page Journal for the last decisions; if some are missing, restore a copy on the page All events",
    ),
    (r"'ordersheets journal' shows the last ones here", "the page Journal shows the last ones here"),
    (r"'ordersheets backup' (makes|copies)", r"'Copy now' among the settings \1"),
    (r"; 'status' says when it is there", "; the list of copies, among the settings, says when it is there"),
    (r"to restore the event without it: --without-damaged", "to restore the event without it, tick 'without it'"),
    (r"; name another place with --from", "; name another place"),
    (r"; choose with --copy NAME", "; choose one of them"),
    (r"; say which other one with --copy NAME", "; choose another one"),
    # sheets and scans
    (
        r"; say which sheet it is \('page --is'\), or put it aside",
        "; say which sheet it is, or put it aside, on the page Review",
    ),
    (r", or skip it \('scan --pass-over'\)", ", or pass it over, under Scan on the page Round"),
    (r"; run 'ordersheets scan' again", "; hand it in again"),
    (r"scan it, type its lines \('rule --type'\), or rule ", "scan it, type its lines (key K), or rule "),
    (r"; type its lines with 'rule --type', and put it aside", "; type its lines (key K), and put it aside"),
    (r", refuse that sheet \('rule --sheet'\)", ", refuse that sheet (key X at one of its rows)"),
    (r"'ordersheets scan' again: the scans are kept", "it is tried again: the scans are kept"),
    (r"; print it on A4 or LETTER with --paper", "; print it on A4 or LETTER"),
    (r"; 'ordersheets status' lists (?:those that do|them)", ""),
    (r"; see 'check'$", ""),
    (r"; see 'ordersheets (?:status|orders)'(?: for what stands)?", ""),
)
_POWERS = re.compile(rf"\b(?:{'|'.join(Power)})\b")
_PATTERNS = tuple((re.compile(wanted), words) for wanted, words in _ON_PAGES)


def say_on_page(text: str) -> str:
    """A message as pages show it.

    >>> say_on_page("no round is drawn yet; use 'ordersheets draw'")
    'no round is drawn yet; draw it on the page Round'
    """
    if "--" in text or "'" in text or "put it back" in text:
        for wanted, words in _PATTERNS:
            text = wanted.sub(words, text)
    return text


def name_powers(text: str) -> str:
    """A text with the names of powers as the headings of pages have them.

    >>> name_powers("TURKEY builds 1")
    'Turkey builds 1'
    """
    return _POWERS.sub(lambda power: power[0].title(), text)


def texts_on_page(problems: Iterable[Problem]) -> list[str]:
    return [say_on_page(problem.text) for problem in problems]
