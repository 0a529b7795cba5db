"""Sockets. Landlock does not, so far, keep anybody from those that have a name."""

import socket

from tests.ingest.doors.door import Outside, shut_by


@shut_by("seccomp", "empty root")
def reach_the_database(outside: Outside) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(outside["socket"])


@shut_by("seccomp", "own network", "Landlock")
def reach_an_abstract_socket(outside: Outside) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + outside["abstract"])


@shut_by("seccomp", "own network", "Landlock")
def reach_tcp(outside: Outside) -> None:
    with socket.socket() as client:
        client.connect(("127.0.0.1", outside["tcp"]))


@shut_by("seccomp", "own network")
def reach_tcp_over_ipv6(outside: Outside) -> None:
    with socket.socket(socket.AF_INET6) as client:
        client.connect(("::1", outside["tcp6"]))


@shut_by("seccomp", "Landlock")
def listen_on_tcp(_: Outside) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))


@shut_by("seccomp", "own network")
def send_udp(outside: Outside) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.sendto(b"x", ("127.0.0.1", outside["udp"]))


def _add_socket(family: str, kind: int) -> None:
    def door(_: Outside) -> None:
        socket.socket(getattr(socket, f"AF_{family}"), kind).close()

    door.__name__ = f"make_a_socket_of_{family}"
    shut_by("seccomp")(door)


for _family in ("INET", "INET6", "UNIX", "NETLINK", "PACKET", "VSOCK"):
    _add_socket(_family, socket.SOCK_DGRAM)
_add_socket("ALG", socket.SOCK_SEQPACKET)


@shut_by("seccomp")
def make_a_pair_of_sockets(_: Outside) -> None:
    for end in socket.socketpair():
        end.close()
