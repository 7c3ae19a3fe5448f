#ifndef CHAT_CSQLITE_SHIM_H
#define CHAT_CSQLITE_SHIM_H
#include <sqlite3.h>

/* Wrappers for what Swift cannot call: variadic functions and macros that
   cast. No logic. */

/* sqlite3_db_config with one on/off argument (variadic). */
static inline int chat_sqlite3_set_option(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/* Binds UTF-8 text; SQLite copies it (SQLITE_TRANSIENT is a cast of -1). */
static inline int chat_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(
        statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Binds bytes; SQLite copies them. */
static inline int chat_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
#endif
