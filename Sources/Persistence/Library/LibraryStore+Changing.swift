import AgentCore
import Base
import FoundationEssentials

/// Saves, changes and deletes items. Each call is one transaction and one step
/// that can be undone; it is on disk when the call returns.
extension LibraryStore {
    /// - Parameter verb: name of the step in lists: "saved".
    package func add(
        _ drafts: [ItemDraft], by origin: RevisionOrigin = .user, verb: String = "saved"
    ) throws -> [LibraryItem] {
        try step(verb) { connection, step throws(any Error) in
            try drafts.map { draft in
                let now = environment.now()
                try connection.run(
                    LibrarySQL.insertItem,
                    [
                        .text(environment.uuid()), .text(draft.kind.rawValue), .text(draft.title),
                        .date(now),
                    ])
                let id = ItemID(rawValue: connection.lastInsertedRow)
                let revision = ItemRevision(
                    item: id, number: 1, title: draft.title, body: draft.body,
                    metadata: draft.metadata, tags: ItemTag.normalised(draft.tags), made: now,
                    origin: origin, isConflict: false)
                try insert(
                    revision,
                    body: try body(of: id, revision: nil, else: draft.body, connection),
                    connection)
                try note(
                    step, id, revisions: (0, 1), trashed: (false, false), connection)
                return try indexed(id, connection)
            }
        }
    }

    /// Changes an item's contents, as a new revision.
    ///
    /// - Parameter base: the number of the revision that the change was made from. If the item has
    ///   a newer one by now, the new contents are stored beside it as a conflict. nil changes the
    ///   current revision.
    /// - Throws: `notFound`, `inTrash`.
    package func change(
        _ id: ItemID, _ change: ItemChange, basedOn base: Int? = nil,
        by origin: RevisionOrigin = .user, verb: String = "edited"
    ) throws -> ItemUpdate {
        try step(verb) { connection, step throws(any Error) in
            let item = try liveItem(id)
            let from = try base.flatMap {
                try $0 == item.revision ? nil : revision($0, of: id)
            }
            let made = ItemRevision(
                item: id, number: try nextNumber(id, connection),
                title: change.title ?? from?.title ?? item.title,
                body: change.body ?? from?.body ?? item.body,
                metadata: change.metadata ?? from?.metadata ?? item.metadata,
                tags: change.tags.map(ItemTag.normalised) ?? from?.tags ?? item.tags,
                made: environment.now(),
                // Untrusted text from earlier changes may still be in it, also in the revision from
                // which the remaining fields are taken.
                origin: RevisionOrigin(
                    by: origin.by, name: origin.name, conversation: origin.conversation,
                    hasUntrustedText: origin.hasUntrustedText
                        || !change.replacesEverything
                            && (item.hasUntrustedText || from?.origin.hasUntrustedText == true)
                ),
                isConflict: base != nil && base != item.revision)
            // The revision with the same body, compared by bytes: strings are equal however
            // their accents are composed.
            var sharing: Int? = item.revision
            if let body = change.body ?? from?.body, !body.utf8.elementsEqual(item.body.utf8) {
                sharing = from?.body.utf8.elementsEqual(body.utf8) == true ? from?.number : nil
            }
            if sharing == item.revision, (made.title, made.metadata) == (item.title, item.metadata),
                made.tags == item.tags
            {
                return .unchanged(item)
            }
            try insert(
                made, body: try body(of: id, revision: sharing, else: made.body, connection),
                connection)
            if made.isConflict { return .conflict(item, kept: made) }
            try note(
                step, id, revisions: (item.revision, made.number), trashed: (false, false),
                connection)
            try connection.run(
                LibrarySQL.setRevision,
                [.integer(id.rawValue), .integer(Int64(made.number)), .date(made.made)])
            return .changed(try indexed(id, connection))
        }
    }

    /// Moves items to the trash, as one step.
    /// - Throws: `notFound`, `inTrash`; no item is moved then.
    package func trash(_ ids: [ItemID], verb: String = "deleted") throws -> [LibraryItem] {
        try step(verb) { connection, step throws(any Error) in
            try SentBodies(beside: path).forget(sentFor: nil, connection)
            return try ids.map { id in
                let item = try liveItem(id)
                return try setTrashed(item, at: environment.now(), in: step, connection)
            }
        }
    }

    /// Takes items out of the trash, as one step.
    /// - Throws: `notFound`, `notInTrash`; no item is moved then.
    package func restore(_ ids: [ItemID]) throws -> [LibraryItem] {
        try step("restored") { connection, step throws(any Error) in
            try ids.map { id in
                guard let item = try item(id) else { throw LibraryError(.notFound(id)) }
                guard item.trashed != nil else { throw LibraryError(.notInTrash(id)) }
                return try setTrashed(item, at: nil, in: step, connection)
            }
        }
    }

    /// Makes an earlier revision, or one kept as a conflict, the current one.
    /// No revision is lost.
    /// - Throws: `notFound`, `inTrash`, `noRevision`.
    package func restore(_ id: ItemID, toRevision number: Int) throws -> LibraryItem {
        try step("restored") { connection, step throws(any Error) in
            let item = try liveItem(id)
            guard try revision(number, of: id) != nil else {
                throw LibraryError(.noRevision(id, number))
            }
            if number == item.revision { return item }
            try note(
                step, id, revisions: (item.revision, number), trashed: (false, false), connection)
            try connection.run(
                LibrarySQL.setRevision,
                [.integer(id.rawValue), .integer(Int64(number)), .date(environment.now())])
            return try indexed(id, connection)
        }
    }

