-- The tables of a ledger, and the triggers that let them only grow, each exactly as a file keeps it: a file that has another
-- text is refused.  INSERT OR REPLACE would delete a row without asking the triggers against it, so rows come in order, each once.

CREATE TABLE session (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        reference TEXT NOT NULL,
        identity TEXT NOT NULL,
        rules TEXT NOT NULL,
        sources TEXT NOT NULL,
        coins TEXT NOT NULL,
        chairs INTEGER NOT NULL CHECK (chairs > 1),
        first_dealer INTEGER NOT NULL CHECK (first_dealer BETWEEN 0 AND chairs - 1)
) STRICT;

CREATE TABLE account (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('box', 'pool', 'player')),
        name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE act (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('start', 'deal', 'correct', 'reverse', 'substitute', 'end', 'enter', 'insert', 'move', 'seats', 'rename', 'rules', 'reopen')),
        at TEXT NOT NULL,
        program TEXT NOT NULL,
        note TEXT NOT NULL
) STRICT;

CREATE TABLE sitting (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        chair INTEGER NOT NULL CHECK (chair >= 0),
        account INTEGER NOT NULL REFERENCES account,
        from_deal INTEGER NOT NULL CHECK (from_deal > 0)
) STRICT;

CREATE TABLE event (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        kind TEXT NOT NULL CHECK (kind IN ('seats', 'name', 'order', 'rules')),
        data TEXT NOT NULL,
        UNIQUE (act, kind)
) STRICT;

CREATE TABLE deal (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        number INTEGER NOT NULL CHECK (number > 0),
        kind TEXT NOT NULL CHECK (kind IN ('result', 'passed', 'void', 'reversed', 'entry')),
        dealer INTEGER NOT NULL CHECK (dealer >= 0),
        input TEXT NOT NULL,
        outcome TEXT NOT NULL,
        UNIQUE (act, number)
) STRICT;

CREATE TABLE entry (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        deal INTEGER REFERENCES deal,
        payer INTEGER NOT NULL REFERENCES account,
        payee INTEGER NOT NULL REFERENCES account CHECK (payer <> payee),
        amount TEXT NOT NULL CHECK (amount GLOB '[1-9]*/[1-9]*' AND amount NOT GLOB '*[^0-9/]*' AND amount NOT GLOB '*/*/*'),
        reason TEXT NOT NULL,
        rule TEXT NOT NULL,
        source TEXT NOT NULL,
        reverses INTEGER UNIQUE REFERENCES entry CHECK (reverses < id)
) STRICT;

CREATE TABLE payment (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        payer INTEGER NOT NULL REFERENCES account,
        payee INTEGER NOT NULL REFERENCES account CHECK (payer <> payee),
        amount TEXT NOT NULL CHECK (amount GLOB '[1-9]*/[1-9]*' AND amount NOT GLOB '*[^0-9/]*' AND amount NOT GLOB '*/*/*')
) STRICT;

CREATE TABLE tally (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        deal INTEGER NOT NULL CHECK (deal > 0),
        record INTEGER NOT NULL REFERENCES deal,
        state TEXT NOT NULL,
        UNIQUE (act, deal)
) STRICT;

CREATE TABLE standing (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL UNIQUE REFERENCES act,
        state TEXT NOT NULL,
        content TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE
) STRICT;

CREATE TRIGGER session_no_update BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER session_no_delete BEFORE DELETE ON session BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER session_in_order BEFORE INSERT ON session WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM session) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER account_no_update BEFORE UPDATE ON account BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER account_no_delete BEFORE DELETE ON account BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER account_in_order BEFORE INSERT ON account WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM account) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER act_no_update BEFORE UPDATE ON act BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER act_no_delete BEFORE DELETE ON act BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER act_in_order BEFORE INSERT ON act WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM act) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER sitting_no_update BEFORE UPDATE ON sitting BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER sitting_no_delete BEFORE DELETE ON sitting BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER sitting_in_order BEFORE INSERT ON sitting WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM sitting) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER event_in_order BEFORE INSERT ON event WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM event) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER deal_no_update BEFORE UPDATE ON deal BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER deal_no_delete BEFORE DELETE ON deal BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER deal_in_order BEFORE INSERT ON deal WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM deal) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER entry_in_order BEFORE INSERT ON entry WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM entry) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER payment_no_update BEFORE UPDATE ON payment BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER payment_no_delete BEFORE DELETE ON payment BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER payment_in_order BEFORE INSERT ON payment WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM payment) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER tally_no_update BEFORE UPDATE ON tally BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER tally_no_delete BEFORE DELETE ON tally BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER tally_in_order BEFORE INSERT ON tally WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM tally) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER standing_no_update BEFORE UPDATE ON standing BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER standing_no_delete BEFORE DELETE ON standing BEGIN SELECT RAISE(ABORT, 'a ledger only grows'); END;

