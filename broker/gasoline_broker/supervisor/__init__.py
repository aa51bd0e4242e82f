"""The supervisor behind `gasoline up`: starts the processes of the Procfile and restarts the ones that die.

Reading order: procfile, supervisor, child (one process), restart_policy, child_cleanup and reaper (no child outlives
the supervisor), log_mux (the processes' log lines).
"""
