/// The items of a file, told apart by their UID: a file may hold several, and
/// an item several components (a series and its exceptions).
extension Component {
    /// Without the components of that item; everything else stays as it is.
    /// nil where there is no such item.
    func removing(uid: String) -> Component? {
        var rest = self
        var isFound = false
        rest.items = items.map { item in
            guard case .component(var calendar) = item, calendar.name == "VCALENDAR" else {
                return item
            }
            calendar.items.removeAll { item in
                guard case .component(let component) = item, component.isItem,
                    component.first("UID")?.value == uid
                else { return false }
                isFound = true
                return true
            }
            return .component(calendar)
        }
        return isFound ? rest : nil
    }

    /// Whether the file has anything but time zones.
    var holdsItems: Bool {
        components("VCALENDAR").contains { $0.components().contains(where: \.isItem) }
    }

    /// Whether this is (a part of) an item, and not a time zone.
    var isItem: Bool { name != "VTIMEZONE" }
}
