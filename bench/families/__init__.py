"""The families of predicate abstraction queries of [SMT section 4.2], by name: models of ours in the shapes of the paper's.

[SMT]: Lahiri, Nieuwenhuis, Oliveras: SMT Techniques for Fast Predicate Abstraction, CAV 2006.
"""
from . import lists, processors, protocols

FAMILIES = {model.name: model for module in (protocols, processors, lists) for model in module.MODELS}
