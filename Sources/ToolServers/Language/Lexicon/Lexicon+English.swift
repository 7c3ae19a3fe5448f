/// The English words of messages; the rows of dates are in `EnglishWords`.
extension Lexicon {
    static let english = Lexicon(
        leads: PatternTable([
            (
                """
                remind me|us please|pls? to|too|about|of|that?
                remind me|us that? i|we need|have to
                remind me|us that? i|we must|should
                remind to
                remindme|rmd me? to?
                reminding me|us to|about|of|that?
                set|create|add|make|give|send|put|schedule me? up? a|an|another|new? new? reminder for|on? me? to|that|about|called|:?
                get|have me? a reminder for? to|about|that?
                i want|need a|another reminder to|for|about|that?
                i would like|love a|another reminder to|for|about|that?
                i'd|id like|love a|another reminder to|for|about|that?
                can|could|may i get|have a|another reminder to|for|about|that?
                i want|need|like to? be reminded to|about|of|that?
                i would like to be reminded to|about|of|that?
                i'd like to be reminded to|about|of|that?
                need to be reminded to|about|of|that?
                ping|nudge|buzz|prompt|alert|notify me|us to|about|that?
                don't let me|us forget to|about|that?
                dont let me|us forget to|about|that?
                """, Lead.reminder
            ),
            (
                """
                wake me|us up?
                set|create|add|make|give|put|schedule me? up|on? a|an|my|the|another|new? new? alarm clock? for|called|:?
                i|we need|want a|an another? alarm for|at|to?
                i'd|id like an alarm for|at
                set|create|make me? up? alarms|timers for|at
                alarm :|for|at
                new alarm :|for|at
                """, .alarm
            ),
            (
                """
                set|start|create|give|begin|run|put me? up|on? a|an|my|the|another|new? new? timer|countdown for|of|called|:?
                timer|countdown :|for?
                new timer|countdown :|for?
                """, .timer
            ),
            (
                """
                todo :
                to do :
                to - do :
                task :
                new task|todo|reminder :|to|for?
                create|add|make a? new? task|todo to|for|called|:
                create|add|make a? new? to - do to|for|called|:
                reminder to|for|about|:|-
                reminder to self to|:
                note to self to|:|-?
                don't|dont forget to|about|that?
                do not forget to|about|that?
                deadline|due :
                """, .task
            ),
            (
                """
                add|create|new|make a|an? new? calendar? event|appointment|entry called|for|with|:?
                event|appointment|calendar :
                add to|on|in my|the calendar :?
                put on|in my|the calendar :?
                """, .event
            ),
            (
                """
                i|we need|have|want|got to
                i've|we've got to
                i|we gotta|must|should|wanna
                i|we ought to
                i'd|id like to
                i|we would like to
                i'll|we'll|i need|have to
                i'm|we're supposed to
                need|have|got to
                gotta|must
                i|we must|need|have to? remember to
                need|have to remember to
                remember to|that
                make sure that? to|i
                make sure i don't|dont forget to
                remind|note :
                jot down
                todo|task
                create|add|make a new? task|todo
                add a|an|the?
                """, .weakTask
            ),
            (
                """
                schedule a|an|my|the|another?
                set up a|an
                book|arrange a|an|my
                book me a|an
                pencil in
                pencil me in for
                """, .weakEvent
            ),
            (
                """
                recurring|repeating|repeat :?
                please|pls|plz
                hey|hi|hello|ok|okay|well
                hey? chat ,
                can|could|would|will you|u please|pls?
                """, .filler
            ),
        ]),
        splitLeads: [
            SplitLead(
                head: WordPattern("set|start|give|put me? on? a|an|another?"),
                tail: ["timer", "countdown"], lead: .timer, isLast: false),
            SplitLead(
                head: WordPattern("set|create|make|give|add|put me? on? a|an|my|the|another?"),
                tail: ["alarm"], lead: .alarm, isLast: false),
        ],
        courtesy: PatternTable([
            (
                """
                please|pls|plz|hey|hi|hello|ok|okay|so|and|well|oh|um|uh|uhm|umm|hmm|hm|er|erm|also|then|now|right|alright|great|cool|yo|yeah|quick|quickly|just|kindly
                ok|okay so|now|great|cool
                hey? chat
                good morning|evening|afternoon
                oh? wait|yeah
                one more thing
                """, Courtesy.filler
            ),
            (
                """
                can|could|would|will you|u please|pls|kindly|just|maybe?
                would|do you mind
                i want|need you|u to please?
                i would like you|u to please?
                i'd|id like you|u to please?
                would|could|can you be so? kind|good enough? as? to|and
                be so kind as? to|and
                you|u should
                """, .request
            ),
            (
                """
                i|we want|need|have to
                i would like to
                i'd|id like to
                i|we should|must
                let's|lets
                let us|me
                """, .wish
            ),
            (
                """
                no|nope|nah|actually|sorry|oops|rather|instead
                no wait|sorry|actually
                never|nevermind mind?
                i mean|meant
                wait no|actually?
                scratch that
                """, .correction
            ),
        ]),
        closings: patterns(
            """
            please|pls|plz|thanks|thx|ty|cheers|ok|okay|yeah
            thanks a lot
            thank you so? much?
            will|would|can|could you
            if you can|could|please
            for me
            mate|buddy|man|dude
            """),
        questions: PatternTable([
            (
                """
                what is on|in my|the|our calendar|schedule|agenda|diary|plate|plan
                what is my|our schedule|agenda|plan|day
                what does|do my|our calendar|schedule|agenda|day|week|month|diary look like
                what events|appointments|meetings|plans do|have i|we have|got?
                which events|appointments|meetings do i|we have
                what do i|we have going? on?
                what do i|we have planned|scheduled
                what have i|we got going|planned|scheduled? on?
                what am i doing
                what is planned|scheduled
                do|have i|we have|got any? anything|something|plans|events|meetings|appointments going|planned|scheduled? on?
                is|are there anything|any on|in? my|our calendar|schedule|agenda
                show|list|display|give|open me? all? my|our|the calendar|agenda|schedule|events|appointments|meetings|day|week
                show|list|display|give me? today|tomorrow|week agenda|schedule|calendar
                any events|appointments|meetings
                my|our calendar|agenda|schedule|day|week
                calendar|agenda for?
                how does|is my|our day|week|month look?
                what is on
                """, Question.agenda(isAddressed: true)
            ),
            (
                """
                what is happening|up|there|coming
                what is coming|going up|on
                anything on|planned|scheduled|happening|for?
                is there anything on|planned|scheduled?
                show me? what is on
                schedule
                do|have i|we have|got a|an event|meeting|appointment
                """, .agenda(isAddressed: false)
            ),
            (
                """
                am|are i|we free|available
                when am|are i|we free|available
                do|have i|we have|got any? free? time
                is my|our
                is there any? time
                """, .free
            ),
            ("am|are i|we busy|booked|tied up?", .busy),
            (
                """
                when|where is|are my|the|our?
                at? what time|day is|are my|the|our?
                what date is|are my|the|our
                when does|do my|the|our?
                """, .when
            ),
            (
                """
                what is next up?
                what is my|the|our next appointment|event|meeting|reminder|task|thing
                when is my|the|our next appointment|event|meeting|thing
                my|our next appointment|event|meeting|reminder|task
                next appointment|event|meeting|reminder|task
                what is coming up next?
                what do i have next
                what next
                """, .next
            ),
            (
                """
                what|which reminders|tasks|todos|alarms|timers do|have i|we have|got?
                how many open? reminders|tasks|todos|alarms|timers do|have i|we have|got?
                any|which|what open? reminders|tasks|todos|alarms|timers
                what|which|any reminders|tasks|todos|alarms|timers are? there|set|open|left|pending
                what are|is all? of? my|our open|pending? reminders|tasks|todos|alarms|timers
                what is|are on|in my|our to|todo|task|reminder|reminders -? do? list|lists?
                what is|are my|our to|todo|task|reminder -? do? list
                do|have i|we have|got any open|pending? reminders|tasks|todos|alarms|timers
                are there any reminders|tasks|todos|alarms|timers
                show|list|display|give|view|see|read me? all? of? my|our|the? open|pending? reminders|tasks|todos|alarms
                show|list|display|give|view|see|read me? all? of? my|our|the to|todo|task|reminder -? do? list
                any open? reminders|tasks|todos
                my|our open|pending? reminders|tasks|todos|alarms
                my|our to|todo|task|reminder -? do? list
                reminders
                tasks|todos for
                todo list
                to -? do list
                """, .reminders
            ),
            (
                """
                show|list|display|give|read me? my|our|the
                what is|are on|in my|our|the
                """, .list
            ),
            (
                """
                what is|are due
                what do|must|should|have i|we have|need|got? to do
                what reminders|tasks|todos are due
                is anything due
                anything due|to
                do|have i|we have|got anything to do
                """, .due
            ),
            (
                """
                what is overdue|late
                show|list me? all? my|the? overdue reminders|tasks|todos?
                overdue reminders|tasks|todos?
                what|which reminders|tasks|todos are overdue|late
                what am i late on|with
                """, .overdue
            ),
            (
                """
                show|list me? all? my|the? completed|done|finished reminders|tasks|todos
                completed|done|finished reminders|tasks|todos
                what have i|we done|completed|finished
                """, .completed
            ),
            (
                """
                find|search my|the? event|appointment|reminder|task|meeting? called|named|for|with?
                search|look for
                look up
                """, .find
            ),
        ]),
        changes: PatternTable([
            (
                """
                done|completed|finished|complete|finish :
                tick|check|cross|strike off|out
                """, Change(.done, isListVerb: true)
            ),
            ("tick|check|cross|strike", Change(.done, isListVerb: true, closing: "off|out")),
            (
                "mark|set|flag",
                Change(
                    .done, isListVerb: true,
                    closing: "as? done|complete|completed|finished")
            ),
            (
                """
                done|finished with?
                i am done|finished with
                i'm|im done|finished with
                completed
                i|i've|ive have? done|did|finished|completed
                """, Change(.done)
            ),
            ("complete|finish|finished|tick", Change(.done, asksFirst: true)),
            (
                """
                reopen|uncomplete
                undone|not done? :
                unmark|uncheck
                """, Change(.reopen)
            ),
            (
                """
                delete|remove|erase|drop|trash|clear
                get rid of
                """, Change(.delete)
            ),
            (
                "take",
                Change(.cancel, closing: "off|from|out of? my|the calendar|list|agenda|schedule")
            ),
            (
                """
                cancel|scrap
                call off
                """, Change(.cancel)
            ),
            ("call", Change(.cancel, closing: "off")),
            ("rename|retitle", Change(.rename)),
            ("snooze", Change(.snooze, isListVerb: true)),
            (
                """
                remind me again
                remind me of that again?
                """, Change(.snooze, isListVerb: true)
            ),
            (
                """
                move|reschedule|postpone|shift|delay|push|defer
                push|move back|out|off
                put off|back
                """, Change(.move, isListVerb: true)
            ),
            ("put", Change(.move, closing: "off|back")),
            (
                """
                bring|move|pull forward|up
                bring|pull
                """, Change(.move, isListVerb: true, isEarlier: true)
            ),
            ("change|set|switch", Change(.move, asksFirst: true)),
            (
                """
                make it|that|this
                change|move|set|push|shift it|that|this to|for
                """, Change(.adjust)
            ),
            (
                """
                call|name it|that|this
                rename|retitle it|that|this to|as
                """, Change(.rename)
            ),
            (
                """
                end|finish|extend|shorten|start|begin
                """, Change(.end)
            ),
            (
                """
                turn|switch|shut off|on|down
                turn|switch|shut
                disable|silence|mute|stop|kill|dismiss|pause|skip|enable
                """, Change(.silence)
            ),
        ]),
        undoing: PatternTable([
            ("undo that|it|this|last?\nundo the last one|change|thing?\ntake that|it back", false),
            ("redo that|it|this?", true),
        ]),
        kinds: PatternTable([
            (
                """
                the|my|our|that|this? reminder|task|todo|alarm|timer|to to|about|for|of|that|called|named|-|:?
                """, Understanding.Kind.reminder
            ),
            (
                """
                the|my|our|that|this? event|appointment|meeting with|called|named|at|for|about|:?
                """, .event
            ),
        ]),
        kindNouns: [
            "reminder": .reminder, "task": .reminder, "todo": .reminder, "alarm": .reminder,
            "timer": .reminder, "event": .event, "appointment": .event, "meeting": .event,
            "appt": .event,
        ],
        doneEndings: patterns(
            """
            :? is|are? now|all? done|finished|complete|completed
            : done
            """),
        taskVerbs: words(
            """
            answer apply arrange ask assemble attend back backup bake bathe book bring brush build
            buy call cancel celebrate change charge check clean clear close collect complete confirm
            congratulate contact cook cover cut declutter defrost deliver deploy deposit descale dig
            discuss do donate download draft drink drive drop dust eat email empty exercise fax feed
            fetch file fill find finish fix fold follow get give go grab grease groom hand hang
            harvest help hem hoover inject invite invoice iron join laminate leave lift light lock
            log look mail make measure medicate meditate meet mend message mop move mow oil open
            order organise organize pack paint pay phone pick plan plant play plug polish post
            practice practise prepare print prune publish pull put read rebook reboot record recycle
            refill refuel register renew repair replace reply report research reserve reset respond
            restart restock return review ring rotate rsvp run sand save scan schedule scrub see
            sell send service sew sharpen shave ship shop shower shut sign skype start steam stop
            stretch study submit sweep swap swim switch take talk tell test text thank throw tidy
            top train transfer treat trim try tune turn unpack unplug update upgrade upload vacuum
            varnish visit vote wake walk wash watch water weigh wipe wish withdraw work wrap write
            """),
        choreVerbs: words(
            """
            call ring phone text email mail buy pay pick drop take water feed walk clean wash renew
            return post collect fetch submit visit meet iron charge refill replace repair mow vacuum
            bake cook defrost descale pack unpack empty hoover dust turn switch lock bring get grab
            send hand register vote file sign practice practise stretch exercise run swim train
            shower medicate inject apply change rotate shave trim cut plant prune harvest sweep mop
            tidy declutter recycle donate sell ship deliver deposit withdraw transfer invoice reply
            respond confirm rsvp congratulate thank back backup reboot restart update upgrade
            measure weigh unplug plug close shut cover wrap scan fax laminate oil grease
            sharpen polish paint sand varnish fix mend sew hem groom fold hang scrub wipe bathe
            brush steam finish
            """),
        personalVerbs: words(
            """
            bathe brush buy call clean collect cook defrost descale drop feed fetch fold grab groom
            hang harvest hoover iron medicate mop mow oil pack pay phone pick polish prune recycle
            refill refuel return ring scrub sew shave shower steam sweep take tidy vacuum visit walk
            wash water weigh wipe
            """),
        aloneVerbs: words(
            """
            swim run exercise train stretch shower practise practice vacuum hoover dust pack unpack
            meditate journal jog walk shave pray
            """),
        pastVerbs: [
            "bought": "buy", "brought": "bring", "fed": "feed", "got": "get", "made": "make",
            "met": "meet", "paid": "pay", "put": "put", "ran": "run", "rang": "ring",
            "read": "read", "sent": "send", "swept": "sweep", "took": "take", "went": "go",
            "wrote": "write", "gave": "give", "told": "tell", "did": "do", "cut": "cut",
            "mowed": "mow", "mown": "mow", "swam": "swim", "took out": "take out", "saw": "see",
            "sold": "sell", "drove": "drive", "ate": "eat", "drank": "drink",
        ],
        puttingVerbs: words("add put stick pop get jot block adding putting note pencil"),
        appointments: words(
            """
            dentist doctor doctor's gp vet optician physio physiotherapist physiotherapy therapy
            therapist checkup surgery haircut hairdresser barber massage meeting meetup call sync
            standup retro retrospective review interview appointment appt kickoff demo webinar
            workshop seminar lecture class lesson course exam conference talk lunch dinner breakfast
            brunch supper coffee drinks picnic barbecue bbq party birthday wedding funeral
            anniversary reception concert gig recital rehearsal movie cinema theatre theater opera
            show exhibition museum match game gym yoga pilates training practice swim swimming
            tennis football soccer golf climbing dance dancing choir band flight train ferry trip
            visit tour viewing inspection session club playdate ceremony graduation festival offsite
            retreat camp hike 1:1 hackathon consultation orthodontist dermatologist cardiologist
            mot tutoring prom audition shift rendezvous mass holiday vacation
            """),
        appointmentEndings: [],
        technical: words(
            """
            dataset data code cache build repo repository branch table database db server cluster
            file files log logs test tests queue pipeline docs variable function class script api
            commit column columns index docker container image images dependency dependencies view
            component module package method loop array string struct enum type model endpoint
            folder directory config json csv readme app page website slide slides paragraph
            sentence chapter section line lines error bug ticket issue pr branchname box form title
            booking reservation subscription button field query schema migration
            """),
        leftovers: words(
            """
            until till if unless whenever when while again later soon sometime someday eventually
            before after once or then except today tonight tomorrow yesterday ago every each
            otherwise instead whether twice thrice maybe perhaps possibly either
            """),
        unsureTimes: words(
            """
            later soon sometime sunset sunrise dawn dusk dark nightfall work few several bedtime or
            """),
        vague: patterns(
            """
            a bit|tad
            in a bit|while|moment|sec|jiffy
            in case
            next time
            the moment|minute|second|instant
            the day|week that|when|i|we|you|he|she|they|it
            as soon as
            this|same time
            meanwhile|meantime
            as long as
            every|in a? few
            later on|today|tonight?
            some time|day|point
            sometime|soon|soonish|eventually|whenever|asap
            at some point|time
            as soon as possible
            one of these days
            at sunset|sunrise|dawn|dusk|dark|nightfall
            on my|his|her|our birthday|anniversary
            on|at payday
            this|next few days|weeks|months
            next two|three|few|couple days|weeks|months
            after|before work|school|lunch|dinner|breakfast|class|bed
            once|twice|thrice a|per day|week|month|year
            two|three|four times a|per day|week|month|year
            every now and then
            from time to time
            every so often
            """),
        assistantVerbs: words(
            """
            write tell explain describe summarize summarise translate draft compose give show list
            find search look suggest recommend help think imagine rewrite rephrase shorten correct
            proofread compare make create generate invent continue pretend act brainstorm outline
            define calculate compute convert count figure check spell pronounce analyse analyze
            debug refactor optimize optimise plan design teach quiz solve prove predict guess rank
            sort extract format parse classify let let's tldr use try yesterday last play sing read
            say talk discuss respond answer evaluate estimate simulate implement add insert replace
            append merge rebase commit deploy compile build execute and thanks thank hi hello hey
            dear see happy good
            """),
        writings: words(
            """
            poem poems haiku limerick story stories joke jokes essay article dialogue speech summary
            ideas tips advice facts fact questions answers lyrics plot meaning definition synonym
            history difference news weather forecast winner sunset sunrise hours recipe recipes
            famous best top worst example examples translation quotes code function paragraph
            sentence words error errors exit version host log logs trope headline template regex
            script lines signal
            """),
        questionWords: words(
            """
            what when where who whom whose why how which whether if is are was were do does did can
            could should would will shall may might have has had am isn't aren't don't doesn't
            didn't won't can't couldn't
            """),
        finiteVerbs: words(
            """
            is are was were be been being isn't aren't has have had having does did will would
            can could should might must shall cannot went got came said says told met left felt saw
            made took gave thought knew hurt happened called asked moved started ended crashed needs
            wants sounds seems looks means works fails starts begins ends opens closes leaves
            arrives lands eat eats drink boils dies happens meets hates loves likes invited compared
            wasn't weren't don't doesn't didn't won't can't
            """),
        subjects: words(
            """
            i he she we they you there who whom whose somebody someone anybody anyone nobody
            everybody everyone people
            """),
        prepositions: words(
            """
            of for from to with w/ as at in on about by between into onto over under near via @ above
            below inside outside behind
            """),
        pronouns: words(
            """
            it this that these those them him her one ones
            """),
        articles: words("the my a an our his her their your some this that"))
}
