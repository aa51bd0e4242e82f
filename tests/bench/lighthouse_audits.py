"""What an audit of Lighthouse is to us: the findings of the same fault, or the reason why it is no finding.

An accessibility audit is a rule of axe, which has its own name in both, and needs no row.
"""

from typing import Final

OURS: Final = {
    "bf-cache": ("bf-cache",),
    "charset": ("charset",),
    "clickjacking-mitigation": ("missing_frame_options", "invalid_frame_options"),
    "csp-xss": ("missing_csp", "csp_report_only", "csp_no_script_src", "csp_unsafe_inline", "csp_wide_source"),
    "cumulative-layout-shift": ("cls",),
    "deprecations": ("deprecated-features",),
    "doctype": ("doctype",),
    "errors-in-console": ("failed-resources", "policy-violations"),
    "first-contentful-paint": ("fcp", "ttfb"),
    "font-display": ("font-display",),
    "has-hsts": ("missing_hsts", "short_hsts", "invalid_hsts"),
    "image-aspect-ratio": ("image-aspect-ratio",),
    "inspector-issues": ("policy-violations", "mixed_content", "samesite_none_insecure", "insecure_cookie"),
    "is-on-https": ("page_in_the_clear", "mixed_content", "mixed_images", "form_in_the_clear"),
    "largest-contentful-paint": ("lcp",),
    "largest-contentful-paint-element": ("lcp",),
    "layout-shifts": ("cls",),
    "lcp-lazy-loaded": ("lcp-lazy",),
    "offscreen-images": ("offscreen-images",),
    "redirects": ("redirects",),
    "render-blocking-resources": ("render-blocking",),
    "server-response-time": ("ttfb",),
    "third-party-summary": ("third-parties",),
    "total-blocking-time": ("long-tasks",),
    "total-byte-weight": ("total-bytes",),
    "unsized-images": ("image-dimensions",),
    "uses-http2": ("http1",),
    "uses-long-cache-ttl": ("cache-lifetime",),
    "uses-responsive-images": ("image-size",),
    "uses-text-compression": ("text-compression",),
}
"""Our ids of the same fault."""

_SMALL: Final = "smaller than what we report"
_BUILD: Final = "a matter of the build, whose tools state it better (seed 000 excludes bundles)"
_COVERAGE: Final = "coverage of code needs the Profiler, which Chrome refuses to extensions"

REASONS: Final = {
    "csp-xss": "a policy with nonces whose hosts are named one by one is none",
    "errors-in-console": "a favicon.ico that is missing is Chrome's own request; observe(errors) has the console",
    "has-hsts": "over http it means nothing; `preload` is the owner's choice",
    "legacy-javascript": _BUILD,
    "modern-image-formats": "formats are advice: image-size and total-bytes have the bytes",
    "origin-isolation": "needed for shared memory only, and breaks pages with others' frames",
    "prioritize-lcp-image": "part of lcp (load delay), which is a finding when the paint is late",
    "redirects-http": "asks for another page than the one that is shown",
    "render-blocking-resources": f"{_SMALL}: 100 ms before the first paint",
    "speed-index": "needs a film of the load; fcp and lcp are measured",
    "target-size": 'off by default in axe: tags:["wcag22aa"] runs it',
    "total-blocking-time": "below 200 ms on the load that was audited",
    "trusted-types-xss": "advice for applications that are written for it",
    "unminified-css": _BUILD,
    "unminified-javascript": _BUILD,
    "unused-css-rules": _COVERAGE,
    "unused-javascript": _COVERAGE,
    "uses-text-compression": f"{_SMALL}: 10 KiB that compression would save",
    "valid-source-maps": _BUILD,
}
"""Why an audit is no finding, where none of OURS is there."""
