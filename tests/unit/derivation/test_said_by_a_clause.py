"""Questions that one clause answers: when, whether one may, who came after whom, what happened, what one pays."""

from __future__ import annotations

import pytest

from unit.derivation.shelf import short

RULES = {
    "House rules": "Dogs are not admitted, with the exception of guide dogs. Open fires and the storage of "
    "solvents are prohibited. No one may take out a boat without a life jacket. No machine may "
    "be run between 8 p.m. and 7 a.m. Bonfires are permitted only in November. Food and drink "
    "are not allowed in the reading room. Gloves must be worn in the laboratory. The Tenant may "
    "not sublet the premises without the written consent of the Landlord. Cats may be kept only "
    "with the Landlord's permission. Photographs may be taken without flash. Members may bring "
    "two guests. Radios may be used in the hall. A file can only be moved to the same folder or a newer one."
}
TIMES = {
    "The Orvik museum": "Tours of the cellar begin at 11 a.m. and 2 p.m. and last fifty minutes. The museum is "
    "open from Tuesday to Sunday and closed in January. The reading room is open on Mondays and Fridays from "
    "8 a.m. until dusk. The tenant shall have the heating serviced once a year.",
    "The clinic": "The clinic is open from 8 am to 7 pm on weekdays and from 9 am to noon on Saturdays.",
}
PEOPLE = {
    "Velm Foods": "Velm Foods was founded by Johan Brandt, who ran the company until 1961. He was succeeded "
    "by his son Karl. The works was run by its founder, Giles Harrow, until 2005; since then "
    "his daughter Philippa Harrow has been managing director. Our cider maker, Owen Prosser, "
    "will retire in the autumn. His place will be taken by his deputy, Beth Farrow. Rosalind "
    "Ekberg stepped down after eight years. Yusuf Karim was elected as her successor. The head "
    "gardener is Lucy Moor. Her predecessor, Ned Sharp, had looked after the roses for 26 "
    "years."
}
FATES = {
    "The rowing club": "The crew won the Severn Cup in 1952. The cup itself was stolen in 1964 and was never "
    "recovered. The old mill burned down in 1911. The boathouse, which was completed in 1894, "
    "stands below Mill Bridge. In 1938 a fire destroyed eleven of the club's fourteen boats. "
    "The current president is Nadia Whitlock."
}
PRICES = {
    "Prices": "Admission is £9 for adults, £6 for students and £3 for children; members of the Friends "
    "pay nothing. The new tank cost £780."
}
YEARS = {
    "Report for 2023": "Revenue rose from £4.1 million to £4.8 million, and profit before tax was £390,000 after a "
    "loss of £75,000 in 2022. We pressed 2,300 tonnes of apples, 150 tonnes more than the year "
    "before. Staff numbers grew from 46 to 53. In 2022 the museum had 38,200 visitors, compared "
    "with 29,700 the year before. Gwen Torrance reported an income of £6,240 and expenditure of "
    "£5,880."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can I bring my dog?", "no"),
        ("May solvents be stored in the workshop?", "no"),
        ("May I take out a boat without a life jacket?", "no"),
        ("May machines be run at night?", "not between 8 p.m. and 7 a.m."),
        ("Are bonfires permitted in March?", "no"),
        ("Are bonfires allowed in November?", "yes"),
        ("May I eat in the reading room?", "no"),
        ("Do I have to wear gloves?", "yes"),
        ("Can the tenant sublet the premises without consent?", "no"),
        ("May the tenant keep a cat?", "only with the Landlord's permission"),
        ("May I take photographs?", "yes, without flash"),
        ("Can I keep a horse?", ""),
        ("May my daughter come alone?", ""),
        ("Can a file be moved to an older folder?", "no"),
        ("Can a file be moved to a newer folder?", "yes"),
        ("Can one eat in the garden?", ""),
    ],
)
async def test_a_rule_tells_what_may_be_done(question: str, answer: str) -> None:
    assert await short(question, RULES) == answer


async def test_what_happened_ends_with_a_semicolon() -> None:
    club = {
        "The club": "Its first boathouse burned down in 1951; the present one was opened on 14 May 1954 by Celia Rowe."
    }
    assert await short("What happened to the first boathouse?", club) == "burned down in 1951"


