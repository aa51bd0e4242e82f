"""The regression worker: keeps what pages were like, and judges what has become worse since.

Reading order: messages, rank_statistics, timings, addresses, kept, accessibility, security, memory, verdict, approval,
history, portable, file, actor.
"""
