"""What a reviewer comes for, each task done from the window alone; how many steps it takes is asserted and printed (`pytest -s`)."""