async def test_a_rule_for_one_thing_answers_nothing_of_another() -> None:
    rules = {
        "Supply": "During the term the Supplier may not sell winged kelp to any other customer in Japan or South Korea."
    }
    assert await short("May Torvik sell salted dulse to another customer in South Korea?", rules) == ""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When do tours start?", "11 a.m. and 2 p.m."),
        ("How long does a tour take?", "fifty minutes"),
        ("On which days is the museum open?", "from Tuesday to Sunday"),
        ("When is the reading room open?", "Mondays and Fridays from 8 a.m. until dusk"),
        ("How often must the heating be serviced?", "once a year"),
        ("How often must the roof be inspected?", ""),
        ("In which month is the museum closed?", "January"),
        ("When does the clinic open on Saturdays?", "from 9 am to noon on Saturdays"),
        ("When does the clinic open on Sundays?", ""),
    ],
)
async def test_all_of_a_time_that_is_so_by_rule_is_told(question: str, answer: str) -> None:
    assert await short(question, TIMES) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who ran the company after Johan Brandt?", "Karl"),
        ("Who ran the works before Philippa Harrow?", "Giles Harrow"),
        ("Who will succeed Owen Prosser?", "Beth Farrow"),
        ("Who succeeded Rosalind Ekberg?", "Yusuf Karim"),
        ("Who looked after the roses before Lucy Moor?", "Ned Sharp"),
    ],
)
async def test_who_came_after_whom(question: str, answer: str) -> None:
    assert await short(question, PEOPLE) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What happened to the old mill?", "burned down in 1911"),
        ("What happened to the new mill?", ""),
        ("When was Mill Bridge built?", ""),
        ("How many boats were destroyed by the fire?", "eleven"),
        ("Who is the president today?", "Nadia Whitlock"),
    ],
)
async def test_what_happened_is_said_of_the_thing_itself(question: str, answer: str) -> None:
    assert await short(question, FATES) == answer


async def test_a_sentence_that_two_passages_share_is_said_once() -> None:
    shared = "The old mill burned down in 1911."
    passages = {
        "The mill": f"It stood by the river. {shared}",
        "The mill, continued": f"{shared} A school followed.",
    }
    assert await short("What happened to the old mill?", passages) == "burned down in 1911"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does a ticket cost for a child?", "£3"),
        ("How much do students pay?", "£6"),
        ("What do members pay?", "nothing"),
        ("What do teachers pay?", ""),
    ],
)
async def test_a_price_is_that_of_those_who_pay_it(question: str, answer: str) -> None:
    assert await short(question, PRICES) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("By how much did revenue grow?", "£0.7 million"),
        ("By how much did revenue fall?", ""),
        ("How many tonnes of apples were pressed the year before?", "2,150 tonnes"),
        ("How many employees does the company have?", "53"),
        ("How many visitors came in 2021?", "29,700"),
        ("How many more visitors were there in 2022 than in 2021?", "8,500"),
        ("By how much did income exceed expenditure?", "£360"),
        ("How big was the loss in 2022?", "£75,000"),
        ("Did the company make a profit in 2022?", "no"),
        ("By how much did profit rise?", ""),
    ],
)
async def test_amounts_at_two_times(question: str, answer: str) -> None:
    assert await short(question, YEARS) == answer


WEEK = {
    "The quay": "The quay is open to visitors from May to September, daily except Mondays. The museum is open from "
    "Tuesday to Sunday. The library is closed on Sundays. The café is open daily from 10 am and is closed on Mondays."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the quay open on Mondays?", "no"),
        ("Is the quay open on Tuesdays?", "yes"),
        ("Is the museum closed on Mondays?", "yes"),
        ("Is the library open on Sundays?", "no"),
        ("Is the library open on Mondays?", ""),
        ("Is the café open at weekends?", "yes"),
        ("Is the shop open on Mondays?", ""),
    ],
)
async def test_the_days_on_which_something_is_open(question: str, answer: str) -> None:
    assert await short(question, WEEK) == answer


LEASE = {
    "Lease": "Pets other than fish and cage birds need the landlord's written consent. The tenant may sublet a single "
    "room. Washing machines may be used between 7 am and 9 pm only."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Can I keep a dog?", "only with the landlord's written consent"),
        ("Am I allowed to keep a cat?", "only with the landlord's written consent"),
        ("Can I keep a parrot?", ""),
        ("Can I sublet a room?", "yes"),
        ("Can I run the washing machine at 10 pm?", "no"),
        ("Can I use the washing machine at 8 am?", "yes"),
    ],
)
async def test_what_needs_consent_and_when_something_may_be_used(question: str, answer: str) -> None:
    assert await short(question, LEASE) == answer


FERRY = {
    "Norlink": "Passenger numbers fell from 84,000 in 2019 to 51,000 last year. The ferry Solveig, which was built "
    "in Gdansk and can carry 42 cars, will be sold. The firm was founded by the brothers Per and Leif Dahl in 1954. "
    "Her book White Silence was translated into English by Anna Moor. Marta Lind taught at Lund "
    "University from 1945 to 1967."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many passengers were there in 2019?", "84,000"),
        ("How many passengers were there last year?", "51,000"),
        ("Where was the Solveig built?", "Gdansk"),
        ("Who founded the firm?", "Per and Leif Dahl"),
        ("Where did Marta Lind teach?", "Lund University"),
    ],
)
async def test_where_who_and_how_many_then(question: str, answer: str) -> None:
    assert await short(question, FERRY) == answer


