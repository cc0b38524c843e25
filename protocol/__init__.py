"""UGI-N on the wire: messages, the engine side, the client side. The specification is README.md in this folder."""
