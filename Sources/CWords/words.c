// The word lists, and the manual's index, as the linker's constants: a list is changed
// without compiling the Swift module that reads it, and costs nothing to compile.
// clang names the files in its dependencies, so that a change is noticed.

#include "words.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define WORD_FILE(function, array)                                                     \
    struct WordFile function(void) { return (struct WordFile){array, sizeof array}; }

static const unsigned char act_claims_bytes[] = {
#embed "../AgentCore/Agent/Claims/act-claims.txt"
};
WORD_FILE(words_act_claims, act_claims_bytes)

static const unsigned char redaction_domains_bytes[] = {
#embed "../AgentCore/Privacy/Words/domains.txt"
};
WORD_FILE(words_redaction_domains, redaction_domains_bytes)

static const unsigned char redaction_first_names_bytes[] = {
#embed "../AgentCore/Privacy/Words/first-names.txt"
};
WORD_FILE(words_redaction_first_names, redaction_first_names_bytes)

static const unsigned char redaction_labels_bytes[] = {
#embed "../AgentCore/Privacy/Words/labels.txt"
};
WORD_FILE(words_redaction_labels, redaction_labels_bytes)

static const unsigned char redaction_name_words_bytes[] = {
#embed "../AgentCore/Privacy/Words/name-words.txt"
};
WORD_FILE(words_redaction_name_words, redaction_name_words_bytes)

static const unsigned char redaction_places_bytes[] = {
#embed "../AgentCore/Privacy/Words/places.txt"
};
WORD_FILE(words_redaction_places, redaction_places_bytes)

static const unsigned char entity_names_bytes[] = {
#embed "../AgentCore/Base/Markup/entity-names.txt"
};
WORD_FILE(words_entity_names, entity_names_bytes)

static const unsigned char code_languages_bytes[] = {
#embed "../TerminalKit/Rendering/Code/languages.txt"
};
WORD_FILE(words_code_languages, code_languages_bytes)

static const unsigned char windows_zones_bytes[] = {
#embed "../ICalendar/TimeZones/windows-zones.txt"
};
WORD_FILE(words_windows_zones, windows_zones_bytes)

static const unsigned char story_english_bytes[] = {
#embed "../StoryKit/Words/english.txt"
};
WORD_FILE(words_story_english, story_english_bytes)

static const unsigned char story_first_names_bytes[] = {
#embed "../StoryKit/Words/first-names.txt"
};
WORD_FILE(words_story_first_names, story_first_names_bytes)

static const unsigned char story_french_bytes[] = {
#embed "../StoryKit/Words/french.txt"
};
WORD_FILE(words_story_french, story_french_bytes)

static const unsigned char story_german_bytes[] = {
#embed "../StoryKit/Words/german.txt"
};
WORD_FILE(words_story_german, story_german_bytes)

static const unsigned char story_people_bytes[] = {
#embed "../StoryKit/Words/people.txt"
};
WORD_FILE(words_story_people, story_people_bytes)

static const unsigned char lexicon_english_bytes[] = {
#embed "../ToolServers/DateLanguage/Lexicon/english.txt"
};
WORD_FILE(words_lexicon_english, lexicon_english_bytes)

static const unsigned char lexicon_german_bytes[] = {
#embed "../ToolServers/DateLanguage/Lexicon/german.txt"
};
WORD_FILE(words_lexicon_german, lexicon_german_bytes)

static const unsigned char letter_texts_bytes[] = {
#embed "../ToolServers/Letters/Text/letters.txt"
};
WORD_FILE(words_letter_texts, letter_texts_bytes)

static const unsigned char letter_claims_bytes[] = {
#embed "../ToolServers/Letters/Claims/claims.txt"
};
WORD_FILE(words_letter_claims, letter_claims_bytes)

static const unsigned char resume_headings_bytes[] = {
#embed "../ToolServers/Documents/Resumes/headings.txt"
};
WORD_FILE(words_resume_headings, resume_headings_bytes)

static const unsigned char job_words_bytes[] = {
#embed "../ToolServers/Documents/Resumes/job-words.txt"
};
WORD_FILE(words_job_words, job_words_bytes)

static const unsigned char resume_words_bytes[] = {
#embed "../ToolServers/Documents/Resumes/resume-words.txt"
};
WORD_FILE(words_resume_words, resume_words_bytes)

static const unsigned char common_words_bytes[] = {
#embed "../ToolServers/Texts/Writing/Proofreading/Words/common-words.txt"
};
WORD_FILE(words_common_words, common_words_bytes)

static const unsigned char proofreading_bytes[] = {
#embed "../ToolServers/Texts/Writing/Proofreading/Words/proofreading.txt"
};
WORD_FILE(words_proofreading, proofreading_bytes)

static const unsigned char manual_index_bytes[] = {
#embed "../../docs/manual/index.md"
};
WORD_FILE(words_manual_index, manual_index_bytes)

// Which commit this is: scripts/stage writes it here with objcopy, which leaves the size
// as it is, so that a commit compiles and links nothing.
__attribute__((section(".chat.commit"))) static const unsigned char commit_bytes[64] = "";
WORD_FILE(words_commit, commit_bytes)
