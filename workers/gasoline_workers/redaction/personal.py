"""Personal data: e-mail addresses, phone numbers, cards, IBANs and national ids; a set that the user switches on.

What has check digits must pass them; formats: ISO 13616 (IBAN), E.164 (phones), and each country's own register.
"""

import re
from collections.abc import Callable, Iterator

from gasoline_workers.redaction import patterns, values

KINDS = ("email", "phone", "card", "iban", "national-id")

FIELDS = {
    "email": ("email", "e-mail", "mail", "emailAddress", "email_address"),
    "phone": ("phone", "telephone", "mobile", "phoneNumber", "phone_number", "mobileNumber", "tel", "fax"),
    "iban": ("iban",),
    "national-id": ("ssn", "nationalId", "national_id", "passportNumber", "passport_number", "taxId", "tax_id"),
}
"""Names of fields that hold personal data in any form."""

EMAIL = re.compile(
    r"(?<![\w.+@-])[\w.+'-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}\b"
)
FILE = re.compile(r"@\d[\w.]*\.(?:png|jpe?g|gif|svg|webp|avif)$")
"""A picture's name for a screen of so many pixels: `logo@2x.png`."""

PHONE = re.compile(
    r"(?<![\w.+/=-])(?<!\d )(?:\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,5}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,5}"
    r"|\(\d{3}\) ?\d{3}-\d{4}|\d{3}[-.]\d{3}[-.]\d{4}|0\d{2,4} ?[ /] ?\d{3,4}(?:[ -]?\d{2,5}){1,3})(?![\w-]|\.\d)",
)
"""Numbers with a country's code, of North America with separators, and national ones that begin with a zero."""

IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,4})?)(?![A-Za-z0-9])"
)


def find(text: str, kinds: frozenset[str]) -> Iterator[tuple[str, int, int]]:
    """Find the data of these kinds in `text`: the kind, and where it begins and ends."""
    if "email" in kinds and "@" in text:
        yield from (("email", *match.span()) for match in EMAIL.finditer(text) if not FILE.search(match[0]))
    if "phone" in kinds:
        yield from (("phone", *match.span()) for match in PHONE.finditer(text) if _is_phone(match[0]))
    if "iban" in kinds:
        yield from (("iban", *match.span()) for match in IBAN.finditer(text) if is_iban(match[0]))
    if "card" in kinds:
        yield from (("card", span.start, span.end) for span in patterns.find_cards(text))
    if "national-id" in kinds:
        for pattern, is_valid in NATIONAL:
            yield from (("national-id", *match.span()) for match in pattern.finditer(text) if is_valid(match[0]))


def is_iban(text: str) -> bool:
    """Check the remainder of an account number (ISO 13616, by ISO 7064 MOD 97-10)."""
    compact = text.replace(" ", "")
    turned = compact[4:] + compact[:4]
    return 15 <= len(compact) <= 34 and int("".join(str(int(one, 36)) for one in turned)) % 97 == 1  # noqa: PLR2004 - Norway's to the longest


def _is_phone(text: str) -> bool:
    return 8 <= sum(map(str.isdigit, text)) <= 15  # noqa: PLR2004 - E.164, 6: at most 15


def _digits(text: str) -> list[int]:
    return [int(one) for one in text if one.isdigit()]


def _is_social_security(text: str) -> bool:
    """Check a number of the United States: no area 000, 666 or 9xx, no group 00, no serial 0000."""
    area, group, serial = text.split("-")
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


def _is_nino(text: str) -> bool:
    return text[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def _is_insee(text: str) -> bool:
    """Check France's: the last two digits are 97 less the rest's remainder; Corsica's A and B stand for 19 and 18."""
    compact = re.sub(r"\D", "", text.replace("2A", "19").replace("2B", "18"))
    return len(compact) == 15 and 97 - int(compact[:13]) % 97 == int(compact[13:])  # noqa: PLR2004


def _is_dni(text: str) -> bool:
    """Check the letter of Spain's."""
    number = text[:-1].rstrip("-").translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1]


def _is_pesel(text: str) -> bool:
    """Check the last digit of Poland's, and the month in it."""
    digits = _digits(text)
    weighted = sum(one * weight for one, weight in zip(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), strict=True))
    return weighted % 10 == 0 and 1 <= (digits[2] * 10 + digits[3]) % 20 <= 12 and 1 <= digits[4] * 10 + digits[5] <= 31  # noqa: PLR2004


def _is_cpf(text: str) -> bool:
    """Check the two last digits of Brazil's."""
    digits = _digits(text)
    return all(
        sum(one * weight for one, weight in zip(digits, range(length + 1, 1, -1), strict=False)) * 10 % 11 % 10
        == digits[length]
        for length in (9, 10)
    )


def _is_resident(text: str) -> bool:
    """Check the last character of China's (ISO 7064 MOD 11-2)."""
    weighted = sum(int(one) * 2 ** (17 - place) for place, one in enumerate(text[:17]))
    return "10X98765432"[weighted % 11] == text[17].upper()


def _is_personnummer(text: str) -> bool:
    digits = "".join(map(str, _digits(text)))[-10:]
    return values.passes_luhn(digits) and 1 <= int(digits[2:4]) <= 12  # noqa: PLR2004


NATIONAL: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"), _is_social_security),
    (re.compile(r"(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)"), _is_nino),
    (re.compile(r"(?<!\w)[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)"), _is_insee),
    (re.compile(r"(?<!\w)(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z](?!\w)"), _is_dni),
    (re.compile(r"(?<![\w.-])\d{11}(?![\w-]|\.\d)"), _is_pesel),
    (re.compile(r"(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])"), _is_cpf),
    (
        re.compile(r"(?<![\w.-])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\w-])"),
        _is_resident,
    ),
    (re.compile(r"(?<![\w.-])(?:19|20)?\d{6}[-+]\d{4}(?![\w-])"), _is_personnummer),
)
"""The United States, the United Kingdom, France, Spain, Poland, Brazil, China and Sweden."""
