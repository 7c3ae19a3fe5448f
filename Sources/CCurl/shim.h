#ifndef CHAT_CCURL_SHIM_H
#define CHAT_CCURL_SHIM_H
#include <curl/curl.h>
#endif
