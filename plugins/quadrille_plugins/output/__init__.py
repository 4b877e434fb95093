"""Files that a user names, written whole or not at all; a library of the features that leave
any."""
