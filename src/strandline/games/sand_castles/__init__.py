"""Sand Castles."""
