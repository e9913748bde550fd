"""Floor 0: the nouns. Imports nothing of the other floors."""
