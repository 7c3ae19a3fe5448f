#ifndef CHAT_CCURL_SHIM_H
#define CHAT_CCURL_SHIM_H
/* The type checks of curl.h are macros that Swift cannot see through. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/* Sets an option that takes a long. */
static inline CURLcode chat_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

/* Sets an option that takes a curl_off_t. */
static inline CURLcode chat_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/* Sets an option that takes a string, which libcurl copies. */
static inline CURLcode chat_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/* Sets an option that takes a pointer to an object, which libcurl keeps. */
static inline CURLcode chat_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

/* Sets an option that takes a callback with the signature of CURLOPT_WRITEFUNCTION. */
static inline CURLcode chat_curl_set_write(CURL *easy, CURLoption option,
                                           curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

/* Sets an option that takes a callback with the signature of CURLOPT_READFUNCTION. */
static inline CURLcode chat_curl_set_read(CURL *easy, CURLoption option,
                                          curl_read_callback value) {
  return curl_easy_setopt(easy, option, value);
}

/* Sets an option that takes a callback with the signature of CURLOPT_SEEKFUNCTION. */
static inline CURLcode chat_curl_set_seek(CURL *easy, CURLoption option,
                                          curl_seek_callback value) {
  return curl_easy_setopt(easy, option, value);
}

/* Reads an information that is a long. */
static inline CURLcode chat_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

/* Reads an information that is a curl_off_t. */
static inline CURLcode chat_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

/* Sets an option of a multi handle that takes a long. */
static inline CURLMcode chat_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* Reads the result of a finished transfer, a member of a union. */
static inline CURLcode chat_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}
#endif
