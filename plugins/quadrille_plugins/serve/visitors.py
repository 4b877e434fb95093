"""Who may send a form: a cookie for each browser, and a word in each form that belongs to that
cookie."""

import hashlib
import hmac
import re
import secrets
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from quadrille_core.errors import UsageError

FIELD: Final = "form_word"
"""The field of a form that proves that this server made it for this browser."""
_NONCE: Final = re.compile(r"[0-9a-f]{32}")


class NotKnownError(UsageError):
    """A visitor who has not opened this table by its link."""

    code = "Q807"


class StaleFormError(UsageError):
    """A form that this server did not make for this browser."""

    code = "Q807"


class Visitors:
    """Cookies and the words of forms, all made from one secret."""

    def __init__(self, secret: bytes, name: str) -> None:
        """``name`` is that of the cookie."""
        self._secret, self.name = secret, name

    def _sign(self, what: str, text: str) -> str:
        return hmac.new(self._secret, f"{what}:{text}".encode(), hashlib.sha256).hexdigest()[:32]

    def new(self) -> str:
        """The value of a new cookie."""
        nonce = secrets.token_hex(16)
        return f"{nonce}.{self._sign('cookie', nonce)}"

    def of(self, request: Request) -> str | None:
        """The cookie of a browser, where this server made it."""
        value = request.cookies.get(self.name, "")
        nonce, _, signed = value.partition(".")
        return (
            value
            if _NONCE.fullmatch(nonce) and _same(signed, self._sign("cookie", nonce))
            else None
        )

    def word(self, cookie: str) -> str:
        """The word that the forms of a browser carry."""
        return self._sign("form", cookie)

    def check(self, request: Request, word: object) -> None:
        """Raise StaleFormError unless the form is this browser's."""
        cookie = self.of(request)
        if cookie is None or not isinstance(word, str) or not _same(word, self.word(cookie)):
            raise StaleFormError.of("form-from-earlier-visit")

    def put(self, response: Response, cookie: str, *, days: int | None = None) -> None:
        """Give a browser its cookie, until it is closed or for some days."""
        response.set_cookie(
            self.name,
            cookie,
            path="/",
            httponly=True,
            samesite="strict",
            max_age=days and days * 86400,
        )


def _same(given: str, right: str) -> bool:
    """Whether two words are the same, in a time that does not tell how much of them is."""
    return given.isascii() and hmac.compare_digest(given, right)
