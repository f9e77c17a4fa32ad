"""Loaded by every Python program with this directory in PYTHONPATH, such as the AWS CLI: a connection
to a host of AWS becomes one to MiniStack."""

import os
import socket

addresses_of = socket.getaddrinfo


def getaddrinfo(host, port, *args, **options):
    if str(host).endswith(".amazonaws.com"):
        host, port = "127.0.0.1", os.environ["MINISTACK_PORT"]
    return addresses_of(host, port, *args, **options)


socket.getaddrinfo = getaddrinfo
