"""UGI-N: the words between an engine and whoever drives it. The specification is this folder's README.md."""
