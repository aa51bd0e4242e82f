"""What `gasoline install` and `uninstall` promise for the files of MCP clients; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("install-001", "install", "Clients", "`gasoline install` sets up claude-code, codex, gemini, cursor, vscode, windsurf, zed, claude-desktop, jetbrains and opencode, with --project in the project's file, each as the client's documentation describes it."),
    Requirement("install-002", "install", "Merging", "An existing file is changed at one place: comments, order, indentation, line ends, trailing commas and a byte-order mark are kept."),
    Requirement("install-003", "install", "Merging", "A second run changes not a byte, and of an entry that is there only what differs is changed."),
    Requirement("install-004", "install", "Uninstall", "Uninstall gives the bytes from before the installation."),
    Requirement("install-005", "install", "Uninstall", "Uninstall removes our entry with all that is in it, and nothing else."),
    Requirement("install-006", "install", "Bad input", "A file that is not valid, not UTF-8, read-only or of no understood form is left untouched, with its path and line; without a home folder a project can still be set up."),
    Requirement("install-007", "install", "Clients", "Settings that differ from the usual ones are written into the entry where the client hands no environment on."),
    Requirement("install-008", "install", "Commands", "--print shows the change and writes nothing."),
    Requirement("install-009", "install", "Commands", "Without a client the clients are listed, each with its file and whether it is set up."),
    Requirement("install-010", "install", "Bad input", "A file that is a link stays one: its target is changed."),
    Requirement("install-011", "install", "Bad input", "A file is replaced as a whole with its mode, only if no other program has changed it meanwhile; a backup is kept only if asked for."),
    Requirement("install-012", "install", "Clients", "The command is written with its absolute path, as a checkout, pip, pipx or uv has installed it; one in uvx's cache is refused."),
    Requirement("install-013", "install", "Package", "`make package` packs what the manifest needs and nothing else, with the version of the product; the same sources give the same bytes, and a file that is not as it was built is refused."),
    Requirement("install-014", "install", "Package", "Each permission of the manifest has its reason in the documents, and none is explained that is not asked for."),
    Requirement("install-015", "install", "Documents", "A tour answers ten questions by real calls with their recorded answers; each page of the documents leads to others that are there."),
    Requirement("install-016", "install", "Settings", "The settings show the keys that Chrome has for the extension's commands, and lead to the page where Chrome changes them."),
    Requirement("install-017", "install", "Package", "A packed copy, which has another id and no token, is paired: `gasoline extension pair ID` lets its id in and prints a code, which its set-up page takes; it is connected at once, also by a system that runs, and again by each service worker that comes."),
    Requirement("install-018", "install", "Package", "A copy that is not paired, or no more, is refused with the right code too; what is no id or no code is refused with what is valid."),
    Requirement("install-019", "install", "Settings", "A switch on the settings page hides personal data from the next answer on, beside the user's own rules; a change of `redaction.toml` holds at once, and a wrong one changes nothing."),
)
