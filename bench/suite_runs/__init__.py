"""Parts of `bench/suites`: how suites say what they expect, how their programs are put to Tamis and to gcc, and who is right."""
