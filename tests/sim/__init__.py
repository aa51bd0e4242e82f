"""Runs the real routing and the real mailboxes on a virtual clock and a network that fails, as a seed decides.

Reading order: clock (time), ledger (what must be so), network (what gets lost), processes (which live and die),
scenario (what a seed decides), run (many seeds), laws (what holds of a Routing after every event).
"""
