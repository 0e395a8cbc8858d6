"""The sentences for codes, in English, and the language of what players see: gettext catalogues have both.

What is decided, compared or written down is a code with its data (`Message`); `sentence` says it to a person. No other
package looks into a sentence. What players see is translated (`Speech`).
"""
