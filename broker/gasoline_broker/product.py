"""The product's one name and its version; nothing else."""

NAME = "gasoline"
VERSION = "0.1.0"
