"""Starts a child that inherits its pipes; when it ends, the child keeps them open (for a minute at most)."""

import subprocess
import sys

from correct import serve

subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
serve()
