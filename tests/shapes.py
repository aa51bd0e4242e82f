"""The documented shape of the reply of each mode that reads the journal; tests hold real replies to it."""

from typing import Any

from gasoline_bridge.mcp import seen

SHAPES: dict[str, Any] = {
    "logs": seen.LogsSeen,
    "errors": seen.ErrorsSeen,
    "network_waterfall": seen.RequestsSeen,
    "network_bodies": seen.BodiesSeen,
    "websocket_events": seen.SocketsSeen,
    "vitals": seen.VitalsSeen,
    "performance": seen.PerformanceSeen,
    "actions": seen.ActionsSeen,
}
