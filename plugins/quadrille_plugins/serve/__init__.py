"""Pages in a browser: rulebooks, settling, a table's ledger."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Table"
quadrille_command = command_at("quadrille_plugins.serve.command:serve_command")
