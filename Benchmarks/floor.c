/* The floor under the program's start: the same three libraries, a database
 * opened, nothing else.
 *
 *   floor DATABASE [SQL]     prints the rows of SQL, tabs between columns
 *   floor --prompt DATABASE SQL   the same, then a prompt, then waits for input
 */
#include <curl/curl.h>
#include <histedit.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int row(void *unused, int count, char **values, char **names)
{
    (void)unused, (void)names;
    for (int i = 0; i < count; i++) {
        if (i > 0)
            putchar('\t');
        fputs(values[i] ? values[i] : "", stdout);
    }
    putchar('\n');
    return 0;
}

int main(int argc, char **argv)
{
    int asks = argc > 1 && strcmp(argv[1], "--prompt") == 0;
    if (asks)
        argc--, argv++;
    if (argc < 2)
        return 2;
    /* Linked for good, so that the loader has the same work. */
    if (argc > 99) {
        el_init("floor", stdin, stdout, stderr);
        curl_easy_init();
    }
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(argv[1], &database, flags, NULL) != SQLITE_OK)
        return 1;
    const char *sql = argc > 2 ? argv[2] : "SELECT count(*) FROM sqlite_schema";
    if (sqlite3_exec(database, sql, row, NULL, NULL) != SQLITE_OK)
        return 1;
    if (asks) {
        fputs("> ", stdout);
        fflush(stdout);
        char byte;
        if (read(0, &byte, 1) < 0)
            return 1;
    }
    sqlite3_close(database);
    return 0;
}
