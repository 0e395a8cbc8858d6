"""The benchmarks count what they say they count."""
