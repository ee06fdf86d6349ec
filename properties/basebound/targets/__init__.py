"""How an engine plugs in: by import string, as pure functions, in another process."""
