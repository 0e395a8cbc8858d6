"""The sentences for codes, in English, and the language of what players see.

What is decided, compared or written down is a code with its data (`Message`); `sentence` says it to a person. No other
package looks into a sentence. What players see is translated by gettext catalogues (`Speech`).
"""

from pipeline.words.english import SENTENCES
from pipeline.words.speech import Message, sentence, sentences

__all__ = ["SENTENCES", "Message", "sentence", "sentences"]
