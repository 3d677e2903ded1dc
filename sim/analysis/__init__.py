"""What reads runs: events in; stories, pictures and numbers out.  Nothing here knows how a town lives."""
