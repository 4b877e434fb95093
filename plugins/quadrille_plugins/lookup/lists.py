"""Shipped profiles, installed plugins, what period texts say."""

from quadrille_core.hookspecs import command_at

quadrille_group = "Texts"
quadrille_former = {"profiles": "list", "plugins": "list plugins", "witnesses": "list witnesses"}
quadrille_command = command_at("quadrille_plugins.lookup.list_command:list_command")
