"""Studies: the arms of a scenario, each lived with several seeds, and its residents asked at the end."""
