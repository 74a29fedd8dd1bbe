"""The games for learning programs: `strandline.env.pettingzoo`, `strandline.env.gymnasium`, `strandline.env.openspiel`.

Each of these needs its own library and is imported by name. What they share, the numbering of actions and the layout of
observations, is here.
"""

from strandline.env.spaces import Space, actions, observation, space

__all__ = ["Space", "actions", "observation", "space"]
