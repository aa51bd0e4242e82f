"""The documented shape of the reply of each mode that reads the journal; tests hold real replies to it."""

from typing import Any

from gasoline_bridge.front import reply_schemas

SHAPES: dict[str, Any] = {
    "logs": reply_schemas.LogsSeen,
    "errors": reply_schemas.ErrorsSeen,
    "network_waterfall": reply_schemas.RequestsSeen,
    "network_bodies": reply_schemas.BodiesSeen,
    "websocket_events": reply_schemas.SocketsSeen,
    "vitals": reply_schemas.VitalsSeen,
    "performance": reply_schemas.PerformanceSeen,
    "actions": reply_schemas.ActionsSeen,
}
