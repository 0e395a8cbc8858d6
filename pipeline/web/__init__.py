"""The pages: words and buttons over ``desk``, nothing else."""
