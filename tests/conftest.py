"""What holds for all tests."""

from hypothesis import settings

# Times are measured in tests/bench, never asserted: a busy machine is no defect.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
