"""Judges addresses: which are local development, which travel in the clear, which are another site's.

Addresses are read as text: one that redaction has marked is no URL to a parser.
"""

import ipaddress
import re

from gasoline_workers.redaction.messages import unnumbered

LOCAL_NAMES = ("localhost", ".localhost", ".local", ".test", ".internal", ".home.arpa")
"""Names that no server of the internet has: RFC 6761 (localhost, test), RFC 6762 (local), RFC 8375 (home.arpa)."""

SECOND_LEVEL = re.compile(r"(?:^|\.)(?:ac|co|com|edu|gov|net|or|org)\.[a-z]{2}$")
"""Public suffixes of two labels, the usual ones: `co.uk`, `com.au`."""

SHARED_HOSTS = (
    "github.io",
    "gitlab.io",
    "herokuapp.com",
    "netlify.app",
    "pages.dev",
    "vercel.app",
    "web.app",
    "workers.dev",
)
"""Private public suffixes: each name below is a site of its own (publicsuffix.org, the usual ones)."""

ORIGIN = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?:[^/?#@]*@)?(?P<host>\[[^\]]*\]|[^/?#:]*)", re.IGNORECASE)


def scheme_of(url: str) -> str:
    """Return `https` of `https://…`; empty without one."""
    return url.partition(":")[0].lower() if ":" in url else ""


def host_of(url: str) -> str:
    """Return the host of an absolute address in lower case; empty without one."""
    found = ORIGIN.match(url)
    return found["host"].lower() if found else ""


def origin_of(url: str) -> str:
    """Return scheme, host and port; empty without a host."""
    found = ORIGIN.match(url)
    if not found:
        return ""
    port = re.match(r":\d+", url[found.end() :])
    return f"{found['scheme']}://{found['host']}{port[0] if port else ''}".lower()


def is_local(url: str) -> bool:
    """Return whether a page is local development: this machine, a private network, or a name that is only local.

    Private networks: RFC 1918, RFC 4193, RFC 3927.
    """
    host = host_of(url)
    if not host or host.endswith(LOCAL_NAMES):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return address.is_loopback or address.is_private or address.is_link_local


def is_clear(url: str) -> bool:
    """Return whether what goes to this address goes unencrypted over a network."""
    return scheme_of(url) in {"http", "ws", "ftp"} and not is_local(url)


def site_of(url: str) -> str:
    """Return the registrable domain of an address, by the usual public suffixes; an address in digits as it is."""
    host = host_of(url)
    if not re.search(r"[a-z]", host) or host.startswith("["):
        return host
    suffix = 2 if SECOND_LEVEL.search(host) or host.endswith(SHARED_HOSTS) else 1
    return ".".join(host.split(".")[-suffix - 1 :])


def is_third_party(url: str, page: str) -> bool:
    """Return whether an absolute address of the web belongs to another site than the page."""
    return bool(host_of(url)) and scheme_of(url) in {"http", "https"} and site_of(url) != site_of(page)


def file_of(url: str) -> str:
    """Return the last part of an address without its query, `app.js`; its host where there is none."""
    path = unnumbered(url).partition("#")[0].partition("?")[0]
    return path.rstrip("/").rpartition("/")[2] or host_of(url) or path


def shown(url: str, page: str) -> str:
    """Return an address without query and fragment, on the page's own origin without that."""
    bare = unnumbered(url).partition("#")[0].partition("?")[0]
    origin = origin_of(page)
    return bare[len(origin) :] if origin and bare.lower().startswith(origin + "/") else bare
