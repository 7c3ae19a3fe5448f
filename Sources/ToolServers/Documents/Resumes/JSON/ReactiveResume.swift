import Base

/// Converts Reactive Resume exports to JSON Resume: its versions since 2019 used
/// `sections.experience.items`, `work.items` or `profile.firstName`. Pure.
enum ReactiveResume {
    static func standard(_ root: JSONObject) -> JSONObject {
        var result = JSONObject()
        var changed = false
        for member in root.members {
            if member.name == "sections", let sections = member.value.objectValue {
                changed = true
                for section in sections.members {
                    result.members.append(standard(section))
                }
            } else if let items = items(of: member.value) {
                changed = true
                result.members.append(.init(heading(member), items))
            } else {
                result.members.append(member)
            }
        }
        return changed ? result : root
    }

    private static func standard(_ section: JSONObject.Member) -> JSONObject.Member {
        if let items = items(of: section.value) { return .init(heading(section), items) }
        // { "name": "Summary", "content": "…" }
        if let text = section.value["content"] ?? section.value["body"] {
            return .init(section.name == "profiles" ? "contact" : section.name, text)
        }
        return section
    }

    /// The JSON Resume name of a section; `profiles` and `social` hold web addresses.
    private static func heading(_ section: JSONObject.Member) -> String {
        if section.name == "profiles" || section.name == "social" { return "contact" }
        if JSONResume.kind(of: section.name) != nil { return section.name }
        return section.value["name"]?.stringValue ?? section.value["heading"]?.stringValue
            ?? section.name
    }

    private static func items(of section: JSONValue) -> JSONValue? {
        guard let object = section.objectValue, let items = object["items"]?.arrayValue else {
            return nil
        }
        for name in ["visible", "enable", "enabled"] where object[name]?.boolValue == false {
            return .array([])
        }
        return .array(
            items.filter { item in
                item["visible"]?.boolValue != false && item["enable"]?.boolValue != false
            })
    }
}
