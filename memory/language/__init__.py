"""The only home of English by rule: words and stems, sentences, dates, names, facts, who did what."""
