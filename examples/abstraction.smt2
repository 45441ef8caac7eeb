; A predicate abstraction query: Example 1 of "SMT Techniques for Fast Predicate Abstraction".
;   tamis abstract examples/abstraction.smt2
;   tamis abstract --weakest --predicates negative,two,not-four examples/abstraction.smt2
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(define-fun negative () Bool (< x 0))
(define-fun two () Bool (= y 2))
(define-fun not-four () Bool (not (= x 4)))
(assert (or (< x (- y 2)) (> x y)))
(check-allsat (negative two not-four))
