"""Pictures of the main states, kept beside this; `make pictures` takes them anew."""
