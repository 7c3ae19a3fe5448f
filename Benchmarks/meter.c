/* Runs a program and says what the whole process cost:
 *
 *   meter REPORT PROGRAM ARGUMENT…
 *
 * writes `wall-ns cpu-ns peak-KiB status` to REPORT. In C and small, because
 * a child's peak memory begins with that of the process that started it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long nanoseconds(struct timeval time)
{
    return (time.tv_sec * 1000000LL + time.tv_usec) * 1000;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    FILE *report = fopen(argv[1], "we");
    if (!report)
        return 1;
    int status;
    struct rusage usage;
    long long start = now();
    pid_t child = vfork();
    if (child == 0) {
        execv(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    long long wall = now() - start;
    fprintf(report, "%lld %lld %ld %d\n", wall,
            nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime), usage.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
