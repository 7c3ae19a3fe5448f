#ifndef CHAT_CEDITLINE_SHIM_H
#define CHAT_CEDITLINE_SHIM_H
#include <histedit.h>
#include <stdio.h>
#include <wchar.h>

// el_set, el_wset, el_get and history_w are variadic, which Swift cannot call.
// Each wrapper below is one call with its types fixed.

typedef unsigned char (*chat_el_command)(EditLine *, wint_t);
typedef wchar_t *(*chat_el_prompt)(EditLine *);

/// Chooses the "emacs" or "vi" key map.
static inline int chat_el_set_editor(EditLine *el, const char *mode) {
    return el_set(el, EL_EDITOR, mode);
}

/// Turns libedit's own signal handlers on or off.
static inline int chat_el_set_signal(EditLine *el, int on) { return el_set(el, EL_SIGNAL, on); }

/// Switches editing on or off; switched off, `el_end` leaves the terminal alone.
static inline int chat_el_set_edit_mode(EditLine *el, int on) {
    return el_set(el, EL_EDITMODE, on);
}

/// Sets the number of rows and columns that libedit believes the terminal to have.
static inline void chat_el_set_size(EditLine *el, const char *rows, const char *columns) {
    el_set(el, EL_SETTC, "li", rows, NULL);
    el_set(el, EL_SETTC, "co", columns, NULL);
}

/// Chooses the terminal description instead of $TERM.
static inline int chat_el_set_terminal(EditLine *el, const char *term) {
    return el_set(el, EL_TERMINAL, term);
}

/// Stores a pointer that callbacks can fetch.
static inline int chat_el_set_client_data(EditLine *el, void *data) {
    return el_wset(el, EL_CLIENTDATA, data);
}

/// Fetches the pointer stored by `chat_el_set_client_data`.
static inline void *chat_el_client_data(EditLine *el) {
    void *data = NULL;
    el_wget(el, EL_CLIENTDATA, &data);
    return data;
}

/// Sets the function that reads one character.
static inline int chat_el_set_reader(EditLine *el, el_rfunc_t read) {
    return el_wset(el, EL_GETCFN, read);
}

/// Sets the prompt function.
static inline int chat_el_set_prompt(EditLine *el, chat_el_prompt prompt) {
    return el_wset(el, EL_PROMPT, prompt);
}

/// Names a function of ours so that a key can be bound to it.
static inline int chat_el_add_command(
    EditLine *el, const char *name, const char *help, chat_el_command command) {
    return el_set(el, EL_ADDFN, name, help, command);
}

/// Binds a key in the main key map.
static inline int chat_el_bind(EditLine *el, const char *key, const char *name) {
    return el_set(el, EL_BIND, key, name, NULL);
}

/// Binds a key in vi's command map.
static inline int chat_el_bind_alternate(EditLine *el, const char *key, const char *name) {
    return el_set(el, EL_BIND, "-a", key, name, NULL);
}

/// Binds a key in the main key map to a text, read as if it was typed.
static inline int chat_el_bind_text(EditLine *el, const char *key, const char *text) {
    return el_set(el, EL_BIND, "-s", key, text, NULL);
}

/// Binds a key in vi's command map to a text.
static inline int chat_el_bind_text_alternate(EditLine *el, const char *key, const char *text) {
    return el_set(el, EL_BIND, "-a", "-s", key, text, NULL);
}

/// Changes one terminal mode flag for editing ("-d") or for afterwards ("-x").
static inline int chat_el_set_mode(EditLine *el, const char *when, const char *flag) {
    return el_set(el, EL_SETTY, when, flag, NULL);
}

/// Enters the mode for editing before the prompt is drawn.
static inline int chat_el_prepare(EditLine *el) { return el_set(el, EL_PREP_TERM, 1); }

/// Reads a string capability of the terminal; null where it has none.
static inline const char *chat_el_capability(EditLine *el, const char *name) {
    char *value = NULL;
    if (el_get(el, EL_GETTC, name, &value) != 0) return NULL;
    return value;
}

/// Connects the history list to the editor.
static inline int chat_el_set_history(EditLine *el, HistoryW *history) {
    return el_wset(el, EL_HIST, history_w, history);
}

/// Bounds the history list.
static inline int chat_history_set_size(HistoryW *history, int size) {
    HistEventW event;
    return history_w(history, &event, H_SETSIZE, size);
}

/// Adds the newest entry to the history list.
static inline int chat_history_enter(HistoryW *history, const wchar_t *line) {
    HistEventW event;
    return history_w(history, &event, H_ENTER, line);
}
#endif
