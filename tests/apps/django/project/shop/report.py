"""A page that takes 1.5 s, reached by a link from the list of items."""

import time

from django.http import HttpRequest, HttpResponse

TAKES_S = 1.5


def report(_: HttpRequest) -> HttpResponse:
    """Answer late."""
    time.sleep(TAKES_S)
    return HttpResponse("<title>Report</title><h1>Report of the year</h1><p>240 items</p>")
