"""A grammar of the lines that players write, and what their tournament's rules make of each, known by construction.

It is written without sight of `pipeline/interpret`: a plain order (`situations`) is spelled (`places`, `written`) and
decorated (`decorations`), and what comes of the line is compared with what the decorations allow (`verdicts`).
"""
