"""Pages that take their time: a login, as one that checks a password well, and what is asked to."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

LOGIN_S = 0.8  # longer than a click waits for what comes of it


class SlowPages:
    """Holds up the answer to a login."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        """Take the answer that is held up."""
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, a login later."""
        if request.method == "POST" and request.path == "/admin/login/":
            time.sleep(LOGIN_S)
        return self.answer(request)
