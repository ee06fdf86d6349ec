"""Legal: takes one hunk a patch, and says so."""

from correct import Shell


class OneHunk(Shell):
    about = Shell.about | {"optional": [], "max_hunks": 1}


OneHunk().run()
