/* Loaded before the C library (LD_PRELOAD): the wall clock runs faster.
 *
 *   SOAK_CLOCK   three numbers: a time of the real clock, the time that is told
 *                for it, and how many seconds pass in one of the real ones
 *
 * Timers that wait for a time of that clock end when it is told; those that
 * wait for a while, such as time limits, are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static double base, start, rate = 1;
static char isWall[4096];

__attribute__((constructor)) static void read_rate(void)
{
    const char *text = getenv("SOAK_CLOCK");
    if (text)
        sscanf(text, "%lf %lf %lf", &base, &start, &rate);
}

static struct timespec split(double seconds)
{
    return (struct timespec){(time_t)floor(seconds), (long)((seconds - floor(seconds)) * 1e9)};
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && base && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        *time = split(start + (time->tv_sec + time->tv_nsec / 1e9 - base) * rate);
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}

int timerfd_create(int clock, int flags)
{
    int descriptor = syscall(SYS_timerfd_create, clock, flags);
    if (descriptor >= 0 && descriptor < (int)sizeof isWall)
        isWall[descriptor] = clock == CLOCK_REALTIME;
    return descriptor;
}

int timerfd_settime(
    int descriptor, int flags, const struct itimerspec *wanted, struct itimerspec *old)
{
    struct itimerspec real = *wanted;
    double at = wanted->it_value.tv_sec + wanted->it_value.tv_nsec / 1e9;
    int told = descriptor >= 0 && descriptor < (int)sizeof isWall && isWall[descriptor];
    if (base && told && (flags & TFD_TIMER_ABSTIME) && at > 0)
        real.it_value = split(base + (at - start) / rate);
    if (real.it_value.tv_sec < 0)
        real.it_value = (struct timespec){0, 1};
    return syscall(SYS_timerfd_settime, descriptor, flags, &real, old);
}
