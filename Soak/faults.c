/* Loaded before the C library (LD_PRELOAD): the Nth call that changes a disk
 * kills the process or fails.
 *
 *   FAULT_AT      N, from 1; counted over all threads, so every N is reached
 *   FAULT_ERROR   an errno; 0 is SIGKILL instead of the call
 *   FAULT_LASTS   1: every call from the Nth on fails
 *   FAULT_REPORT  a file that gets one line for each fault: the call, the path
 *
 * A tracer counts each thread by itself and would pass over calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;
static int first, error, lasts;

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("FAULT_AT");
    first = text ? atoi(text) : 0;
    text = getenv("FAULT_ERROR");
    error = text ? atoi(text) : 0;
    text = getenv("FAULT_LASTS");
    lasts = text && *text == '1';
}

/* Whether this call fails; does not return where it kills. */
static int strikes(const char *call, int descriptor, const char *path)
{
    int number = atomic_fetch_add(&calls, 1) + 1;
    if (!first || number < first || (number > first && !lasts))
        return 0;
    char name[4096] = "";
    if (!path) {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, name, sizeof name - 1);
        name[length > 0 ? length : 0] = 0;
        path = name;
    }
    char line[5000];
    int length = snprintf(line, sizeof line, "%d %s %s\n", number, call, path);
    const char *report = getenv("FAULT_REPORT");
    int file = report ? syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_APPEND | O_CREAT, 0600)
                      : -1;
    if (file >= 0) {
        syscall(SYS_write, file, line, (size_t)length);
        syscall(SYS_close, file);
    }
    if (!error)
        syscall(SYS_kill, getpid(), SIGKILL);
    errno = error;
    return 1;
}

static int is_file(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* TYPE NAME(PARAMETERS), which works on DESCRIPTOR or else PATH. */
#define STRIKE(type, name, parameters, arguments, descriptor, path, is_counted) \
    type name parameters                                                        \
    {                                                                           \
        static __typeof__(&name) real;                                          \
        if (!real)                                                              \
            real = REAL(name);                                                  \
        if ((is_counted) && strikes(#name, descriptor, path))                   \
            return -1;                                                          \
        return real arguments;                                                  \
    }

STRIKE(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), fd, NULL,
       is_file(fd))
STRIKE(ssize_t, pwrite64, (int fd, const void *bytes, size_t count, off64_t at),
       (fd, bytes, count, at), fd, NULL, 1)
STRIKE(ssize_t, pwrite, (int fd, const void *bytes, size_t count, off_t at),
       (fd, bytes, count, at), fd, NULL, 1)
STRIKE(int, fsync, (int fd), (fd), fd, NULL, 1)
STRIKE(int, fdatasync, (int fd), (fd), fd, NULL, 1)
STRIKE(int, ftruncate, (int fd, off_t size), (fd, size), fd, NULL, 1)
STRIKE(int, ftruncate64, (int fd, off64_t size), (fd, size), fd, NULL, 1)
STRIKE(int, rename, (const char *old, const char *new), (old, new), -1, new, 1)
STRIKE(int, renameat, (int a, const char *old, int b, const char *new), (a, old, b, new), -1, new,
       1)
STRIKE(int, renameat2, (int a, const char *old, int b, const char *new, unsigned flags),
       (a, old, b, new, flags), -1, new, 1)
STRIKE(int, link, (const char *old, const char *new), (old, new), -1, new, 1)
STRIKE(int, linkat, (int a, const char *old, int b, const char *new, int flags),
       (a, old, b, new, flags), -1, new, 1)
STRIKE(int, unlink, (const char *path), (path), -1, path, 1)
STRIKE(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), -1, path,
       1)
STRIKE(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, path, 1)
STRIKE(int, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device), -1, path,
       1)

/* Only an open that can make a file. */
#define STRIKE_OPEN(name, parameters, flags, arguments, path)         \
    int name parameters                                               \
    {                                                                 \
        static int (*real)(/* any */);                                \
        mode_t mode = 0;                                              \
        if (flags & O_CREAT) {                                        \
            va_list list;                                             \
            va_start(list, flags);                                    \
            mode = va_arg(list, mode_t);                              \
            va_end(list);                                             \
        }                                                             \
        if (!real)                                                    \
            real = (int (*)())dlsym(RTLD_NEXT, #name);                \
        if ((flags & O_CREAT) && strikes(#name, -1, path))            \
            return -1;                                                \
        return real arguments;                                        \
    }

STRIKE_OPEN(open, (const char *path, int flags, ...), flags, (path, flags, mode), path)
STRIKE_OPEN(open64, (const char *path, int flags, ...), flags, (path, flags, mode), path)
STRIKE_OPEN(openat, (int folder, const char *path, int flags, ...), flags,
            (folder, path, flags, mode), path)
STRIKE_OPEN(openat64, (int folder, const char *path, int flags, ...), flags,
            (folder, path, flags, mode), path)
