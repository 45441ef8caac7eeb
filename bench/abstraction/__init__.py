"""Parts of bench/paq: the queries, the runs, and the papers' tables."""
