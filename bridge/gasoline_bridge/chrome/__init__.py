"""The edge to Chrome: checks each connection, sends the extension its commands, and stores what it captured.

Reading order: messages (what the service understands), link (the messages to the extension and back), guard (which
requests are let in), commands (the open commands), intake (captured events, to the journal), link_socket (the
WebSocket), routes (HTTP) with http_errors, posted_events and metrics, audit (what never reached the extension),
uploads, visitors and rare_log (what strangers can take), narrow_ints, actor (the process).
"""
