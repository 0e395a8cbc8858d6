"""The pages: words and buttons over ``desk``, nothing else."""

DOOR = ("auth", "certificate", "hall", "network", "server", "static_site")
