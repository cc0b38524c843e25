"""Players and meetings between them: the bots, your own bots, matches, and the ``serai`` command.

A bot of your own, played as ``serai match mine.py:Miser random``, served as a UGI-N engine by ``serve``::

    from serai.bots import Bot, serve

    class Miser(Bot):
        def choose(self, position):
            free = [token for token in position.legal_tokens() if not token.startswith("take")]
            return self.random.choice(free or position.legal_tokens())

    if __name__ == "__main__":
        serve(Miser)
"""

from serai.bots.bot import Bot, BotFault
from serai.bots.serving import serve

__all__ = ["Bot", "BotFault", "serve"]
