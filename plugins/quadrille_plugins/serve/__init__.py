"""Pages for a browser on this machine: rulebooks, settling a deal, the ledger of a table."""

from quadrille_core.hookspecs import command_at

quadrille_command = command_at("quadrille_plugins.serve.command:serve_command")
