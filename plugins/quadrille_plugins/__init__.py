"""The mechanics that ship with Quadrille as plugins, one small module each.

They use the same hooks as any plugin of your own; copy one to start from.
"""