CREATE TRIGGER standing_in_order BEFORE INSERT ON standing WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM standing) BEGIN SELECT RAISE(ABORT, 'a ledger only grows, row by row'); END;

CREATE TRIGGER account_once BEFORE INSERT ON account WHEN EXISTS (SELECT 1 FROM account WHERE name = NEW.name) BEGIN SELECT RAISE(ABORT, 'an account stands in the ledger once'); END;

CREATE TRIGGER deal_once BEFORE INSERT ON deal WHEN EXISTS (SELECT 1 FROM deal WHERE act = NEW.act AND number = NEW.number) BEGIN SELECT RAISE(ABORT, 'one act records a deal once'); END;

CREATE TRIGGER tally_once BEFORE INSERT ON tally WHEN EXISTS (SELECT 1 FROM tally WHERE act = NEW.act AND deal = NEW.deal) BEGIN SELECT RAISE(ABORT, 'one act tallies a deal once'); END;

CREATE TRIGGER standing_once BEFORE INSERT ON standing WHEN EXISTS (SELECT 1 FROM standing WHERE act = NEW.act OR hash = NEW.hash) BEGIN SELECT RAISE(ABORT, 'one act leaves one standing'); END;

CREATE TRIGGER entry_reversed_once BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM entry WHERE reverses = NEW.reverses) BEGIN SELECT RAISE(ABORT, 'an entry is reversed once'); END;

CREATE TRIGGER entry_reversed_exactly BEFORE INSERT ON entry WHEN NEW.reverses IS NOT NULL AND NOT EXISTS (SELECT 1 FROM entry o WHERE o.id = NEW.reverses AND o.reverses IS NULL AND o.payer = NEW.payee AND o.payee = NEW.payer AND o.amount = NEW.amount AND o.deal IS NEW.deal) BEGIN SELECT RAISE(ABORT, 'a reversal is the exact opposite of its entry'); END;

CREATE TRIGGER event_once BEFORE INSERT ON event WHEN EXISTS (SELECT 1 FROM event WHERE act = NEW.act AND kind = NEW.kind) BEGIN SELECT RAISE(ABORT, 'one act changes a thing once'); END;

CREATE TRIGGER act_before_the_end BEFORE INSERT ON act WHEN (NEW.kind = 'reopen') IS NOT ((SELECT kind FROM act ORDER BY id DESC LIMIT 1) IS 'end') BEGIN SELECT RAISE(ABORT, 'the session has ended, or goes on'); END;

-- Otherwise in the versions before events, which have no table `event` either.

CREATE TABLE act (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('start', 'deal', 'correct', 'reverse', 'substitute', 'end')),
        at TEXT NOT NULL,
        program TEXT NOT NULL,
        note TEXT NOT NULL
) STRICT;

CREATE TABLE deal (
        id INTEGER PRIMARY KEY,
        act INTEGER NOT NULL REFERENCES act,
        number INTEGER NOT NULL CHECK (number > 0),
        kind TEXT NOT NULL CHECK (kind IN ('result', 'passed', 'void', 'reversed')),
        dealer INTEGER NOT NULL CHECK (dealer >= 0),
        input TEXT NOT NULL,
        outcome TEXT NOT NULL,
        UNIQUE (act, number)
) STRICT;

CREATE TRIGGER act_before_the_end BEFORE INSERT ON act WHEN EXISTS (SELECT 1 FROM act WHERE kind = 'end') BEGIN SELECT RAISE(ABORT, 'the session has ended'); END;
