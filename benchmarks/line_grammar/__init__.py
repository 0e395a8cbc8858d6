"""A grammar of the lines that players write, each line with what its tournament's rules make of it, known by construction.

It is written without sight of `pipeline/interpret`: a plain order (`situations`) is spelled (`places`, `written`), decorated
(`decorations`), and what comes of the line is compared with what the decorations allow (`verdicts`).
"""
