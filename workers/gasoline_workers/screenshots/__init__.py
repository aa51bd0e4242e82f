"""The screenshot store: keeps pictures of pages, whatever process dies.

Reading order: messages, png, pictures, retention, file, actor.
"""
