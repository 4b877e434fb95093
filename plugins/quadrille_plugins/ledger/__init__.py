"""The ledger of a real table: who pays whom, deal by deal."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.ledger.command:session_command")
