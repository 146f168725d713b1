"""The version of this release; packaging and the OpenAPI document both read it here."""

VERSION = "0.3.0.dev0"