PORT = {
    "The port": "The port belongs to the city of Lunden, which bought it from the Baltic Dock Company in 1998. The "
    "new line, delivered by the firm Krones, fills bottles. The mill belonged to Karl Moen until 1990. A "
    "third crane was ordered in November and is to be delivered in 2023. In June a fire destroyed the old"
    " customs house. Nobody was hurt. The house had been built in 1904 by the architect Emil Staub. The "
    "tenant pays a deposit of two months' rent, which is returned within six weeks after the end of the "
    "lease. The machine is guaranteed for two years; the pump is guaranteed for five. Its director is Dr "
    "Maja Lind; her deputy, Oskar Frey, looks after the workshop. In October a burst pipe flooded the "
    "basement and destroyed the archive. Two clocks were stolen in 1994; one of them was returned in "
    "2003. In 2022 the museum received 51,300 visitors, 7,100 more than in 2021. Dogs are welcome in the "
    "café only. The clinic has 52 members of staff, 14 of them doctors. A wing was designed by the studio Brun & Vik."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who owns the port?", "city of Lunden"),
        ("Who sold the port?", "Baltic Dock Company"),
        ("Who delivered the new line?", "Krones"),
        ("Who owned the mill?", "Karl Moen"),
        ("Who owns the mill?", ""),
        ("Who owns the line?", ""),
        ("When will the third crane be delivered?", "2023"),
        ("Who built the customs house?", "Emil Staub"),
        ("When does the lease end?", ""),
        ("How many doctors does the clinic have?", "14"),
        ("Who designed the wing?", "Brun & Vik"),
        ("How long is the pump guaranteed?", "five"),
        ("Who is the deputy director?", ""),
        ("Who is the director?", "Dr Maja Lind"),
        ("What destroyed the archive?", "burst pipe"),
        ("How many clocks were stolen?", "Two"),
        ("How many visitors did the museum have in 2021?", "44,200"),
        ("Can I bring my dog?", "only in the café"),
    ],
)
async def test_who_has_a_part_in_what_a_clause_tells(question: str, answer: str) -> None:
    assert await short(question, PORT) == answer


LIVES = {
    "Ada Novak": "Ada Novak was a botanist. She was the youngest of five children of the pilot Josef Novak and his "
    "wife Marta Lind. Novak studied chemistry at the University of Graz. In Leipzig she met the engineer Karel Houska, "
    "whom she married in 1903. The couple had a son, Paul, and three daughters. She bought the villa for 9,000 crowns. "
    "She led the institute until 1940, when she handed it over to her daughter Astrid. From 1942 she lived in a "
    "cottage which her aunt had left her. It is not known who drew her portrait. Among her pupils were Emil Krag and "
    "Sofie Lund."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many siblings did Ada Novak have?", "4"),
        ("How many children did Ada Novak have?", "4"),
        ("How many daughters did Ada Novak have?", "three"),
        ("How many brothers did Ada Novak have?", ""),
        ("How many sons did Ada Novak have?", "one"),
        ("Who was Ada Novak's husband?", "Karel Houska"),
        ("Where did Novak meet her husband?", "Leipzig"),
        ("Who took over the institute from Ada Novak?", "Astrid"),
        ("What did Ada Novak study?", "chemistry"),
        ("How much did she pay for the villa?", "9,000 crowns"),
        ("Who drew the portrait?", ""),
        ("What was Sofie Lund's nationality?", ""),
    ],
)
async def test_what_a_life_tells_of_kin_successors_and_sums(question: str, answer: str) -> None:
    assert await short(question, LIVES) == answer


CASES = {
    "Rules": "Rent is due in October; if it is not paid within six weeks, the plot is given to someone else. When the "
    "disk is more than 90 per cent full, the program skips the backup and sends a message. The gate is locked if a "
    "storm is forecast."
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What happens if I don't pay the rent?", "the plot is given to someone else"),
        ("What happens when the disk is nearly full?", "the program skips the backup and sends a message"),
        ("What happens if a storm is forecast?", "The gate is locked"),
        ("What happens if I pay the rent?", ""),
        ("What happens if the key is lost?", ""),
    ],
)
async def test_what_happens_in_a_case_is_what_the_sentence_of_the_case_says(
    question: str, answer: str
) -> None:
    assert await short(question, CASES) == answer


POOL = {
    "Rules of the Marle Pool": "The pool is open from May on. Dogs are not allowed, with the exception of guide dogs, "
    "which must stay out of the water.",
    "Drummel Castle": "Drummel Castle stands on a rock above the river. Its courtyard is open to everybody.",
    "Rental agreement, Mill Lane 4": "Smoking is prohibited in the stairwell, but not in the flat or on its balcony.",
    "Minutes of the Belcourt board": "Ms. Ortega moved that phones be banned from all classrooms.",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are dogs allowed at the Marle Pool?", "no"),
        ("Are guide dogs allowed at the Marle Pool?", "yes"),
        ("Are dogs allowed in the courtyard of Drummel Castle?", ""),
        ("Are phones allowed in the classrooms of Belcourt?", ""),
        ("Is smoking allowed in the stairwell of Mill Lane 4?", "no"),
    ],
)
async def test_a_rule_is_that_of_the_house_asked_about_without_what_it_takes_out(
    question: str, answer: str
) -> None:
    assert await short(question, POOL) == answer
