"""From nothing to a network: self-play, fitting, gating, as one run that survives being killed."""
