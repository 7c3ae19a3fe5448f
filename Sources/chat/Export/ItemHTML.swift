import AgentCore
import FoundationEssentials
import Persistence
import TerminalKit
import ToolServers

/// Items of the library as one HTML page, in the form of `HTMLExport`. Pure.
enum ItemHTML {
    static func page(_ items: [LibraryItem], zone: LocalTime = LocalTime()) -> String {
        let title = items.count == 1 ? items.first.map(ItemTable.title) ?? "" : "Library"
        var body = ""
        for item in items {
            if items.count > 1 { body += "<h2>\(HTMLText.escaped(ItemTable.title(item)))</h2>\n" }
            body += "<p class=\"facts\">\(HTMLText.escaped(facts(item, zone)))</p>\n"
            body += "<section class=\"answer\">\n"
            body += MarkdownDocument(HostileText.text(item.body, isForPipe: true)).html()
            body += "</section>\n"
        }
        return HTMLExport.page(title: title, body: body)
    }

    private static func facts(_ item: LibraryItem, _ zone: LocalTime) -> String {
        let day = String(zone.isoText(item.updated).prefix(10))
        let tags = item.tags.map { "#" + $0 }.joined(separator: " ")
        return (["\(item.id)", item.kind.rawValue, day] + (tags.isEmpty ? [] : [tags]))
            .joined(separator: " · ")
    }
}
