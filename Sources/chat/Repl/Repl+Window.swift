import AgentCore

/// What is told outside of the screen: the window's title, and that a long
/// answer has ended.
extension Repl {
    /// Only where the user wants it: other programs name windows too.
    func showTitle() async {
        guard services.settings.title, terminal.isInteractive else { return }
        terminal.setTitle(await session.record.map { "chat · \($0.title)" } ?? "chat")
    }

    func notify(seconds: Double) async {
        let notifier = AnswerNotifier(
            way: services.settings.notify, variables: services.variables)
        guard terminal.isInteractive,
            notifier.isDue(seconds: seconds, isFocused: terminal.isFocused)
        else { return }
        let title = await session.record?.title ?? ""
        await terminal.write(notifier.bytes(title: title))
        await notifier.tellDesktop(title: title)
    }
}
