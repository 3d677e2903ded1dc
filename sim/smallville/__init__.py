"""The 2023 reference code's folders: a start folder in, a finished run in, a run of ours out."""
