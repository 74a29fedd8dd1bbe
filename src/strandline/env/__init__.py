"""The games for learning programs: `strandline.env.pettingzoo`, `strandline.env.gymnasium`, `strandline.env.openspiel`.

Each of these needs its own library and is imported by name. What they share, the numbering of actions and the layout of
observations, is here.
"""

try:
    from strandline.env.spaces import Space, actions, observation, space
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise ModuleNotFoundError(
        "The environments need more than the default install: pip install 'strandline[env]' for PettingZoo and"
        " Gymnasium, 'strandline[learn]' for Stable-Baselines3 and TorchRL, 'strandline[openspiel]' for OpenSpiel.",
        name="numpy",
    ) from None

__all__ = ["Space", "actions", "observation", "space"]
