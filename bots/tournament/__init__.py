"""Tournaments between engines: a referee process, a process for each seat, and numbers one can trust."""
