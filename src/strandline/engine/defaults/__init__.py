"""What a game does that has nothing of its own to say: a module for each part of a game's folder that has gaps."""
