"""What the generated scenes are made of: names, verbs, things said, things done."""

WOMEN = """Clara Hester Judith Nell Augusta Ottilie Maud Ruth Phoebe Isobel Winifred Dinah Lettice Verity Agnes
Cora Beatrice Tamsin Leonora Edith Mirelle Sunniva Ysolt Orla Jessamy""".split()
MEN = """Edmund Silas Ralph Toby Jasper Walter Gilbert Hugh Martin Felix Ambrose Nathan Lewis Barnaby Oscar
Rupert Simon Abel Conrad Piers Torvald Evander Corwin Dunstan Osric""".split()
SURNAMES = """Abbott Hale Marlowe Pennington Thorne Carraway Quill Bellamy Hartley Ashdown Varley Drummond Fenwick
Lomax Stokes Whitlock Tarrant Oakes Maybrick Sorrel Penhallow Dacre Ludlow Kettering Vane Gaunt Harkness Trevose Mallory Wray""".split()
# Names that do not say whose they are: a pronoun has to.
RARE = set("Mirelle Sunniva Ysolt Orla Jessamy Torvald Evander Corwin Dunstan Osric Lettice Tamsin Barnaby".split())
# Short forms by which others call somebody.
SHORT = {"Walter": "Wat", "Edmund": "Ned", "Beatrice": "Trixie", "Winifred": "Winnie", "Edith": "Edie",
         "Martin": "Marty", "Gilbert": "Gil", "Augusta": "Gussie", "Nathan": "Nat", "Leonora": "Nora"}
ROLES = {
    "male": ["ferryman", "blacksmith", "old sailor", "steward", "vicar", "gardener", "coachman", "sergeant"],
    "female": ["housekeeper", "landlady", "old nurse", "governess", "duchess", "laundress", "abbess", "witch"],
}
TITLES = {"male": ["Mr.", "Mr.", "Captain", "Doctor", "Colonel", "Sir"], "female": ["Mrs.", "Miss", "Miss", "Lady"]}

# Verbs of saying that a name may stand in front of or behind.
VERBS = """said said said said said replied answered cried whispered murmured exclaimed observed remarked
returned added muttered shouted called declared insisted sighed grumbled""".split()
QUESTION_VERBS = "asked asked inquired demanded said cried".split()

PLACES = ["the harbour", "the mill", "the library", "the orchard", "the station", "the kitchen", "the long gallery",
          "the bridge", "the chapel yard", "the counting-house", "the stable", "the garden room"]
OPENINGS = [
    "{A} was already at {place} when {B} came in out of the rain.",
    "It was nearly dusk when {A} and {B} met at {place}.",
    "{A} stood by the window of {place}, and {B} sat down without a word.",
    "{B} had been waiting at {place} for an hour before {A} came.",
    "Nobody was at {place} that morning except {A} and {B}.",
]
THIRD = ["{C} had followed them and stood at the door.", "{C} was there too, with a lantern.",
         "Behind them came {C}, out of breath."]
OPENINGS_I = ["I found {B} at {place} when the lamps were being lit.", "{B} and I had agreed to meet at {place}.",
              "I was alone at {place} until {B} came up the path."]
THIRD_I = ["{C} had come with us.", "{C} was sitting there too, as {he} always did."]

HABITS = ["{A} had {his} hat in {his} hand.", "{A} rubbed {his} eyes.", "{A} kept {his} gloves on.",
          "{A} was out of breath, and had mud on {his} shoes."]

STATEMENTS = """the boat will not wait for us|there was a letter on the table this morning|I never saw a colder spring
the key is where it always was|you might have told me sooner|nobody has been in that room since March
they took the grey horse and left the cart|I counted the spoons twice|the road is under water beyond the farm
it was your own idea|I would rather walk|the whole town knows about it|we have until Thursday
the clock has stopped again|my coat is wet through|the money was gone when I looked
a man came asking for the map|I have said all I mean to say|the bell rang twice in the night
you are a great deal too clever for that|he left his hat upon the stairs|she has sold the piano
I shall write to the bank tomorrow|that is not what we agreed|the soup is getting cold
I heard steps above the ceiling|there are worse things than rain""".replace("\n", "|").split("|")
QUESTIONS = """who told you that|where did you put the lamp|what is to be done about it|how long have you known
did you see who came in|is there any tea left|why should I believe it|when does the coach leave
have you read it|what did they want|can you hear it|do you suppose they will come back
shall we go by the river|is that all you have to say|who has the other key""".replace("\n", "|").split("|")
SECONDS = """It cannot be helped.|I am quite sure of it.|That is the long and the short of it.|Nothing will change it now.
I looked for myself.|We had better be quick.|You may ask whom you like.|There is no more to tell.""".replace("\n", "|").split("|")

# After a name, before what is said or behind it.
BEATS = """put down the cup|looked out at the yard|shut the book|laughed|shook {his} head|turned the lamp up|folded the paper
walked to the door and back|took a long breath|picked up the lantern|leaned back in {his} chair|frowned
drummed on the table with {his} fingers|nodded slowly|pulled {his} chair nearer""".replace("\n", "|").split("|")
BEATS_I = """put down my cup|looked out at the yard|shut the book|laughed|shook my head|turned the lamp up|folded the paper
took a long breath|nodded slowly""".replace("\n", "|").split("|")
ADVERBS = ["", "", "", "", " at last", " quietly", " in a low voice", " with a smile", " after a while"]
INTERVALS = ["The rain had stopped, and the gutters ran.", "For a moment there was no sound but the clock.",
             "Somewhere a dog was barking.", "The fire had burned low."]
SCARE = [("A sign over the door said {q}, but nobody had read it in years.", ["No Hawkers", "Ring Twice", "To Let"]),
         ("It was what people there called a {q}, and it cost nothing.", ["dry supper", "short mile", "penny walk"]),
         ("The word {q} was painted on the boat in red.", ["Patience", "Swallow", "Providence"])]
NESTED = ["she told me, {q}, and then she hung up her bonnet", "he wrote {q} on the wall, as plain as print",
          "my father used to say, {q}, and he was right", "the notice says {q}, and I mean to keep to it"]
NESTED_WORDS = ["Never lend a boat", "Keep off the grass", "Go home", "All debts are paid on Friday"]
