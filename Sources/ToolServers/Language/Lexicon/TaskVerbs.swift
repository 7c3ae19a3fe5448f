/// Verbs that tasks begin with. After one of these words a day that opens the
/// phrase is a day ("friday call the bank"), not a part of a name ("sunday
/// roast").
enum TaskVerbs {
    static func contains(_ word: String) -> Bool { words.contains(word) }

    private static let words: Set<String> = Set(
        """
        answer apply arrange ask assemble attend back bake bathe bring brush build buy call cancel
        celebrate change charge check clean clear collect complete confirm congratulate contact
        cook cut defrost deliver deploy dig discuss do donate download draft drink drive drop dust
        eat email empty exercise fax feed fetch file fill find finish fix fold follow get give go
        groom grab hand hang help hoover iron invite join leave lift light lock log look mail make
        measure meditate meet message mop move mow order organise organize pack paint pay phone
        pick plan plant play post practice practise prepare print prune publish pull put read
        rebook record refill refuel register renew repair replace reply report research reserve
        restart restock return review ring rotate run save schedule scrub see sell send service
        sharpen shave ship shop shower sign skype start steam stop stretch study submit sweep swap
        switch take talk tell test text throw tidy top transfer treat try tune turn unpack update
        upgrade upload vacuum visit wake walk wash watch water weigh wipe wish work wrap write
        anrufen kaufen gießen putzen bezahlen abholen bringen holen rufe kaufe
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
