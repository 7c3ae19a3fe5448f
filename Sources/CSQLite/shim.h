#ifndef CHAT_CSQLITE_SHIM_H
#define CHAT_CSQLITE_SHIM_H
#include <sqlite3.h>
#endif
