#ifndef CHAT_CEDITLINE_SHIM_H
#define CHAT_CEDITLINE_SHIM_H
#include <histedit.h>
#endif
