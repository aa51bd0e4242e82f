"""What a page, a stranger at the port and a model cannot reach; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("doors-001", "doors", "Files", "An upload gives a page only files below folders that the user has allowed with `gasoline allow DIR`, after every link is resolved."),
    Requirement("doors-002", "doors", "Files", "What is checked is what is read: a link that comes between the two is refused."),
    Requirement("doors-003", "doors", "Files", "Below an allowed folder what begins with a dot stays closed, and so do the folders that hold a system's settings; folders of keys cannot be allowed."),
    Requirement("doors-004", "doors", "Files", "A refusal names the folder, and what the user is to type."),
    Requirement("doors-005", "doors", "Files", "`navigate` and `new_tab` open the files of allowed folders alone, by an address without links."),
    Requirement("doors-006", "doors", "Arguments", "Every number of every tool has an upper bound, and one beyond it is `invalid_params`."),
    Requirement("doors-007", "doors", "Port", "A thousand silent connections neither lock the bridge's port nor end the extension's link: strangers have a share of the connections, beyond which the oldest is closed."),
    Requirement("doors-008", "doors", "Port", "The headers of a first request have 5 s, a connection is kept for 15 s without a request, and a stranger's is closed with its answer."),
    Requirement("doors-009", "doors", "Port", "The bridge's log is bounded: what strangers cause is logged once in 10 s with its count, without a traceback, a request line or a header."),
    Requirement("doors-010", "doors", "Capture", "Every walk in the page's world has a bound in steps and in time, 1 ms a line on average; a Proxy's traps are called as seldom as can be."),
    Requirement("doors-011", "doors", "Capture", "Capture calls nothing that a page can replace: neither a global nor a function or accessor in one."),
    Requirement("doors-012", "doors", "Capture", "A page that clears all timers, frames and idle times is captured, measured, acted on and unaware of it as any other."),
    Requirement("doors-013", "doors", "Capture", "What a page writes to its console costs no message to the browser, is in no list of the extension's errors, and keeps its place in DevTools."),
)
