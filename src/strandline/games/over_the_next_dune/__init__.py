"""Over the Next Dune."""
