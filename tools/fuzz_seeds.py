"""Small inputs of each kind, of which ``tools/fuzz.py`` makes its mutants."""

RESULTS = (
    """\
rules: quanti-1822@parlett
players: [A, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: A
tricks: {A: 6, B: 2, D: 2}
matadors: 3
premiers: true
""",
    """\
rules: mediateur-1752
readings: {}
players: [A, B, C, D]
pool: "9/2"
contract: alliance
trump: spades
favourite: hearts
hombre: C
ally: D
tricks: {C: 4, D: 2, A: 4}
vole: none
claims: []
multiplier: 2
""",
    """\
rules: quintille
players: [A, B, C, D, E]
pool: 5
contract: solo
trump: clubs
hombre: A
tricks: {A: 5, B: 3}
matadors: 0
beasts: 1
""",
    """\
rules: quanti-1822@parlett
readings: {unit: fixed}
players: [A, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: A
tricks: 6
claims: [premium]
incidents: {revoke: B}
""",
    """\
rules: mediateur-1752
players: [A, B, C, D]
pool: "9/2"
contract: alliance
trump: spades
favourite: hearts
hombre: C
ally: D
tricks: 6
surrendered: D
adversary_matadors: 3
""",
)

DEAL = """\
{"rules": "quanti-1822", "readings": {"unit": "fixed"}, "players": ["A", "B", "C", "D"], "pool": 12, "multiplier": 1,
 "beasts": 0, "hands": ["D5 SQ S7 CJ S2 C6 S3 DJ HA S6", "DK H4 HQ C5 D4 D2 SK C7 SA CA",
 "CQ D6 DA C2 C4 H2 H6 H5 H3 D7", "S5 C3 S4 DQ D3 CK SJ HK H7 HJ"]}
"""

INCIDENTS = (
    """\
incident: out_of_turn
players: [Anne, Beatrice, Charlotte, Dorothea]
by: Charlotte
hombre: Anne
ally: Charlotte
card: H7
""",
    """\
incident: revoke
players: [Anne, Beatrice, Charlotte, Dorothea]
trick_turned: true
by: Anne
pool: 8
""",
    """\
incident: eleven_cards
players: [Anne, Beatrice, Charlotte, Dorothea]
played: false
by: Anne
pool: "9/2"
""",
)

PROFILES = (
    """\
kind: profile
id: house
title: House rules
extends: quanti-1822
readings:
  ponto: red_ace_only
  unit: fixed
rules:
  stakes: {ante: 2}
  table: {session_deals: 8}
""",
    """\
kind: profile
id: plugged
title: House rules with a plugin
extends: mediateur-1752
plugins:
  - name: grandissimo
rules:
  payments: {premiers: 2}
  vole: {stake_in: units}
cites:
  payments.premiers: {source: parlett, where: payments, status: attested}
""",
)
