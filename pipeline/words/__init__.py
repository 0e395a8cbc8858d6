"""Every sentence for a code stands here, and nowhere else: where a code is shown to somebody, it is said.

What is decided, compared or written down is a code with its data (`Told`); no other room may look into a sentence. A
language is swapped by swapping `SENTENCES` where `told` looks for it.
"""

from pipeline.words.english import SENTENCES
from pipeline.words.speech import Told, sentence, sentences

__all__ = ["SENTENCES", "Told", "sentence", "sentences"]
