"""Files, by name and by descriptor."""

import ctypes
import os
import struct

from tests.ingest.doors.door import Outside, call, shut_by


@shut_by("seccomp", "empty root", "Landlock")
def read_a_file(_: Outside) -> None:
    os.close(os.open("/etc/passwd", os.O_RDONLY))


@shut_by("seccomp", "empty root", "Landlock")
def read_a_file_by_openat2(_: Outside) -> None:
    how = struct.pack("QQQ", os.O_RDONLY, 0, 0)
    os.close(call("openat2", -100, b"/etc/passwd", how, len(how)))


@shut_by("seccomp", "empty root", "Landlock")
def read_environment_of_the_parent(_: Outside) -> None:
    os.close(os.open(f"/proc/{os.getppid()}/environ", os.O_RDONLY))


@shut_by("seccomp", "empty root", "Landlock")
def read_memory_of_the_parent(_: Outside) -> None:
    os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDWR))


@shut_by("seccomp", "empty root", "Landlock")
def list_the_folder_of_the_socket(outside: Outside) -> None:
    os.listdir(os.path.dirname(outside["socket"]))  # noqa: PTH208, PTH120 (nothing but the call itself)


@shut_by("seccomp", "empty root", "Landlock")
def read_the_passwords(outside: Outside) -> None:
    os.close(os.open(outside["passwords"], os.O_RDONLY))


@shut_by("seccomp", "empty root", "Landlock")
def write_a_file(outside: Outside) -> None:
    os.close(os.open(outside["writable"], os.O_WRONLY))


@shut_by("seccomp", "empty root", "Landlock")
def create_a_file(outside: Outside) -> None:
    os.close(os.open(f"{outside['writable']}.{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_EXCL))


@shut_by("seccomp", "empty root", "Landlock")
def make_a_folder(outside: Outside) -> None:
    os.mkdir(f"{outside['writable']}.{os.getpid()}.d")  # noqa: PTH102 (as above)


@shut_by("seccomp", "empty root", "Landlock")
def remove_a_file(outside: Outside) -> None:
    os.unlink(outside["removable"])  # noqa: PTH108 (as above)


@shut_by("seccomp", "empty root")
def rename_a_file(outside: Outside) -> None:
    os.rename(outside["writable"], outside["writable"])  # noqa: PTH104 (as above)


@shut_by("seccomp", "empty root")
def change_the_mode_of_a_file(outside: Outside) -> None:
    os.chmod(outside["writable"], 0o700)  # noqa: PTH101 (as above)


@shut_by("seccomp", "empty root")
def reopen_a_descriptor_for_writing(outside: Outside) -> None:
    os.close(os.open(f"/proc/self/fd/{outside['input']}", os.O_RDWR))


@shut_by("seccomp", "empty root", "Landlock")
def truncate_through_a_path(outside: Outside) -> None:
    os.truncate(outside["writable"], 0)


@shut_by("seccomp", "empty root")
def look_at_a_file(_: Outside) -> None:
    os.stat("/etc/passwd")  # noqa: PTH116 (as above)


@shut_by("seccomp")
def watch_files(_: Outside) -> None:
    call("inotify_init1", 0)


@shut_by("seccomp", "empty root")
def name_a_file_by_handle(_: Outside) -> None:
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    call("name_to_handle_at", -100, b"/etc", handle, ctypes.byref(ctypes.c_int()), 0)


@shut_by("seccomp")
def change_the_mode_of_a_descriptor(outside: Outside) -> None:
    os.fchmod(outside["input"], 0o700)


@shut_by()
def fill_the_disk(outside: Outside) -> None:
    os.pwrite(outside["scratch"], b"x", outside["spec"]["file_bytes"])


@shut_by()
def fill_the_disk_at_once(outside: Outside) -> None:
    os.posix_fallocate(outside["scratch"], 0, outside["spec"]["file_bytes"] + 1)


@shut_by("seccomp")
def splice_a_file_into_a_pipe(outside: Outside) -> None:
    # How CVE-2022-0847 (Dirty Pipe) wrote to files that were open for reading only.
    length = 0
    call("splice", outside["input"], None, outside["output"], None, length, 0)


@shut_by()
def use_an_inherited_file(outside: Outside) -> None:
    os.read(outside["inherited"], 1)


@shut_by()
def use_an_inherited_high_file(outside: Outside) -> None:
    os.read(outside["inherited_high"], 1)
