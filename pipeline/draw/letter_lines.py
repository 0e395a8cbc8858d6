"""The lines of a letter or a mail around a list of players: how it begins, how it ends, and the lines of its head."""

import re

from pipeline.words.names import fold_name

GREETING = re.compile(
    r"(dear|hello|hi|hey|hallo|liebe[rs]?|guten tag|moin|servus|bonjour|salut|chers?|cheres?|hola|estimad[oa]s?|ciao|"
    r"gentil[ei]|witam|hej|beste) \w+( \w+){0,3}"
)  # folded; a whole line
GREETING_WORDS = frozenset({"hello", "hallo", "bonjour", "hola", "witam", "moin", "servus", "hi", "hey"})  # alone
CLOSING_WORDS = """
regards, kind regards, best regards, warm regards, with kind regards, best wishes, all the best, best, yours,
yours sincerely, yours truly, sincerely, many thanks, thanks, thank you, thx, cheers, love,
Grüße, Gruß, viele Grüße, liebe Grüße, beste Grüße, herzliche Grüße, schöne Grüße, mit freundlichen Grüßen, LG, VG,
MfG, bis dann, bis bald, bis Samstag, danke, vielen Dank, Tschüss, Gruesse, viele Gruesse, liebe Gruesse,
mit freundlichen Gruessen, beste Gruesse,
cordialement, bien cordialement, amicalement, à bientôt, à samedi, bises, bisous, merci, merci d'avance,
salutations, saludos, un saludo, gracias, abrazos, saluti, cordiali saluti, grazie, pozdrawiam, dziękuję,
groeten, groetjes, met vriendelijke groet, met vriendelijke groeten, obrigado, abraços, mvh, hälsningar,
vänliga hälsningar, med vänlig hälsning, hilsen, med venlig hilsen, vennlig hilsen, terveisin, s pozdravem,
z poważaniem, pozdrowienia, üdvözlettel, χαιρετισμούς, с уважением
"""
CLOSINGS = frozenset(map(fold_name, CLOSING_WORDS.split(",")))  # the whole of a line, or of what is before its comma
FAMILY_NAMES = frozenset({"best", "love", "gracias"})  # before a comma they may be one: "Best, George"
SENT = re.compile(
    r"(sent|envoye|gesendet|inviato|enviado|verzonden|wyslano) (from|via|von|de|dal|desde|mit|vanaf|z) .*"
)
MAIL_HEADS = (
    "Return-Path|Delivered-To|Received|From|To|Cc|Bcc|Sent|Subject|Date|MIME-Version|Content-[a-z-]+|Message-ID|"
    "X-[a-z-]+|Reply-To|Von|Gesendet|An|Datum|Betreff|De|Envoyé|À|Objet|Enviado( el)?|Para|Fecha|Asunto|Da|Inviato|A|"
    "Data|Oggetto|Od|Wysłano|Do|Temat|Van|Verzonden|Aan|Onderwerp"
)
HEAD = re.compile(rf"(?i)({MAIL_HEADS}): ?.*")
WROTE = re.compile(r"(?i)(on|am|le|el|il|op) .*\b(wrote|schrieb|a écrit|escribió|ha scritto|schreef)\b.*:?")
LONGEST_LINE = 200  # letters: no greeting is longer


def says_greeting(text: str) -> bool:
    """Whether a line greets somebody.

    >>> [says_greeting(text) for text in ("Hi Bob", "Dear all", "Hallo", "Liebe Hanna,", "Cher", "Di Ho")]
    [True, True, True, True, False, False]
    """
    folded = fold_name(text[:LONGEST_LINE])
    return folded in GREETING_WORDS or GREETING.fullmatch(folded) is not None


def says_closing(text: str) -> bool:
    """Whether a line ends a letter: what stands below is a signature.

    >>> [says_closing(text) for text in ("Kind regards", "Cheers, Ann", "LG Ben", "See you on Saturday", "Best, Al")]
    [True, True, True, True, False]
    """
    before, comma, _ = text[:LONGEST_LINE].partition(",")
    folded = fold_name(before)
    return (
        (folded in CLOSINGS and not (comma and folded in FAMILY_NAMES))
        or _is_short_closing(folded)
        or "see you" in folded
    )


def _is_short_closing(folded: str) -> bool:
    first, _, name = folded.partition(" ")
    return (
        first in ("lg", "vg", "mfg", "mvh", "hilsen", "cheers", "regards", "groetjes", "saludos", "saluti")
        and " " not in name
    )


def says_mail(text: str) -> bool:
    """Whether a line belongs to the head of a mail, or says that another one is quoted below.

    >>> [says_mail(text) for text in ("From: Ada Lund", "Am 3.5. schrieb Ada:", "Sent from my phone", "To", "Von Ek")]
    [True, True, True, False, False]
    """
    line = text[:LONGEST_LINE]
    is_head = HEAD.fullmatch(line) or WROTE.fullmatch(line) or SENT.fullmatch(fold_name(line))
    return is_head is not None


HEAD_WORDS = re.compile(rf"(?i)({MAIL_HEADS}):?")


def is_head_word(text: str) -> bool:
    """Whether a text is only what heads a line of a mail, such as ``To:``, without what stands behind it."""
    return HEAD_WORDS.fullmatch(text) is not None
