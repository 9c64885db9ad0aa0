"""English words whose forms no rule of endings joins: wrote and write, women and woman.

Left out are forms that are as often another word: rose, bit, lay, wound, ground, bound, lives, leaves. "Born" stays
itself, as hardly anybody asks by "bear".
"""

from __future__ import annotations

from typing import Final

_VERBS: Final = """
arise arose arisen/awake awoke awoken/bear bore borne/become became/begin began begun/bend bent/bleed bled
blow blew blown/break broke broken/breed bred/bring brought/build built/burn burnt/buy bought/catch caught
choose chose chosen/cling clung/come came/creep crept/deal dealt/dig dug/draw drew drawn/dream dreamt
drink drank drunk/drive drove driven/dwell dwelt/eat ate eaten/fall fell fallen/feed fed/feel felt/fight fought
find found/flee fled/fling flung/fly flew flown/forbid forbade forbidden/foresee foresaw foreseen/foretell foretold
forget forgot forgotten/forgive forgave forgiven/forsake forsook forsaken/freeze froze frozen/get got gotten
give gave given/go went gone/grow grew grown/hang hung/hear heard/hide hid hidden/hold held/keep kept/kneel knelt
know knew known/lay laid/lead led/leap leapt/learn learnt/leave left/lend lent/lose lost/make made/mean meant/meet met
mislead misled/mistake mistook mistaken/misunderstand misunderstood/outgrow outgrew outgrown/overcome overcame
oversee oversaw overseen/overtake overtook overtaken/overthrow overthrew overthrown/pay paid/prove proven
rebuild rebuilt/repay repaid/rewrite rewrote rewritten/ride rode ridden/ring rang rung/rise risen/run ran/say said
see saw seen/seek sought/sell sold/send sent/sew sewn/shake shook shaken/shine shone/shoot shot/show shown
shrink shrank shrunk/sing sang sung/sink sank sunk/sit sat/sleep slept/slide slid/sling slung/slay slew slain
speak spoke spoken/speed sped/spend spent/spin spun/spring sprang sprung/stand stood/steal stole stolen/stick stuck
sting stung/stride strode/strike struck stricken/strive strove striven/swear swore sworn/sweep swept/swim swam swum
swing swung/take took taken/teach taught/tear tore torn/tell told/think thought/throw threw thrown
undergo underwent undergone/understand understood/undertake undertook undertaken/uphold upheld/wake woke woken
wear wore worn/weave wove woven/weep wept/win won/withdraw withdrew withdrawn/withhold withheld/withstand withstood
write wrote written
"""
_NOUNS: Final = """
man men/woman women/child children/foot feet/tooth teeth/goose geese/mouse mice/ox oxen/wife wives/knife knives
wolf wolves/half halves/shelf shelves/loaf loaves/thief thieves/calf calves/criterion criteria/phenomenon phenomena
bacterium bacteria/nucleus nuclei/radius radii/fungus fungi/alumnus alumni/analysis analyses/hypothesis hypotheses
thesis theses/crisis crises/basis bases/index indices/matrix matrices/vertex vertices/appendix appendices
"""


def _table() -> dict[str, str]:
    entries = (entry.split() for entry in (_VERBS + _NOUNS).strip().replace("\n", "/").split("/"))
    return {form: entry[0] for entry in entries if entry for form in entry[1:]}


BASE_OF: Final = _table()
"""Irregular form → the form that the dictionary lists, all in lower case."""
