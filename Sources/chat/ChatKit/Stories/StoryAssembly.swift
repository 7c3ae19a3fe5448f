import AgentCore
import Base
import Glibc
import Library
import Persistence
import Sound
import Stories
import Texts
import ToolServers

/// Assembles stories for this program, with its sources of files and standard input.
package enum StoryAssembly {
    package static func server(
        _ library: LibraryServer.Dependencies, voice: VoiceAssembly,
        generator: any TextGenerator, prompts: PromptBook, prices: PriceTable
    ) -> (server: StoryServer, presenter: StoryPresenter) {
        let variables = voice.variables
        let model = StoryModel(
            generator: generator, instructions: { await prompts.storyInstructions($0) },
            cost: { usage, destination in
                prices.cost(of: usage, model: destination.model, provider: destination.provider)
                    .text
            },
            answers: AnswerCache(folder: voice.paths.answers, environment: voice.environment))
        let book = StoryBook(
            StoryBook.Dependencies(
                library: library.store, variables: variables, home: voice.paths.home,
                input: { [readInput = library.readInput] limit in
                    isatty(0) == 1 ? nil : try await readInput(limit)
                }))
        let voices = StoryVoiceBook(
            book: book,
            StoryVoiceBook.Dependencies(
                engine: { try voice.speechEngine() }, standard: voice.voiceChoice,
                presets: voice.settings.presets,
                speak: { utterance in
                    let speaker = voice.speaker(try voice.speechEngine(), as: .preview)
                    let report = try await speaker.speak([utterance])
                    if let problem = report.problems.first { throw problem.error }
                }))
        let sound = StorySound(
            engine: { try voice.speechEngine(readsOn: true) },
            voices: { try await voices.telling($2).voices(of: $0, cast: $1) },
            cache: SoundCache(folder: voice.paths.sound, environment: voice.environment),
            host: { voice.speechHost() }, variables: variables)
        let store = library.store
        let player = StoryPlayer(
            StoryPlayer.Dependencies(
                book: book, sound: sound,
                sink: { voice.sink(as: .story($0)) }, check: { try await voice.sound.check() },
                place: { try await store.place(of: $0) },
                setPlace: { try await store.setPlace($0, of: $1) },
                rate: { [path = voice.paths.storyRate] in
                    // Without the file, the voices use their own speed.
                    (try? WholeFile.read(path, limit: 64)).flatMap {
                        Double(String(decoding: $0, as: UTF8.self).trimmingSpace())
                    }
                },
                setRate: { [path = voice.paths.storyRate, uuid = voice.environment.uuid] in
                    PrivateFile.replace(Array("\($0)\n".utf8), at: path, uuid: uuid())
                },
                environment: voice.environment))
        let presenter = StoryPresenter(bookmarks: StoryBookmarks(book: book))
        let listening = StoryListening(
            last: { try await store.lastPlaced(.story) },
            place: { try await store.place(of: $0) },
            present: { try await presenter.present($0, from: $1, by: $2, $3) })
        let server = StoryServer(
            book: book, library: library, sound: sound, voices: voices, model: model,
            player: player, listening: listening)
        return (server, presenter)
    }
}
