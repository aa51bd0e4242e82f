"""The audit worker's process; judging and the modules of the parts decide."""

import msgspec

from gasoline_broker.actor.actor import Actor
from gasoline_broker.actor.client import Answer, Step
from gasoline_broker.actor.wire import pack
from gasoline_workers.audit.axe_report import report
from gasoline_workers.audit.judging import judged
from gasoline_workers.audit.load_numbers import load_read
from gasoline_workers.audit.messages import ExportSarif, Judge, ReadLoad, ReportAccessibility, Request
from gasoline_workers.audit.sarif import sarif


class Audit(Actor[Request]):
    """Judges what pages are like, by the evidence that was gathered in them."""

    service = "audit"
    accepts = Request
    computes = True

    async def receive(self, message: Request, step: Step) -> Answer:
        """Return what was found in the evidence that the stop before answered."""
        body = msgspec.msgpack.decode(step.body)
        match message:
            case Judge():
                return Answer(pack(judged(message, body)))
            case ReportAccessibility():
                return Answer(pack(report(message, body)))
            case ExportSarif():
                return Answer(pack(sarif(body)))
            case ReadLoad():
                return Answer(pack(load_read(body)))
