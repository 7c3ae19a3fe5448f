#include "shim.h"

#include <dlfcn.h>
#include <pthread.h>

/* Where libcurl's functions are, with their own types. */
static struct {
#define MEMBER(result, name, parameters, arguments) __typeof__(&curl_##name) name;
  CHAT_CURL_FUNCTIONS(MEMBER)
  __typeof__(&curl_easy_setopt) easy_setopt;
  __typeof__(&curl_easy_getinfo) easy_getinfo;
  __typeof__(&curl_multi_setopt) multi_setopt;
} curl;

const char *chat_curl_load(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int is_loaded;
  const char *failure = NULL;
  pthread_mutex_lock(&lock);
  if (!is_loaded) {
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) failure = dlerror();
#define LOOK_UP(name) \
  if (failure == NULL && (curl.name = dlsym(library, "curl_" #name)) == NULL) failure = dlerror();
#define LOOK_UP_LISTED(result, name, parameters, arguments) LOOK_UP(name)
    CHAT_CURL_FUNCTIONS(LOOK_UP_LISTED)
    LOOK_UP(easy_setopt)
    LOOK_UP(easy_getinfo)
    LOOK_UP(multi_setopt)
    is_loaded = failure == NULL;
  }
  pthread_mutex_unlock(&lock);
  return failure;
}

#define DEFINE(result, name, parameters, arguments) \
  result chat_curl_##name parameters { return curl.name arguments; }
CHAT_CURL_FUNCTIONS(DEFINE)

CURLcode chat_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_write(CURL *easy, CURLoption option, curl_write_callback value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_read(CURL *easy, CURLoption option, curl_read_callback value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_seek(CURL *easy, CURLoption option, curl_seek_callback value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode chat_curl_set_open_socket(CURL *easy, curl_opensocket_callback value) {
  return curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
CURLcode chat_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl.easy_getinfo(easy, info, value);
}
CURLcode chat_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl.easy_getinfo(easy, info, value);
}
CURLMcode chat_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.multi_setopt(multi, option, value);
}
