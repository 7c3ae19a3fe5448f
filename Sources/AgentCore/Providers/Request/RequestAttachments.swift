import Base

/// Replaces each file of a history that the target does not accept with a note: an image for a
/// model that reads only text, a PDF for Chat Completions, the oldest files if all together are too
/// large. Pure.
///
/// New files were checked before they were saved; this handles a later change of model, after which
/// requests must still be valid. The same history gives the same messages as long as it fits.
enum RequestAttachments {
    static func fitted(_ turns: [Turn], for target: ModelOrigin) -> [Turn] {
        // Nearly all histories have no files.
        guard turns.contains(where: hasFile) else { return turns }
        let limits = AttachmentLimits(for: target)
        var fitted = turns.map(withoutKept)
        var count = fitted.reduce(0) { $0 + images(in: $1) }
        let edge =
            count > AttachmentLimits.crowd
            ? min(limits.imageEdge, AttachmentLimits.crowdEdge) : limits.imageEdge
        var left = limits.requestBytes
        count = limits.imageCount
        // Newest first, so that the oldest are left out.
        for index in fitted.indices.reversed() where hasFile(fitted[index]) {
            let isAsked =
                index == fitted.indices.last
                || fitted[index].messages.contains { $0.origin == target }
            for message in fitted[index].messages.indices.reversed() {
                for part in fitted[index].messages[message].parts.indices.reversed() {
                    guard case .attachment(let file) = fitted[index].messages[message].parts[part]
                    else { continue }
                    let size = AttachmentLimits.base64Count(file.bytes.count)
                    let fits: Bool
                    switch AttachmentContent.kind(of: file) {
                    case .text, .other: continue
                    case .image:
                        let long = ImageHeader(file.bytes)?.size?.longEdge ?? 0
                        let takes = limits.images == .taken || limits.images == .unknown && isAsked
                        fits =
                            takes && count > 0 && size <= limits.imageBytes && long <= edge
                            && size <= left
                        if fits { count -= 1 }
                    case .pdf: fits = limits.takesPDF && size <= left
                    }
                    if fits {
                        left -= size
                    } else {
                        fitted[index].messages[message].parts[part] = .text(note(file))
                    }
                }
            }
        }
        return fitted
    }

    static func note(_ file: Attachment) -> String {
        "File \(file.name) (\(file.mediaType)) was attached here; this model is not given it."
    }

    /// The turn without files whose text is already in the message.
    private static func withoutKept(_ turn: Turn) -> Turn {
        var turn = turn
        for index in turn.messages.indices {
            turn.messages[index].parts.removeAll { part in
                if case .attachment(let file) = part { file.isKeptOnly } else { false }
            }
        }
        return turn
    }

    private static func hasFile(_ turn: Turn) -> Bool {
        turn.messages.contains { message in
            message.parts.contains { if case .attachment = $0 { true } else { false } }
        }
    }

    private static func images(in turn: Turn) -> Int {
        turn.messages.reduce(0) { sum, message in
            sum
                + message.parts.count { part in
                    if case .attachment(let file) = part {
                        AttachmentContent.kind(of: file) == .image
                    } else {
                        false
                    }
                }
        }
    }
}
