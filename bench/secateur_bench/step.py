"""A step: a name, what it measures, the peers it needs, and the function that runs it."""


class Step:
    def __init__(self, name, about, peers, run):
        self.name = name
        self.about = about
        self.peers = peers
        self.run = run
