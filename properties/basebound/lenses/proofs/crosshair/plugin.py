"""A plugin of CrossHair that registers the stand-ins: to import, or to name to ``crosshair check --extra_plugin``.

No entry point ``crosshair.plugin`` names it: that would make hashes ideal in every analysis wherever the suite is
installed, and not in its own alone.
"""

from __future__ import annotations

from basebound.lenses.proofs.crosshair import byte_makers, ideal_hash, text_makers, tuple_slices

for stand_ins in (ideal_hash, text_makers, byte_makers, tuple_slices):
    stand_ins.install()
