"""Closed classes of English words that steer the reading; nothing but data."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of `text` as a set."""
    return frozenset(text.split())


REPORTING = words(
    "said says say told tells added adds noted notes stated states believed believes thought think thinks "
    "argued argues claimed claims suggested suggests showed shows found indicated indicates explained "
    "announced reported reports concluded feel felt feels know knew known hoped hopes predicted predicts "
    "expect expects insisted insists"
)
SAYING = words(
    "said says added adds noted notes announced explained explains argued argues insisted insists warned warns "
    "wrote writes replied predicted predicts concluded recalled recalls asked asks promised promises"
)
# Verbs that need nothing after them, so that what follows the next verb is not theirs: he left and joined the navy.
SELF_SUFFICIENT = words(
    "came went left returned resigned died retired stayed arrived fell rose sat stood slept escaped survived withdrew"
)
LINKING = words("become becomes became remain remains remained seem seems seemed appear appears get got")
CONDITIONAL = words("if unless whether lest")
NEITHER = words("neither nor")
DOUBTFUL = words("may might could would should can must")
# What points to something said before, and what counts without naming.
DEMONSTRATIVES = words("this that these those such")
POINTING = words("other others another same latter former aforementioned following remaining")
VAGUE_AMOUNTS = words("several various certain additional numerous few some many")
# Nouns that are always of something: the population is that of a place.
RELATIONAL = words(
    "population name title motto code seat capital author director mayor cast plot area site rest end "
    "temperature enrollment goal aim purpose majority"
)
# Adjectives without which it would not be true.
QUALIFYING = words(
    "former future fictional fictitious aspiring would-be honorary vice deputy assistant retired alleged "
    "supposed self-proclaimed mythical legendary potential"
)
# Nouns of which everybody knows only one.
UNIQUE = words("sea ocean moon sun sky world earth public")
QUANTIFIERS = words("many few several such")
PARTICLES = words("up out off down away back over")

# Participles that are prepositions.
PREPOSITIONAL_PARTICIPLES = words(
    "following depending according beginning including regarding concerning starting"
)
# Prepositions whose phrase may belong to the noun before them, and those that tell when and where.
ATTACHING = words("of in at for on to from between about against into over under near")
TIME_AND_PLACE = words("in on at during since until from after before by near throughout")
# Prepositions of phrases without which their verb says little, and those of two things at once.
COMPLETING = words("to as into for with against from")
BETWEEN = words("between among")
# In order, in particular …: nouns whose phrase is an adverb, not an argument.
ADVERBIAL = words(
    "order addition particular fact turn part general effect case response return terms virtue accordance "
    "collaboration conjunction association cooperation partnership place detail use"
)

# The forms of verbs whose past tense is another word: where they stand alone, they are participles.
ONLY_PARTICIPLE = words(
    "born known seen taken given written shown drawn grown done gone begun sung chosen broken spoken "
    "driven fallen eaten risen worn torn thrown flown blown hidden ridden forgotten stolen frozen sworn "
    "proven"
)

# Verbs that have no passive, so that their past form is no participle after a noun.
INTRANSITIVE = words(
    "died arrived happened occurred appeared disappeared remained existed emerged belonged lived worked "
    "participated graduated retired resigned migrated emigrated vanished collapsed"
)
# Verbs whose past is their base form, and which are mostly nouns.
UNCHANGED_PAST = words("cost cut hit set put shut split spread hurt quit bid cast burst shed")
IRREGULAR_PLURALS = words(
    "people women men children police feet teeth geese mice oxen criteria bacteria media data"
)

# Of these at least one stands in most English sentences, and hardly in those of other languages.
FUNCTION_WORDS = words("the and of which that were with from this his their been would")

# What would be a node without a meaning of its own.
EMPTY_NAMES = words(
    "one ones other others many some most all both each first second last latter former number lot part "
    "result fact case time way thing things example addition order same such none any several few two "
    "three more much who which that what there here this these those everyone someone something anything "
    "nothing respect"
)
