"""Makes questions, and short claims, out of parsed statements, with trees that the transformation knows:
`python training/questions.py --silver FILE --to FILE --count 25000`.

The teacher was trained on news and reads questions badly ("What city was the director of … born in?"); here the tree of
the question follows from the tree of the statement, so that the student learns better than its teacher knew. Words come
from the statements, and a question is held out where its statement is.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import silver
from clauses import Clause, Piece, clause_of, joined, names_of, word
from phrases import KINDS, Phrases

from provgraph.reading.trees import is_tree

SORTS = (
    "country",
    "city",
    "genre",
    "nationality",
    "language",
    "profession",
    "state",
    "year",
    "continent",
    "religion",
)
COMPARED = (
    ("older", "JJR"), ("younger", "JJR"), ("larger", "JJR"), ("taller", "JJR"), ("longer", "JJR"), ("higher", "JJR"),
    ("smaller", "JJR"), ("bigger", "JJR"), ("newer", "JJR"), ("earlier", "RBR"), ("closer", "JJR"),
)  # fmt: skip
HAPPENED = (
    "released",
    "founded",
    "published",
    "born",
    "built",
    "formed",
    "established",
    "opened",
    "created",
    "invented",
)


class Maker(Phrases):
    """Draws questions and claims from clauses and names."""

    def __init__(self, clauses: list[Clause], names: list[Piece], seed: int) -> None:
        super().__init__(clauses, names, seed)
        self.forms: list[tuple[int, Callable[[Clause], Piece | None]]] = [
            (4, self.who_did), (4, self.what_did), (5, self.when_where), (3, self.by_whom), (3, self.yes_or_no),
            (3, self.stranded), (3, self.fronted), (4, self.who_is), (3, self.which_first), (2, self.same),
            (3, self.how_many), (4, self.claim), (2, self.denial), (3, self.copular_claim), (2, self.is_it),
            (2, self.order), (2, self.comparison), (2, self.why_how), (2, self.how_adjective), (2, self.what_year),
            (1, self.what_sort), (2, self.in_which), (2, self.asked_last), (1, self.how_many_are),
        ]  # fmt: skip

    def draw(self, clause: Clause) -> Piece | None:
        clause = replace(clause, subject=self.subject(clause.subject))
        form = self.chance.choices([f for _, f in self.forms], [weight for weight, _ in self.forms])[0]
        made = form(clause)
        if made is None:
            return None
        first = made.words[0]
        return replace(made, words=(first[0].upper() + first[1:], *made.words[1:]))

    def who_did(self, clause: Clause) -> Piece | None:
        asker = word(self.pick(("who", "who", "what")), "WP") if self.chance.random() < 0.6 else self.which()
        if self.chance.random() < 0.15:
            asker = self.asked_of(asker)
        verb_at = 2 if clause.auxiliary else 1
        parts = [(asker, "nsubj:pass" if clause.passive else "nsubj", verb_at), *self.finite(clause, verb_at)]
        parts.append((word(clause.verb, clause.tag), "root", -1))
        return self.asked(parts + [(p, r, verb_at) for p, r in self.some(list(clause.after))])

    def what_did(self, clause: Clause) -> Piece | None:
        objects = clause.of("obj")
        if not objects or clause.passive:
            return None
        asker = word(self.pick(("what", "who", "whom")), "WP") if self.chance.random() < 0.6 else self.which()
        return self.asked(self.inverted(clause, asker, "obj", self.some(clause.without(objects[0][0]))))

    def when_where(self, clause: Clause) -> Piece | None:
        obliques = clause.of("obl")
        dropped = self.chance.choice(obliques)[0] if obliques else None
        asker = word(self.pick(("when", "where")), "WRB")
        return self.asked(self.inverted(clause, asker, "advmod", self.some(clause.without(dropped))))

    def why_how(self, clause: Clause) -> Piece | None:
        asker = word(self.pick(("why", "how")), "WRB")
        return self.asked(self.inverted(clause, asker, "advmod", self.some(list(clause.after))))

    def fronted(self, clause: Clause) -> Piece | None:
        asker = self.of(
            self.which(self.pick((*SORTS, *KINDS))), self.pick(("in", "in", "at", "on", "for", "to", "from"))
        )
        obliques = clause.of("obl")
        return self.asked(
            self.inverted(clause, asker, "obl", clause.without(obliques[-1][0] if obliques else None))
        )

    def stranded(self, clause: Clause) -> Piece | None:
        """ "Which city was she born in": the preposition stands behind and belongs to "city"."""
        asker = word(self.pick(("what", "who")), "WP") if self.chance.random() < 0.3 else self.which()
        obliques = clause.of("obl")
        after = self.some(clause.without(obliques[-1][0] if obliques else None))
        preposition = self.pick(("in", "in", "for", "with", "to", "from", "at", "on"))
        relation = "obl"
        if clause.passive and self.chance.random() < 0.4:
            preposition, relation = "by", "obl:agent"
            after = [part for part in after if part[1] != "obl:agent"]
        parts = self.inverted(clause, asker, relation, [])
        tail = [(word(preposition, "IN"), "case", 0)]
        rest = [(piece, own, 3) for piece, own in after]
        return self.asked(parts + (rest + tail if relation == "obl" else tail + rest))

    def by_whom(self, clause: Clause) -> Piece | None:
        if not clause.passive:
            return None
        asker = self.of(word("whom", "WP") if self.chance.random() < 0.5 else self.which(), "by")
        after = [part for part in clause.after if part[1] != "obl:agent"]
        return self.asked(self.inverted(clause, asker, "obl:agent", after))

    def yes_or_no(self, clause: Clause) -> Piece | None:
        return self.asked(self.inverted(clause, None, "", self.some(list(clause.after))))

    def how_many(self, clause: Clause) -> Piece | None:
        noun = word(
            self.pick(("people", "films", "years", "members", "times", "books", "children", "patients")),
            "NNS",
        )
        many = joined([(word("how", "WRB"), "advmod", 1), (word("many", "JJ"), "", -1)])
        asker = joined([(many, "amod", 1), (noun, "", -1)])
        objects = clause.of("obj")
        if self.chance.random() < 0.5 or clause.passive:
            return self.who_did_by(clause, asker)
        return self.asked(
            self.inverted(clause, asker, "obj", clause.without(objects[0][0] if objects else None))
        )

    def who_did_by(self, clause: Clause, asker: Piece) -> Piece:
        verb_at = 2 if clause.auxiliary else 1
        verb = word(clause.verb, clause.tag)
        parts = [(asker, "nsubj:pass" if clause.passive else "nsubj", verb_at), *self.finite(clause, verb_at)]
        return self.asked(
            [*parts, (verb, "root", -1), *((p, r, verb_at) for p, r in self.some(list(clause.after)))]
        )

    def who_is(self, clause: Clause) -> Piece | None:
        asker = word(self.pick(("who", "what", "what")), "WP")
        if self.chance.random() < 0.12:
            asker = word("where", "WRB")
        copula = word(*self.chance.choice((("is", "VBZ"), ("was", "VBD"))))
        subject = self.role(clause) if self.chance.random() < 0.75 else self.name()
        return self.asked([(asker, "root", -1), (copula, "cop", 0), (subject, "nsubj", 0)])

    def how_adjective(self, clause: Clause) -> Piece | None:
        """ "How old is Ada Novak", "How long was the trial"."""
        adjectives = (
            "old",
            "tall",
            "long",
            "large",
            "far",
            "big",
            "high",
            "deep",
            "effective",
            "common",
            "much",
        )
        adjective = joined([(word("how", "WRB"), "advmod", 1), (word(self.pick(adjectives), "JJ"), "", -1)])
        copula = word(*self.chance.choice((("is", "VBZ"), ("was", "VBD"))))
        subject = self.role(clause) if self.chance.random() < 0.3 else self.name()
        return self.asked([(adjective, "root", -1), (copula, "cop", 0), (subject, "nsubj", 0)])

    def what_year(self, clause: Clause) -> Piece | None:
        asker = self.which(self.pick(("year", "year", "day", "month", "century", "decade")))
        obliques = clause.of("obl", "obl:tmod")
        after = self.some(clause.without(obliques[-1][0] if obliques else None))
        return self.asked(self.inverted(clause, asker, "obl:tmod", after))

    def what_sort(self, clause: Clause) -> Piece | None:
        """ "What nationality is Ada Novak"."""
        copula = word(*self.chance.choice((("is", "VBZ"), ("was", "VBD"))))
        subject = self.role(clause) if self.chance.random() < 0.5 else self.name()
        return self.asked(
            [(self.which(self.pick(SORTS)), "root", -1), (copula, "cop", 0), (subject, "nsubj", 0)]
        )

    def in_which(self, clause: Clause) -> Piece | None:
        """ "In what county is the city where Ada Novak was born"."""
        asker = self.of(
            self.which(self.pick((*SORTS, "county", "city", "region", "province"))), self.pick(("in", "on"))
        )
        copula = word(*self.chance.choice((("is", "VBZ"), ("was", "VBD"))))
        subject = self.name() if self.chance.random() < 0.3 else self.related(clause)
        return self.asked([(asker, "root", -1), (copula, "cop", 0), (subject, "nsubj", 0)])

    def asked_last(self, clause: Clause) -> Piece | None:
        """ "The lab was founded in which city", "The director of Jaws is whom"."""
        if self.chance.random() < 0.3:
            asker = word(self.pick(("who", "whom", "what")), "WP")
            return self.asked(
                [(self.role(clause), "nsubj", 2), (word("is", "VBZ"), "cop", 2), (asker, "root", -1)]
            )
        at = 2 if clause.auxiliary else 1
        subject = "nsubj:pass" if clause.passive else "nsubj"
        parts = [
            (clause.subject, subject, at),
            *self.finite(clause, at),
            (word(clause.verb, clause.tag), "root", -1),
        ]
        after = clause.without(clause.after[-1][0]) if clause.after else []
        asker = self.of(self.which(), self.pick(("in", "by", "for", "from", "at", "to")))
        by = "obl:agent" if clause.passive and asker.words[0] == "by" else "obl"
        return self.asked([*parts, *((p, r, at) for p, r in after if r != "obl:agent"), (asker, by, at)])

    def how_many_are(self, clause: Clause) -> Piece | None:
        """ "What is the number of players listed"."""
        verb = word(
            self.pick(("listed", "shown", "mentioned", "located", "given", "recorded", "made", "named")),
            "VBN",
        )
        inner = joined([(word(self.pick(KINDS) + "s", "NNS"), "", -1), (verb, "acl", 0)])
        noun = word(self.pick(("number", "name", "total", "percentage", "average", "list")), "NN")
        subject = joined([(word("the", "DT"), "det", 1), (noun, "", -1), (self.of(inner), "nmod", 1)])
        return self.asked(
            [(word("what", "WP"), "root", -1), (word("is", "VBZ"), "cop", 0), (subject, "nsubj", 0)]
        )

    def which_first(self, clause: Clause) -> Piece | None:
        asker = self.which() if self.chance.random() < 0.7 else word("who", "WP")
        verb, adverb = (
            word(self.pick(HAPPENED), "VBN"),
            word(self.pick(("first", "earlier", "later", "last")), "RB"),
        )
        parts = [
            (asker, "nsubj:pass", 2),
            (word("was", "VBD"), "aux:pass", 2),
            (verb, "root", -1),
            (adverb, "advmod", 2),
        ]
        return self.asked([*parts, (word(",", ","), "punct", 5), (self.pair(), "appos", 0)])

    def comparison(self, clause: Clause) -> Piece | None:
        asker = self.which() if self.chance.random() < 0.7 else word("who", "WP")
        adjective = word(*self.chance.choice(COMPARED))
        parts = [(asker, "nsubj", 2), (word(*self.chance.choice((("is", "VBZ"), ("was", "VBD")))), "cop", 2)]
        return self.asked(
            [*parts, (adjective, "root", -1), (word(",", ","), "punct", 4), (self.pair(), "appos", 0)]
        )

    def same(self, clause: Clause) -> Piece | None:
        second = joined([(word("and", "CC"), "cc", 1), (self.name(), "", -1)])
        both = joined([(self.name(), "", -1), (second, "conj", 0)])
        if self.chance.random() < 0.5:
            noun = joined(
                [
                    (word("the", "DT"), "det", 2),
                    (word("same", "JJ"), "amod", 2),
                    (word(self.pick(SORTS), "NN"), "", -1),
                ]
            )
            if self.chance.random() < 0.5:
                verb = (word("have", "VB"), "root", -1)
                return self.asked([(word("do", "VBP"), "aux", 2), (both, "nsubj", 2), verb, (noun, "obj", 2)])
            parts = [(word(self.pick(("are", "were")), "VBP"), "cop", 2), (both, "nsubj", 2)]
            return self.asked([*parts, (self.of(noun, "from"), "root", -1)])
        nouns = word(self.pick(KINDS) + "s", "NNS")
        parts = [(word("are", "VBP"), "cop", 3), (both, "nsubj", 3), (word("both", "DT"), "advmod", 3)]
        return self.asked([*parts, (nouns, "root", -1)])

    def is_it(self, clause: Clause) -> Piece | None:
        predicate = joined([(word("a", "DT"), "det", 1), (word(self.pick(KINDS), "NN"), "", -1)])
        if self.chance.random() < 0.4:
            predicate = joined(
                [(predicate, "", -1), (self.of(self.name(), self.pick(("in", "from", "of"))), "nmod", 0)]
            )
        copula = word(*self.chance.choice((("is", "VBZ"), ("was", "VBD"))))
        return self.asked([(copula, "cop", 2), (self.name(), "nsubj", 2), (predicate, "root", -1)])

    def order(self, clause: Clause) -> Piece | None:
        """ "Name the director of …", "Tell me who founded …"."""
        if self.chance.random() < 0.5:
            verb = word(self.pick(("name", "list", "give", "find", "describe", "explain")), "VB")
            return self.asked([(verb, "root", -1), (self.role(clause), "obj", 0)], ".")
        verb_at = 2 if clause.auxiliary else 1
        parts = [
            (word("who", "WP"), "nsubj:pass" if clause.passive else "nsubj", verb_at),
            *self.finite(clause, verb_at),
        ]
        inner = joined(
            [*parts, (word(clause.verb, clause.tag), "", -1), *((p, r, verb_at) for p, r in clause.after)]
        )
        return self.asked(
            [(word("tell", "VB"), "root", -1), (word("me", "PRP"), "iobj", 0), (inner, "ccomp", 0)], "."
        )

    def claim(self, clause: Clause) -> Piece | None:
        at = 2 if clause.auxiliary else 1
        subject = "nsubj:pass" if clause.passive else "nsubj"
        parts = [
            (clause.subject, subject, at),
            *self.finite(clause, at),
            (word(clause.verb, clause.tag), "root", -1),
        ]
        return self.asked(parts + [(p, r, at) for p, r in self.some(list(clause.after))], ".")

    def denial(self, clause: Clause) -> Piece | None:
        helper, verb, helping, subject = self.helped(clause)
        negation = word(self.pick(("not", "not", "never")), "RB")
        if helper[0] in {"did", "does", "do", "was", "is", "were"} and self.chance.random() < 0.3:
            negation = word("n't", "RB")
        parts = [
            (clause.subject, subject, 3),
            (word(*helper), helping, 3),
            (negation, "advmod", 3),
            (word(*verb), "root", -1),
        ]
        return self.asked(parts + [(p, r, 3) for p, r in self.some(list(clause.after))], ".")

    def copular_claim(self, clause: Clause) -> Piece | None:
        copula, negated = (
            word(*self.chance.choice((("is", "VBZ"), ("was", "VBD")))),
            self.chance.random() < 0.25,
        )
        if self.chance.random() < 0.5:
            predicate = self.role(clause)
        else:
            predicate = joined([(word("a", "DT"), "det", 1), (word(self.pick(KINDS), "NN"), "", -1)])
        at = 3 if negated else 2
        parts = [(clause.subject, "nsubj", at), (copula, "cop", at)]
        parts += [(word("not", "RB"), "advmod", at)] if negated else []
        return self.asked([*parts, (predicate, "root", -1)], ".")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--silver", type=Path, required=True)
    arguments.add_argument("--to", type=Path, required=True)
    arguments.add_argument("--count", type=int, default=25_000)
    options = arguments.parse_args()
    sentences = silver.read([options.silver])
    lemmas = [json.loads(line)["lemmas"] for line in options.silver.read_text("utf-8").splitlines()]
    clauses = [
        clause
        for sentence, own in zip(sentences, lemmas, strict=True)
        if (clause := clause_of(sentence, own)) is not None and sentence.source not in {"question"}
    ]
    weights = [1 if clause.source in {"pdf", "scifact"} else 5 for clause in clauses]
    maker = Maker(clauses, names_of(sentences), 7)
    totals = list(itertools.accumulate(weights))
    seen: set[tuple[str, ...]] = set()
    with options.to.open("w", encoding="utf-8") as file:
        while len(seen) < options.count:
            clause = maker.chance.choices(clauses, cum_weights=totals)[0]
            made = maker.draw(clause)
            if made is None or made.words in seen or len(made.words) > 45 or not is_tree(made.heads):
                continue
            seen.add(made.words)
            item = {
                "source": "made", "document": clause.document, "universal": True, "words": made.words,
                "tags": made.tags, "heads": made.heads, "labels": made.relations, "entities": made.entities,
            }  # fmt: skip
            print(json.dumps(item, ensure_ascii=False), file=file)


if __name__ == "__main__":
    main()