    // MARK: - Pieces

    /// Runs one transaction; if it makes no changes, no step is stored.
    func step<Value>(
        _ verb: String, _ body: (Connection, _ step: Int64) throws -> Value
    ) throws -> Value {
        let connection = try connection()
        let id = environment.uuid()
        // The transaction's body can only throw `SQLiteError`; other errors are
        // stored here.
        var failure: (any Error)?
        do {
            let value: Value = try connection.transaction { () throws(SQLiteError) in
                try connection.run(
                    LibrarySQL.insertStep, [.text(id), .text(verb), .date(environment.now())])
                let step = connection.lastInsertedRow
                do {
                    let value = try body(connection, step)
                    try connection.run(LibrarySQL.pruneSteps)
                    return value
                } catch let error as SQLiteError {
                    throw error
                } catch {
                    failure = error
                    throw SQLiteError(.interrupted, path: path, detail: "taken back")
                }
            }
            ownSteps.insert(id)
            ToolCallContext.undoSteps?.note(id)
            return value
        } catch {
            throw failure ?? error
        }
    }

    private func setTrashed(
        _ item: LibraryItem, at time: Date?, in step: Int64, _ connection: Connection
    ) throws(SQLiteError) -> LibraryItem {
        try note(
            step, item.id, revisions: (item.revision, item.revision),
            trashed: (item.trashed != nil, time != nil), connection)
        try connection.run(
            LibrarySQL.setTrashed, [.integer(item.id.rawValue), .date(time)])
        return try indexed(item.id, connection)
    }

    func note(
        _ step: Int64, _ id: ItemID, revisions: (Int, Int), trashed: (Bool, Bool),
        _ connection: Connection
    ) throws(SQLiteError) {
        try connection.run(
            LibrarySQL.insertChange,
            [
                .integer(step), .integer(id.rawValue), .integer(Int64(revisions.0)),
                .integer(Int64(revisions.1)), .flag(trashed.0), .flag(trashed.1),
            ])
    }

    /// The number of a body: that of an existing revision, or of a newly inserted one.
    private func body(
        of id: ItemID, revision: Int?, else text: String, _ connection: Connection
    ) throws(SQLiteError) -> Int64 {
        let item = SQLiteValue.integer(id.rawValue)
        if let revision,
            let body = try connection.first(
                LibrarySQL.bodyOfRevision, [item, .integer(Int64(revision))], { $0.integer(0) })
        {
            return body
        }
        try connection.run(LibrarySQL.insertBody, [item, .text(text)])
        return connection.lastInsertedRow
    }

    private func insert(
        _ revision: ItemRevision, body: Int64, _ connection: Connection
    ) throws(SQLiteError) {
        try connection.run(
            LibrarySQL.insertRevision,
            [
                .integer(revision.item.rawValue), .integer(Int64(revision.number)),
                .text(revision.title), .integer(body),
                .text(JSONWriter.string(.object(revision.metadata))),
                .text(revision.tags.joined(separator: " ")), .date(revision.made),
                .text(revision.origin.by.rawValue), .optional(revision.origin.name),
                .optional(revision.origin.conversation), .flag(revision.origin.hasUntrustedText),
                .flag(revision.isConflict),
            ])
    }

    private func nextNumber(_ id: ItemID, _ connection: Connection) throws(SQLiteError) -> Int {
        let last = try connection.first(LibrarySQL.lastNumber, [.integer(id.rawValue)]) {
            Int($0.integer(0))
        }
        return (last ?? 0) + 1
    }

    func indexed(_ id: ItemID, _ connection: Connection) throws(SQLiteError) -> LibraryItem {
        try connection.indexItem(id)
    }
}

extension Connection {
    /// Updates the tags and the full-text indexes to the item's current state;
    /// unchanged ones are not written again.
    /// - Returns: the item.
    @discardableResult
    func indexItem(_ id: ItemID) throws(SQLiteError) -> LibraryItem {
        let key = SQLiteValue.integer(id.rawValue)
        guard let item = try first(LibrarySQL.item, [key], LibraryStore.item) else {
            throw SQLiteError(.notFound, path: path, detail: "item \(id)")
        }
        let kind = SQLiteValue.text(item.kind.rawValue)
        let (title, tags) = (SearchableText.segmented(item.title), item.tags.joined(separator: " "))
        let indexed = try first(LibrarySQL.indexed, [key]) {
            [$0.text("title"), $0.text("tags")]
        }
        if item.trashed != nil || indexed != [title, tags] {
            try run(LibrarySQL.clearTags, [key])
            for tag in item.tags { try run(LibrarySQL.addTag, [key, .text(tag)]) }
            if indexed != nil { try run(LibrarySQL.unindex, [key]) }
            if item.trashed == nil {
                try run(LibrarySQL.index, [key, kind, .text(title), .text(tags)])
            }
        }
        let body = try first(LibrarySQL.currentBody, [key]) {
            (now: $0.integer("now"), indexed: $0.optionalInteger("known"))
        }
        guard let body, item.trashed != nil || body.indexed != body.now else { return item }
        if body.indexed != nil { try run(LibrarySQL.unindexBody, [key]) }
        if item.trashed == nil {
            try run(
                LibrarySQL.indexBody,
                [key, .integer(body.now), kind, .text(SearchableText.segmented(item.body))])
        }
        return item
    }
}
