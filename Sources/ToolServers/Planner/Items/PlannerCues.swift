/// Cue words in messages, shared by reminders and events, for `Tool.cues`.
enum PlannerCues {
    static let times = """
        today tonight tomorrow week weeks weekend monday* tuesday* wednesday* thursday* friday* \
        saturday* sunday* morning noon evening #am #pm at+# the+#th the+#st the+#rd heute morgen \
        übermorgen woche wochenende montag* dienstag* mittwoch* donnerstag* freitag* samstag* \
        sonntag* früh mittag abend #uhr um+# am+#
        """
    static let changes = """
        move* push* shift* postpone* delay* reschedul* change* instead now earlier later rename* \
        due+on make verschieb* verleg* änder* statt jetzt früher später umbenenn*
        """
    static let removals = """
        delete* remove* cancel* drop* clear* scrap* bin ditch* losch* lösch* streich* entfern* weg
        """
}
