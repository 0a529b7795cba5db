/*
 * Makes the n-th call of one kind fail. Loaded by LD_PRELOAD into a process under attack.
 *
 * A file named by FAULT_CONTROL is shared with the attacker, who arms it, and reads afterwards how many calls
 * there were and whether one was made to fail.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { READ, WRITE, FSYNC, RENAME, MMAP, OPEN, FTRUNCATE, RECV, SEND };

struct control {
	_Atomic int armed;
	_Atomic int kind;
	_Atomic int n;
	_Atomic int error;	/* an errno, or 0: half of the bytes */
	_Atomic int count;
	_Atomic int injected;
};

static struct control *control;

__attribute__((constructor)) static void attach(void)
{
	const char *path = getenv("FAULT_CONTROL");
	int fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
	void *found;

	if (fd < 0)
		return;
	found = (void *)syscall(SYS_mmap, NULL, sizeof(*control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (found != MAP_FAILED)
		control = found;
	syscall(SYS_close, fd);
}

static int is_due(int kind)
{
	if (!control || !control->armed || control->kind != kind)
		return 0;
	if (atomic_fetch_add(&control->count, 1) + 1 != control->n)
		return 0;
	control->injected = 1;
	return 1;
}

/* True if the call is to fail now; otherwise it goes ahead, with half of the bytes if that is the fault. */
static int fails(int kind, size_t *size)
{
	if (!is_due(kind))
		return 0;
	if (control->error) {
		errno = control->error;
		return 1;
	}
	if (size && *size > 1)
		*size /= 2;
	return 0;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	return fails(READ, &size) ? -1 : syscall(SYS_read, fd, buffer, size);
}

ssize_t pread(int fd, void *buffer, size_t size, off_t offset)
{
	return fails(READ, &size) ? -1 : syscall(SYS_pread64, fd, buffer, size, offset);
}

ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset)
{
	return pread(fd, buffer, size, offset);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	return fails(WRITE, &size) ? -1 : syscall(SYS_write, fd, buffer, size);
}

ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset)
{
	return fails(WRITE, &size) ? -1 : syscall(SYS_pwrite64, fd, buffer, size, offset);
}

ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t offset)
{
	return pwrite(fd, buffer, size, offset);
}

int fsync(int fd)
{
	return fails(FSYNC, NULL) ? -1 : syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return fails(FSYNC, NULL) ? -1 : syscall(SYS_fdatasync, fd);
}

int rename(const char *from, const char *to)
{
	return fails(RENAME, NULL) ? -1 : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	return fails(RENAME, NULL) ? -1 : syscall(SYS_renameat2, from_fd, from, to_fd, to, 0);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (fails(MMAP, NULL))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
	return mmap(address, size, protection, flags, fd, offset);
}

int openat(int folder, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;

	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	return fails(OPEN, NULL) ? -1 : syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;

	if (flags & (O_CREAT | O_TMPFILE)) {
		va_start(arguments, flags);
		mode = va_arg(arguments, mode_t);
		va_end(arguments);
	}
	return openat(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

int ftruncate(int fd, off_t size)
{
	return fails(FTRUNCATE, NULL) ? -1 : syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off64_t size)
{
	return ftruncate(fd, size);
}

/* The two ends of a socketpair, by which an event loop wakes itself. No kernel resets those. */
static int is_pair(int fd)
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);

	return !syscall(SYS_getpeername, fd, &peer, &size) && peer.ss_family == AF_UNIX && size == sizeof(peer.ss_family);
}

/* A reset ends a connection both ways. A socket that only could not send would keep libpq waiting for an answer. */
static int socket_fails(int fd, int kind, size_t *size)
{
	if (is_pair(fd) || !fails(kind, size))
		return 0;
	if (errno == ECONNRESET) {
		syscall(SYS_shutdown, fd, SHUT_RDWR);
		errno = ECONNRESET;
	}
	return 1;
}

ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
	return socket_fails(fd, RECV, &size) ? -1 : syscall(SYS_recvfrom, fd, buffer, size, flags, NULL, NULL);
}

ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
	return socket_fails(fd, SEND, &size) ? -1 : syscall(SYS_sendto, fd, buffer, size, flags, NULL, 0);
}
