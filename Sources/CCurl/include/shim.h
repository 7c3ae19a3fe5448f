#ifndef CHAT_CCURL_SHIM_H
#define CHAT_CCURL_SHIM_H
/* The type checks of curl.h are macros that Swift cannot see through. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/* Loads libcurl, once, when the first request is made: with the thirty libraries
 * it needs that takes longer than everything else at the start of the program.
 * Returns NULL, or why it could not be loaded, which is valid until the next call;
 * then the next call tries again. No function below may be called before. */
const char *chat_curl_load(void);

/* The functions of libcurl that we call, each as chat_curl_NAME: the result, its
 * name, the parameters, the arguments. */
#define CHAT_CURL_FUNCTIONS(F)                                                            \
  F(CURLcode, global_init, (long flags), (flags))                                         \
  F(curl_version_info_data *, version_info, (CURLversion now), (now))                     \
  F(void, free, (void *memory), (memory))                                                 \
  F(CURL *, easy_init, (void), ())                                                        \
  F(void, easy_cleanup, (CURL * easy), (easy))                                            \
  F(CURLcode, easy_pause, (CURL * easy, int bits), (easy, bits))                          \
  F(const char *, easy_strerror, (CURLcode code), (code))                                 \
  F(struct curl_slist *, slist_append, (struct curl_slist * list, const char *line),      \
    (list, line))                                                                         \
  F(void, slist_free_all, (struct curl_slist * list), (list))                             \
  F(CURLM *, multi_init, (void), ())                                                      \
  F(CURLMcode, multi_cleanup, (CURLM * multi), (multi))                                   \
  F(CURLMcode, multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy))              \
  F(CURLMcode, multi_remove_handle, (CURLM * multi, CURL *easy), (multi, easy))           \
  F(CURLMcode, multi_perform, (CURLM * multi, int *running), (multi, running))            \
  F(CURLMcode, multi_poll,                                                                \
    (CURLM * multi, struct curl_waitfd *others, unsigned count, int milliseconds,         \
     int *ready),                                                                         \
    (multi, others, count, milliseconds, ready))                                          \
  F(CURLMcode, multi_wakeup, (CURLM * multi), (multi))                                    \
  F(CURLMsg *, multi_info_read, (CURLM * multi, int *left), (multi, left))                \
  F(const char *, multi_strerror, (CURLMcode code), (code))                               \
  F(CURLU *, url, (void), ())                                                             \
  F(void, url_cleanup, (CURLU * url), (url))                                              \
  F(CURLUcode, url_set, (CURLU * url, CURLUPart part, const char *text, unsigned flags),  \
    (url, part, text, flags))                                                             \
  F(CURLUcode, url_get, (CURLU * url, CURLUPart part, char **text, unsigned flags),        \
    (url, part, text, flags))                                                             \
  F(const char *, url_strerror, (CURLUcode code), (code))

#define CHAT_CURL_DECLARE(result, name, parameters, arguments) \
  result chat_curl_##name parameters;
CHAT_CURL_FUNCTIONS(CHAT_CURL_DECLARE)
#undef CHAT_CURL_DECLARE

/* Swift cannot call functions with variable arguments: one for each type. A string
 * is copied, an object behind a pointer is kept. */
CURLcode chat_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode chat_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode chat_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode chat_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode chat_curl_set_write(CURL *easy, CURLoption option, curl_write_callback value);
CURLcode chat_curl_set_read(CURL *easy, CURLoption option, curl_read_callback value);
CURLcode chat_curl_set_seek(CURL *easy, CURLoption option, curl_seek_callback value);
CURLcode chat_curl_set_open_socket(CURL *easy, curl_opensocket_callback value);
CURLcode chat_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode chat_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLMcode chat_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/* Reads the result of a finished transfer, a member of a union. */
static inline CURLcode chat_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

/* Where the address begins that libcurl is about to connect to: a member that is longer
 * than its type says. */
static inline const void *chat_curl_address(const struct curl_sockaddr *address) {
  return &address->addr;
}
#endif
