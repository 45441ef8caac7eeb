"""Questions about types and values that gcc and Tamis must answer alike."""
