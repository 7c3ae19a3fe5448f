/* What saving must cost: `syncs FILE N` appends a page and synchronises it,
 * N times, and prints how many nanoseconds that took.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int argc, char **argv)
{
    /* A page of a write-ahead log with its frame header. */
    static char page[4096 + 24];
    if (argc != 3)
        return 2;
    int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0)
        return 1;
    long long start = now();
    for (int rest = atoi(argv[2]); rest > 0; rest--)
        if (write(file, page, sizeof page) != sizeof page || fdatasync(file) != 0)
            return 1;
    printf("%lld\n", now() - start);
    return 0;
}
