#ifndef CWORDS_WORDS_H
#define CWORDS_WORDS_H

#include <stddef.h>

/// The bytes of a text file of the sources, which live as long as the program.
struct WordFile {
    const unsigned char *bytes;
    size_t count;
};

#define WORD_FILE(function, name)                                                      \
    struct WordFile function(void)                                                     \
        __attribute__((swift_name("getter:WordFile." name "()")))

WORD_FILE(words_act_claims, "actClaims");
WORD_FILE(words_redaction_domains, "redactionDomains");
WORD_FILE(words_redaction_first_names, "redactionFirstNames");
WORD_FILE(words_redaction_labels, "redactionLabels");
WORD_FILE(words_redaction_name_words, "redactionNameWords");
WORD_FILE(words_redaction_places, "redactionPlaces");
WORD_FILE(words_entity_names, "entityNames");
WORD_FILE(words_code_languages, "codeLanguages");
WORD_FILE(words_windows_zones, "windowsZones");
WORD_FILE(words_story_english, "storyEnglish");
WORD_FILE(words_story_first_names, "storyFirstNames");
WORD_FILE(words_story_french, "storyFrench");
WORD_FILE(words_story_german, "storyGerman");
WORD_FILE(words_story_people, "storyPeople");
WORD_FILE(words_lexicon_english, "lexiconEnglish");
WORD_FILE(words_lexicon_german, "lexiconGerman");
WORD_FILE(words_letter_claims, "letterClaims");
WORD_FILE(words_letter_texts, "letterTexts");
WORD_FILE(words_resume_headings, "resumeHeadings");
WORD_FILE(words_job_words, "jobWords");
WORD_FILE(words_resume_words, "resumeWords");
WORD_FILE(words_common_words, "commonWords");
WORD_FILE(words_proofreading, "proofreading");
WORD_FILE(words_manual_index, "manualIndex");
WORD_FILE(words_commit, "commit");

#undef WORD_FILE

#endif
