"""Real assistants with a scripted model: what they make of Gasoline in their first minute."""
