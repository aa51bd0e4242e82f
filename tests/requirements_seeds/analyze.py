"""What `analyze` promises beyond its seeds: the core, its jobs, and accessibility; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("analyze-001", "analyze", "Tool", "`analyze` takes the actions and scopes that something serves; every other one is `invalid_params`, and so is an argument that a scope does not take."),
    Requirement("analyze-002", "analyze", "Accessibility", "What is found in a page, its iframes of any origin and its open shadow roots is what axe finds in the same page by itself, node for node."),
    Requirement("analyze-003", "analyze", "Accessibility", "Findings come the worst first: impact gives the severity, what axe could not decide is info, 10 places each, text of the page cut."),
    Requirement("analyze-004", "analyze", "Accessibility", "A fix names the values to set: the nearest colours that pass the contrast, the missing attribute, the size."),
    Requirement("analyze-005", "analyze", "Accessibility", "`run_accessibility_audit` answers in the shape of seed 002 from the same run, and works while AI Web Pilot is off; `analyze` does not."),
    Requirement("analyze-006", "analyze", "Replies", "A reply keeps to its budget: fewer places of each finding first, then fewer findings, with a cursor; the summary comes first, in less than 400 bytes."),
    Requirement("analyze-007", "analyze", "Jobs", "An audit answers at once with a correlation_id, or with its result within `wait_s`; `observe(analyze_result)` waits for it, with progress."),
    Requirement("analyze-008", "analyze", "Jobs", "Analyses of one tab take turns: one whose turn does not come in time is `concurrent_analysis`, one that takes too long `analysis_timeout`; whatever still runs in the page holds its turn."),
    Requirement("analyze-009", "analyze", "Jobs", "A job and its outcome survive the front, the audit worker, the bridge and the service worker, for 10 minutes; an unknown id is `not_found`."),
    Requirement("analyze-010", "analyze", "Jobs", "The same question about the same document is answered from memory for 10 s (`run_accessibility_audit`: 30 s), marked `cached`, unless `force_refresh`."),
    Requirement("analyze-011", "analyze", "Accessibility", "Strict policies and Trusted Types change nothing, and a page notices nothing of an audit."),
    Requirement("analyze-012", "analyze", "Bad input", "50,000 elements, a page that never stops changing, one that navigates every second, about:blank, a PDF and a frame that goes away each end in a result or in an error that states what to do."),
    Requirement("analyze-013", "analyze", "Audit", "A full audit gathers accessibility, performance and security, in one list and with one summary; a part that fails leaves the others, and the answer is partial."),
    Requirement("analyze-014", "analyze", "Export", "`generate(sarif)` saves the findings of an analysis as SARIF 2.1.0, of the last one or of the one that is named, in a file that only its user can read."),
)
