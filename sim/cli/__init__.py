"""The commands of `town`, by what they are about; heavy imports stand within them, so that help comes at once."""
