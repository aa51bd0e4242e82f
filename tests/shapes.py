"""The documented shape of the reply of each mode that reads the journal; tests hold real replies to it."""

from typing import Any

from gasoline_bridge.front import reply_schemas

SHAPES: dict[str, Any] = {
    "logs": reply_schemas.LogsReply,
    "errors": reply_schemas.ErrorsReply,
    "network_waterfall": reply_schemas.RequestsReply,
    "network_bodies": reply_schemas.BodiesReply,
    "websocket_events": reply_schemas.SocketsReply,
    "vitals": reply_schemas.VitalsReply,
    "performance": reply_schemas.PerformanceReply,
    "actions": reply_schemas.ActionsReply,
}
