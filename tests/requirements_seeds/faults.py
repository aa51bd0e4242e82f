"""What holds under faults and against attackers; only rows."""

# ruff: noqa: E501 - a row is one line, unformatted, so that a sentence is found, read and compared whole

from requirements_seeds.row import Requirement

# fmt: off
ROWS = (
    Requirement("faults-001", "faults", "Doors", "The extension sends nothing, and follows no command, before the program on the port has proved that it has the token; the token itself is never sent."),
    Requirement("faults-002", "faults", "Doors", "The server proves itself to a caller that shows nothing yet: HMAC-SHA-256 over the role, the port and the nonces of both."),
    Requirement("faults-003", "faults", "Doors", "A proof is of use once, for ten seconds, on one port and for one role."),
    Requirement("faults-004", "faults", "Doors", "A program that took the port, another user's included, is named by `up` and `doctor` and in the popup, and gets no token."),
    Requirement("faults-005", "faults", "Doors", "A program that takes the port between the proof and the connection gets nothing either."),
    Requirement("faults-006", "faults", "Lines", "A line that is no message gets the error that JSON-RPC names, with its id where one can be read, and the session lives."),
    Requirement("faults-007", "faults", "Lines", "A call that acts, cut off by the front's death, is a result with `outcome_unknown`; a cancelled one is forgotten."),
    Requirement("faults-008", "faults", "Lines", "A request but a call that is followed by the end of input is answered."),
    Requirement("faults-009", "faults", "Sessions", "No outage ends a client's session: a system that was stopped is started by the next call, or, held, by `gasoline up` alone; until then calls get `system_stopped`."),
    Requirement("faults-010", "faults", "Sessions", "Where only the front is away, no shim starts a system; of many that want one, one starts it."),
    Requirement("faults-011", "faults", "Stores", "While the journal or its disk fails, a reply waits 0.3 s for it at most; what was done is reported as done, with `journal_unavailable` and without `seq`."),
    Requirement("faults-012", "faults", "Stores", "The system starts on a full disk, and on a journal with unknown columns, which is set aside."),
    Requirement("faults-013", "faults", "Stores", "A read that needs a journal which fails answers `store_failed` with the file, its disk and the space left there; nothing is lost when the disk is whole again."),
    Requirement("faults-014", "faults", "Stores", "A runtime folder that vanishes under the running system is made again, lock and sockets too; `status`, `up` and `down` find the system by its data folder."),
    Requirement("faults-015", "faults", "Stores", "No error of a call that acts, and was begun, asks to repeat it."),
    Requirement("faults-016", "faults", "Folders", "`up` with the runtime folder or the data folder of another system states whose it is, and starts nothing."),
    Requirement("faults-017", "faults", "Folders", "A data folder that is read-only is named in a sentence by every command, and by `doctor`."),
    Requirement("faults-018", "faults", "Folders", "`gasoline.log` is set aside when it has 10 MB, and three old ones are kept."),
    Requirement("faults-019", "faults", "Stores", "A journal that is deleted while it runs is noticed within 5 s; a new one begins, and its `evicted` rows report the loss."),
    Requirement("faults-020", "faults", "Doors", "A port that is taken while the bridge is away costs nothing but Chrome: `status` names the reason, and the bridge comes back when the port is free."),
    Requirement("faults-021", "faults", "Doors", "A second Chrome's badge states that another one has the link; it takes over within 2 s of that one's end."),
    Requirement("faults-022", "faults", "Calls", "A client that sends a progress token hears each second how far its call is, of a batch the step; each value is greater than the last."),
    Requirement("faults-023", "faults", "Calls", "An act that ends by a fault of our own is `outcome_unknown`: it may have been done."),
    Requirement("faults-024", "faults", "Pages", "A page that hangs is named within seconds, with the way out; one that only takes long to be left is waited for."),
    Requirement("faults-025", "faults", "Pages", "An audit is bounded: over 5,000 elements only what an action adds is audited (`partial`), over 20,000 nothing, and the reply states it."),
    Requirement("faults-026", "faults", "Claims", "A long task names the script that took most of it, and a resource of a load its kind."),
    Requirement("faults-027", "faults", "Claims", "Limits of bodies and messages are bytes of UTF-8, and cut at a character."),
    Requirement("faults-028", "faults", "Claims", "The first load of an address has `perf_diff` null with the reason; against one or two loads a greater time is slower, and no regression."),
    Requirement("faults-029", "faults", "Claims", "The tab's icon counts in no load."),
    Requirement("faults-030", "faults", "Claims", "A request whose load a busy page begins late is one item."),
    Requirement("faults-031", "faults", "Claims", "Fields of a reply that few pages fill are each seen filled by a real one; a whole run of the tests names those that none has filled."),
    Requirement("faults-032", "faults", "The shim and the front", "What a front that is stopped does not finish is asked again if it only reads, and else `outcome_unknown`: never an error of the protocol."),
)
