"""The edge to Chrome: what may connect, what is asked of the extension, what it answers.

Reading order: messages (what the service understands), link (what travels to the extension and back), guard (who may
connect), commands (what is open), routes (HTTP and WebSocket), actor (the process).
"""
