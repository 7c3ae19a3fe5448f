/// The English words of dates.
enum EnglishWords {
    static let table = WordTable(rows, corrected: corrected)
    /// Those that cannot be mistaken for German ones.
    static let safe = table.without(
        """
        am in so die an man was mi do di mo fr sa a um will end mark fast sun mar april august
        september november mal rest m h s d w y minute
        """)
    static let signs = Set(
        words: """
            the to at on every and tomorrow today tonight remind me of next my with for from by
            call monday tuesday wednesday thursday friday saturday sunday week month hours minutes
            days hour morning evening afternoon each until after before o'clock pm night weeks year
            half quarter weekday weekend due alarm one two three four five six seven eight nine ten
            eleven twelve timer wake noon midnight weekly monthly daily yearly buy is are this can you
            set add reminder please i
            """)

    private static let corrected = """
        tomorrow tonight yesterday monday tuesday wednesday thursday friday saturday sunday
        january february march april august september october november december morning
        afternoon evening weekend weekday minutes midnight mondays tuesdays wednesdays
        thursdays fridays saturdays sundays fortnight every weekdays monthly yearly biweekly
        quarterly fortnightly
        """

    /// What the words of a row mean, and the words; see `WordTable`.
    private static let rows = """
        weekdays 0: sunday/sun/sund monday/mon/mond tuesday/tue/tues wednesday/wed/weds/wednes
        weekdays 4: thursday/thu/thur/thurs friday/fri/frid saturday/sat/satur
        weekdays 0 plural: sundays/suns mondays/mons tuesdays wednesdays thursdays fridays/fris
        weekdays 6 plural: saturdays/sats
        months 1: january/jan february/feb/febr march/mar april/apr may june/jun july/jul
        months 8: august/aug september/sept/sep october/oct november/nov december/dec/decem
        role doubtful: sun sat wed may march mar jan june august april tom
        offsets -1: yesterday/yday today/tday/2day/todays
        offset 1: tomorrow tmrw tmr tmw tmo tom tomo tomoz tomorow tommorow tommorrow tomorro
        offset 1: tmmrw tmrrw 2moro 2morrow 2mrw 2mro morrow tomoro tomorra tmoro tommorw tmorrow
        offset 2: overmorrow
        offset 0 night: tonight tonite 2nite 2night tnight tonigt
        part morning: morning mornin morn; part noon: noon midday noontime
        part afternoon: afternoon arvo aft midafternoon; part evening: evening eve evng
        part night: night nite nighttime; part midnight: midnight; part lunch: lunchtime
        part dinner: dinnertime suppertime teatime; part bedtime: bedtime
        part dawn: dawn sunrise daybreak sunup; part dusk: dusk sunset nightfall sundown
        part endOfDay: eod cob; part lateMorning: midmorning; part morning plural: mornings
        part afternoon plural: afternoons; part evening plural: evenings
        part night plural: nights nites
        numbers 0: zero one two three four five six seven eight nine ten eleven twelve thirteen
        numbers 14: fourteen fifteen sixteen seventeen eighteen nineteen twenty
        number 30: thirty; number 40: forty fourty; number 50: fifty; number 60: sixty
        number 70: seventy; number 80: eighty; number 90: ninety; number 100: hundred
        number 2: couple; number 3: few several; number 12: dozen
        ordinals 1: first second third fourth fifth sixth seventh eighth ninth tenth eleventh
        ordinals 12: twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth
        ordinals 19: nineteenth twentieth
        ordinal 30: thirtieth
        often 1: once; often 2: twice; often 3: thrice
        unit second: second seconds sec secs s
        unit minute: minute minutes min mins m mintues minuets minits minute's
        unit hour: hour hours hr hrs h hour's; unit day: day days d day's
        unit week: week weeks wk wks w week's; unit week 2: fortnight fortnights
        unit month: month months mo mos mth mths month's; unit quarter: quarter quarters qtr
        unit year: year years yr yrs y year's; unit year 10: decade decades
        every hour: hourly; every day: daily everyday; every week: weekly
        every week 2: biweekly fortnightly; every month: monthly; every month 2: bimonthly
        every month 3: quarterly; every month 6: semiannually biannually semiannual
        every year: yearly annually annual; every year 2: biennially; every day night: nightly
        role workdays: weekday weekdays workday workdays workweek; role weekend: weekend weekends
        role plural: weekdays workdays weekends; role at: at @ @at; role on: on; role by: by
        role before: before; role after: after; role from: from
        role until: until till til untill thru through 'til; role of: of; role the: the th teh
        role into: in within; role every: every each evry evey evrey ea
        role other: other alternate alternating; role next: next nxt nex; role this: this
        role last: last final; role coming: coming upcoming following; role and: and & plus n
        role half: half; role quarter: quarter quarters quater qtr; role past: past
        role to: to til; role am: am; role pm: pm; role oclock: o'clock oclock clock hrs hundred
        role article: a an; role span: for
        role about: around about approx approximately roughly circa ca ~ exactly precisely like
        role starting: starting beginning start begin starts begins commencing effective
        role except: except excluding excl exc not but skipping skip without
        role times: times x time occurrences sessions occasions repetitions
        role early: early beginning start; role middle: mid middle; role late: late end
        role start: beginning start; role end: end ending close; role now: now
        role later: later hence; role owner: my our your his her their its the a an some
        role time: time; role between: between; role due: due deadline
        role function: about with to for and or re regarding because so if when while that which who
        role function: per via at on in into from by before after until unless but as than over near
        role function: behind under between without then & + = | i we you he she it they is are was
        role function: will
        role measure: kg km g lb lbs mg ml l liters litres percent % degrees euro euros eur usd
        role measure: dollars bucks pounds people persons guests eggs pages items pieces boxes
        role measure: bottles miles meters metres cups slices chapters copies tickets sets reps laps
        role measure: points players servings portions kids friends options € $ £ °
        """
}
