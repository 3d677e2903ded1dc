"""How a stream searches by more than the paper's three parts: words, dates, speakers, episodes."""
