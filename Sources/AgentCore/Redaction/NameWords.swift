/// Names that are words as well: "Will", "Rose", "Koch". Alone, and in lower case,
/// such a word tells of nobody. Pure data.
package enum NameWords {
    /// - Parameter folded: one word as `SearchText` folds it.
    package static func isWord(_ folded: String) -> Bool { words.contains(folded) }

    /// Between names or before them: of the name, but nothing by themselves.
    package static func isParticle(_ folded: String) -> Bool { particles.contains(folded) }

    /// Before or behind a name and no part of it.
    package static func isTitle(_ folded: String) -> Bool { titles.contains(folded) }

    private static let particles = split(
        """
        a af al ap ar at auf av ben bin bint d da dal das de degli dei del della den der des di do \
        dos du e el i ibn in la las le les lo los mac mc o of op s san sant santa st t te ten ter \
        tot un und van vande vanden vander vom von y zu zum zur
        """)

    private static let titles = split(
        """
        dr prof mr mrs ms miss mx sir madam dame lord lady jr sr ii iii iv phd msc bsc mba md esq \
        herr frau dipl ing med rer nat mag monsieur madame mme mlle senor senora sr sra srta don \
        dona sig signor signora dott ssa pan pani dhr mevr mgr inz hab
        """)

    /// First names and surnames of the languages letters are written in here that
    /// are common words of one of them too.
    private static let words = split(
        """
        abbott able ace action adler admin admiral ahorn alba alder alter amber ambrose angel \
        angela april aprile archer ariel art arts ash asher aspen assistant aster august aurora \
        autumn ave avery azure bach bader baker ball banks bar barber bark barker barn barnes \
        baron bass bauer baum bay beach bean bear beau beck becker bell bella belle bender berg \
        berger bergman berry best bianco bill binder birch bird bishop black blanc blanca \
        blanche blanco blank blau bloom blossom blue blum blume board bohm bond bonita bonjour \
        book booker boss bottle braun bravo bread brewer bridge bridges bright brook brooke \
        brooks brot brown buck buckle bud bueno bull burger burns buro busch bush business \
        butcher butler call camino campo campos candy cannon canon cantor capital capo carbon \
        cardinal care career carpenter carrier carter casa case cash cass castillo castle castro \
        chance chandler chapel charity charm chase chat cherry chess child childs chip christian \
        church ciao ciel claude clay clear clerk cliff clover coach cole colon colt comfort \
        common compass constable constance contact content cook cool cooper copper coral corbin \
        cord core corn corner corona cortes costa cotton court craft crane cross crow crown cruz \
        crystal cunning curry custom dahl daisy dale dallas dan dark darling dash data dave dawn \
        day days dean decker delta derby designer destiny developer diamond dick diez dill dior \
        direct disc do doe dollar don dora dot dove down drake drechsler drew driver drum duke \
        dusty dyer earl east easter easton ebony echo eden edge egger ehrlich eiche eisen ember \
        emerald engel engineer england ernst esperanza estrella eve ever evergreen example faith \
        falcon fall far farmer fast faust favor fawn fay feather feder feld felder fellow fels \
        ferro feuer fever field fielding fields finch fink finn firma fischer fish fisher \
        fleischer flint flor flora flores flower flowers fluss fontaine fontana ford foreman \
        forest forester forge fort fortune foster fountain fox franc franco frank frau free \
        freeman french freund frey friday friend frost fuchs fuentes fuller gale gallo game \
        garcon garden gardener gardner garnet garrison gates gay gem gene general genesis \
        gentile german gill ginger glass glen gold golden good goodman grace grand grande \
        granger grant grass grau graves gray grazia greco green greene grey griffin gross grosso \
        grove grun guerra guerrero gunner gut guy hacker hagen hall hallo hammer hand handel \
        harbor hard hardy harmony harp harper hart hase haven hawk hay hazel head heart heath \
        heather heaven hecht heel heide held hello henna hermano hermosa hero herr herrero hill \
        hills hirsch hirt hoch hof hola holder hollow holly holz home honey honor hood hook hope \
        horn horner house hoy huff hug hummel hunt hunter iglesia india indigo info innocent \
        input iris iron island israel ivory ivy jack jacket jade jager james january jasmine \
        jaune java jay jean jeans jersey jet jewel jin job jobs joker jordan journey joy judge \
        july jump june jung junger junior just justice kaiser kaltenbach kammer karat kaufmann \
        keen keep keller kellner kempf ken kern key keys kind kindness king kirch kirsch kite \
        klee klein knapp knight knopf koch kohl kolb konig kontakt kopf korn kranz kraus krebs \
        kreis krieg krieger kroger kron krone krug kuhn kunst kurz lack lacroix lady lake lamb \
        lampe lance land lander lane lang lange langer laurel lauren lavender law lawless leader \
        leaf lee legend leger lehrer leicht lemon leon leone leopard levy liberty lieber light \
        lila lilac lily lima lime linde linden link linn lion little liu lively llano loch lock \
        locke logan lomax london loner long longo lopez lord lot lotus love loving low lowe \
        lucky luna lux luz lynx lyric ma macht mad madison mage mai maier mail main maine major \
        maker man manager manly mann manna maple mar marble march marin marina mariner marino \
        mark marker market markus marron mars marsh marshal marshall martial martinet marvel \
        mason massa master masters mat matt matte maurer max maximum may mayor maze mead meadow \
        meadows medina mehl meister melody mercer merchant mercy merlin merry mesa messer \
        messina metzger micha midnight mike miles mill miller mills miner mint miracle misty \
        model moe molina monday money monroe montag monte moody moon moor moore more moreno \
        morrow moss mouse music mutter myrtle nagel name nell nero neu neuer new newman nick \
        nickel night nightingale noble noel noir nord north notte nova november nuss oak oakley \
        ocean octavia odd ode office ohm olive olmo onyx opal orchard ortega ortiz osten oster \
        otter outlaw output oven owens own pace pack packer page paige paine painter palace palm \
        palomo pan pansy panther paolo papa paris parish park parker parks parrot parson pascha \
        past paste pastor pat patience patron pavia pawn payne paz peace peach peacock peak pear \
        pearl pearson peck pelz pena penn penny people pepper perla person personal petit petty \
        pfeffer phoenix piano picard pick pierce pierre pietra pike pilgrim pilot pin pine pink \
        pinto piper plane plant plaza pleasant plum plumb poet pole pollock pond ponte pool \
        poole poor pope poppy port porter portillo post pot potter powder powell power powers \
        precious presto price pride priest prieto prim primo prince prior private promise \
        prosper providence prudence puck puppy pure queen quick quill rabbit rabe race racer rad \
        rain rainbow raine ram ramos rams rand ranger rath raven ray raya read reader ready real \
        reb rebel red reed regen reich reif rein reiner reiter remedy remy rey reyes rice rich \
        richter ridge rim ring rio rios ritter rivas river rivera rivers roach road rob robin \
        robins rock rocky rod rode rojo roman romano rome rook roper rosa rose ross rosso rot \
        rouge royal rubio ruby ruin rule rune rush russo rust rusty sabbath sable sacha sad sage \
        sailor saint sal sala salas salat sale sales salt salvador samstag samt sand sander \
        sandman sands sandy santos sapphire sauer savage sawyer saxon schafer schatz scherz \
        schilling schluter schneider schon schreiber schreiner schuster schutz schwab schwan \
        schwarz schwarzer schwimmer scout seal season see self sell senna september serena serra \
        sexton shade shadow sharif sharp shaw shell shepherd sheriff shields shin shoemaker \
        shore short show sierra silber silver simple singer sinner sire six skinner sky skye \
        slate slater slone small smart smith snow sol solo sommer song sonne sonntag sparks \
        sparrow spear specht speck spelling spicer spiegel spiel spinner spring springer spruce \
        squire stadt staff stag stahl stamm standard star stark stein stella step sterling stern \
        steward stich still stock stocker stone storch storey storm story stout strand strange \
        strauss street strick strong sturm sue summer summers sun sunday sunny sunshine supper \
        support sur surrey swallow swan sweet swift system tag tailor tanner taube tauber tax \
        tea teal team temple tender terra test text thorn thorne thursday tide tiefer tiger \
        tiller timber time tipper toner tool torre torres tower towers trader treasure tree \
        trinidad trinity tripper troy true trust tuck tuesday tulip turner tyre unity urban ursa \
        user usher vale valencia valentin valentine valentino valle valles valley van vara vega \
        velvet vera verde verdi vesper vicario vice vida vila villa villar vine violet virgin \
        viva vogel volk voll von wachter wade wald walk walker wall walls waltz ward warden ware \
        waters watt watts way weaver wedge week weeks weide weil wein weis weise weiss welch \
        welle wells welt west westen wetter wheat wheel wheeler whisper white wiese wild wilde \
        wilder will willing willow wills win wind windy wing wings winn winner winter winters \
        wirt wise wolf wolle wood woodman woods woody wool word words work worth wren wunsch \
        wurst yam year years yellow yes york young zaun zeit zimmer zinn zoll zorn zorro zucker
        """)

    private static func split(_ text: String) -> Set<String> {
        Set(text.split(separator: " ").map(String.init))
    }
}
