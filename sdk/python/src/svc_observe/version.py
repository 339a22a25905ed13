"""The version of the package, as its metadata has it."""

VERSION = "0.1.0"
